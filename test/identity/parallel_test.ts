import { beforeEach, describe, expect, test } from "bun:test";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import { createIdentity, type IdentityDeps, type IdentityStore } from "../../src/identity/mod.ts";
import { ok } from "../../src/shared/result.ts";
import { memoryIdentity, plainPasswords } from "../memory/identity/store.ts";
import { eachDatabase, type TestStore } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";
import { ALICE, HOME, identityWorld } from "./identity_world.ts";

describe.each(eachDatabase(memoryIdentity, postgresIdentity))("createIdentity() on %s", (_, open) => {
  let store: TestStore<IdentityStore>;

  beforeEach(async () => {
    store = await open();
  });

  /** The module on this database, with the other parts of the in-memory world. */
  function moduleOn(changed: Partial<IdentityDeps> = {}) {
    const world = { ...identityWorld(), ...changed };
    let code = "";
    const newCode = () => {
      code = world.newCode();
      return code;
    };
    return {
      identity: createIdentity({ ...world, newCode, transaction: store.transaction }),
      world,
      code: () => code,
      wrong: world.wrong,
      pass: world.pass,
    };
  }
  const LOGIN = { email: ALICE.email, password: ALICE.password };

  test("register() lets one of ten registrations win that all read the same account, or none", async () => {
    let hashing = 0;
    let { promise, resolve } = Promise.withResolvers<void>();
    const passwords = {
      ...plainPasswords(),
      async hash(password: string) {
        if (++hashing % 10 === 0) resolve();
        await promise;
        return ok(password);
      },
    };
    const { identity } = moduleOn({ passwords });
    for (let round = 0; round < 2; round++) {
      ({ promise, resolve } = Promise.withResolvers<void>());
      const tries = Array.from({ length: 10 }, (_, i) => identity.register(ALICE, { ip: `198.51.100.${i}` }));
      const codes = (await Promise.all(tries)).map((result) => (result.ok ? "ok" : result.code));
      expect(codes.toSorted()).toEqual([...Array(9).fill("EMAIL_TAKEN"), "ok"]);
    }
  });

  test("login() and verifyCode() lead to a full session", async () => {
    const { identity, code } = moduleOn();
    await identity.register(ALICE, { ip: HOME });
    const signedIn = await identity.login(LOGIN, { ip: HOME, token: undefined });
    if (!signedIn.ok) throw new Error(signedIn.code);
    const { token } = signedIn.value;
    const tries = Array.from({ length: 20 }, (_, i) =>
      identity.verifyCode({ code: code() }, { ip: `10.0.0.${i}`, token }),
    );
    const full = (await Promise.all(tries)).flatMap((result) => (result.ok ? result.value.token : []));
    expect(full).toHaveLength(1);
    expect(await identity.sessionOf(full[0] ?? "")).toMatchObject({ level: "authenticated" });
    expect(await identity.sessionOf(token)).toBeUndefined();
  });

  test("resetPassword() lets one of 50 concurrent uses of a link win, with one password and one notification", async () => {
    const { identity, code, world } = moduleOn();
    await identity.register(ALICE, { ip: HOME });
    const signedIn = await identity.login(LOGIN, { ip: HOME, token: undefined });
    if (!signedIn.ok) throw new Error(signedIn.code);
    await identity.verifyCode({ code: code() }, { ip: HOME, token: signedIn.value.token });
    await takePublished(store.outbox);

    const requestedAt = world.now().toISOString();
    const request = { type: "identity.resetRequested", email: ALICE.email, requestedAt } as const;
    await Promise.all(Array.from({ length: 5 }, () => identity.onResetRequested(request)));
    const [mail, ...more] = await takePublished(store.outbox);
    expect(more).toEqual([]);
    const sealed = mail?.type === "mail.requested" ? mail.sealed : undefined;
    const token = String(JSON.parse(world.cipher.decrypt(sealed ?? "")).token);

    const passwordOf = (i: number) => `Quiet-River-${i}-Boat`;
    const tries = Array.from({ length: 50 }, (_, i) =>
      identity.resetPassword({ token, password: passwordOf(i) }, { ip: HOME }),
    );
    const logins = Array.from({ length: 5 }, (_, i) => identity.login(LOGIN, { ip: `10.0.0.${i}`, token: undefined }));
    const [results] = await Promise.all([Promise.all(tries), Promise.all(logins), identity.cleanUp()]);
    expect(results.map((result) => (result.ok ? "ok" : result.code)).toSorted()).toEqual([
      ...Array(49).fill("RESET_LINK_INVALID"),
      "ok",
    ]);
    const winner = results.findIndex(({ ok }) => ok);
    expect(await identity.login(LOGIN, { ip: HOME, token: undefined })).toMatchObject({ code: "CREDENTIALS_INVALID" });
    const password = passwordOf(winner);
    expect((await identity.login({ ...LOGIN, password }, { ip: HOME, token: undefined })).ok).toBe(true);
    const notices = (await takePublished(store.outbox)).filter(
      (event) => event.type === "mail.requested" && event.template === "password_changed",
    );
    expect(notices).toHaveLength(1);
  });

  test("login(), verifyCode(), resendCode(), register() and cleanUp() never deadlock when concurrent", async () => {
    const { identity, code, wrong, pass } = moduleOn();
    await identity.register(ALICE, { ip: HOME });
    const first = await identity.login(LOGIN, { ip: HOME, token: undefined });
    if (!first.ok) throw new Error(first.code);
    const { token } = first.value;
    const guess = wrong(code());
    pass({ minutes: 1 });
    const guesses = Array.from({ length: 60 }, (_, i) =>
      identity.verifyCode({ code: guess }, { ip: `10.0.0.${i % 7}`, token }),
    );
    const logins = Array.from({ length: 8 }, (_, i) =>
      identity.login(LOGIN, { ip: `10.0.0.${i % 7}`, token: undefined }),
    );
    const others = [
      identity.resendCode(token, { ip: HOME }),
      identity.resendCode(token, { ip: HOME }),
      identity.register(ALICE, { ip: HOME }),
    ];
    const [answers] = await Promise.all([Promise.all([...guesses, ...logins, ...others]), identity.cleanUp()]);
    const codes = new Set(answers.flatMap((answer) => (answer.ok ? [] : answer.code)));
    const expected = [
      "CODE_INVALID",
      "LOCKED",
      "CREDENTIALS_INVALID",
      "SESSION_EXPIRED",
      "CODE_RESEND_TOO_SOON",
      "EMAIL_TAKEN",
    ];
    expect([...codes].filter((failure) => !expected.includes(failure))).toEqual([]);
  });
});
