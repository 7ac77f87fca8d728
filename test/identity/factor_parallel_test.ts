import { beforeEach, describe, expect, test } from "bun:test";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import type { IdentityStore } from "../../src/identity/mod.ts";
import { memoryIdentity } from "../memory/identity/store.ts";
import { accepted } from "../support/builders.ts";
import { eachDatabase, type TestStore } from "../support/postgres.ts";
import { softwareAuthenticator } from "../support/software_authenticator.ts";
import { at, type FactorWorld, factorWorld } from "./factor_world.ts";
import { ALICE } from "./identity_world.ts";

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));
const won = (results: { ok: boolean }[]) => results.filter(({ ok }) => ok).length;

describe.each(eachDatabase(memoryIdentity, postgresIdentity))("the second factors on %s", (_, open) => {
  let world: FactorWorld;
  let alice: Awaited<ReturnType<FactorWorld["signedIn"]>>;

  beforeEach(async () => {
    const store: TestStore<IdentityStore> = await open();
    // A fixed code, as this database's mails are not in the world's inbox.
    world = await factorWorld({ transaction: store.transaction, newCode: () => "123456" });
    const token = await world.login();
    const { token: full } = accepted(await world.identity.verifyCode({ code: "123456" }, at(token)));
    alice = await world.holder(full);
  });

  test("of 50 log-ins with one code of the app, one succeeds", async () => {
    const { secret } = await world.addApp(alice);
    const code = world.appCode(secret);
    const tokens = await times(10, () => world.login());
    const tries = times(50, (i) => world.identity.verifyAuthenticator({ code }, at(tokens[i % 10], `10.0.0.${i}`)));
    expect(won(await tries)).toBe(1);
  });

  test("of 50 log-ins with one recovery code, one succeeds", async () => {
    const { recoveryCodes } = await world.addApp(alice);
    const code = (recoveryCodes[0] ?? "").replace("-", "");
    const tokens = await times(10, () => world.login());
    const tries = times(50, (i) => world.identity.verifyRecoveryCode({ code }, at(tokens[i % 10], `10.0.0.${i}`)));
    expect(won(await tries)).toBe(1);
    expect(accepted(await world.identity.factorsOf(alice.accountId)).recoveryCodes).toBe(9);
  });

  test("of 20 log-ins with one passkey response, one succeeds", async () => {
    const { device } = await world.addKey(alice, softwareAuthenticator({ counts: false }));
    const token = await world.login();
    const response = device.get(accepted(await world.identity.passkeyRequestOptions({ token })));
    expect(won(await times(20, (i) => world.identity.verifyPasskey({ response }, at(token, `10.0.0.${i}`))))).toBe(1);
  });

  test("of 20 tabs that confirm one app, one succeeds, with one set of recovery codes", async () => {
    const { secret } = accepted(await world.identity.addAuthenticator(alice));
    const code = world.appCode(secret);
    const results = await times(20, () => world.identity.confirmAuthenticator({ code }, alice));
    expect(won(results)).toBe(1);
    expect(accepted(await world.identity.factorsOf(alice.accountId)).recoveryCodes).toBe(10);
  });

  test("adding, removing, logging in and renewing codes concurrently never deadlocks, and keeps the invariants", async () => {
    const { secret } = await world.addApp(alice);
    const tokens = await times(5, () => world.login());
    await Promise.all([
      times(5, (i) =>
        world.identity.verifyAuthenticator({ code: world.appCode(secret, i - 2) }, at(tokens[i], `10.1.0.${i}`)),
      ),
      times(5, (i) => world.identity.login(ALICE, at(undefined, `10.2.0.${i}`))),
      times(3, () => world.identity.makeRecoveryCodes(alice)),
      times(3, () => world.identity.removeAuthenticator(alice)),
      times(3, () => world.identity.passkeyCreationOptions(alice)),
      world.identity.cleanUp(),
    ]);
    expect(accepted(await world.identity.factorsOf(alice.accountId))).toMatchObject({
      authenticator: null,
      recoveryCodes: 0,
    });
    expect(accepted(await world.identity.login(ALICE, at())).methods).toEqual(["email"]);
  });
});
