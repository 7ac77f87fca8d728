import { beforeEach, describe, expect, test } from "bun:test";
import * as v from "valibot";
import { verifyCodeInput } from "../../src/identity/inputs.ts";
import { fail } from "../../src/shared/result.ts";
import { accepted } from "../support/builders.ts";
import { at, type FactorWorld, factorWorld } from "./factor_world.ts";
import { ALICE, BOB } from "./identity_world.ts";

let world: FactorWorld;

beforeEach(async () => {
  world = await factorWorld();
});

const OFF = { authenticator: null, passkeys: [], recoveryCodes: 0, mailboxLeaked: false };

describe("addAuthenticator() and confirmAuthenticator()", () => {
  test("an app is active from its first correct code on, and comes with ten recovery codes", async () => {
    const alice = await world.signedIn();
    const { secret, uri } = accepted(await world.identity.addAuthenticator(alice));
    expect(uri).toContain(`secret=${secret}`);
    expect(uri).toContain(encodeURIComponent(ALICE.email));
    expect(await world.identity.factorsOf(alice.accountId)).toMatchObject({ value: OFF });
    const wrong = world.wrong(world.appCode(secret));
    expect(await world.identity.confirmAuthenticator({ code: wrong }, alice)).toEqual(
      fail("CODE_INVALID", { fields: { code: "CODE_INVALID" } }),
    );
    expect(accepted(await world.identity.login(ALICE, at())).methods).toEqual(["email"]);

    const code = world.appCode(secret);
    const { recoveryCodes } = accepted(await world.identity.confirmAuthenticator({ code }, alice));
    expect(recoveryCodes).toHaveLength(10);
    expect(await world.identity.factorsOf(alice.accountId)).toMatchObject({
      value: { ...OFF, authenticator: { since: world.now().toISOString() }, recoveryCodes: 10 },
    });
    expect(accepted(await world.identity.login(ALICE, at())).methods).toEqual(["authenticator", "recovery_code"]);
    expect(await world.told()).toEqual([{ to: ALICE.email, change: "authenticator_added" }]);
    expect((await world.history(alice.accountId)).map(({ event }) => event)).toEqual([
      "registered",
      "sign_in_started",
      "signed_in",
      "sign_in_started",
      "authenticator_added",
      "recovery_codes_made",
      "sign_in_started",
    ]);
  });

  test("only the newest secret is valid, and a confirmed one is never replaced", async () => {
    const alice = await world.signedIn();
    const first = accepted(await world.identity.addAuthenticator(alice));
    const second = accepted(await world.identity.addAuthenticator(alice));
    expect(first.secret).not.toBe(second.secret);
    const codeOf = ({ secret }: { secret: string }) => ({ code: world.appCode(secret) });
    expect(await world.identity.confirmAuthenticator(codeOf(first), alice)).toMatchObject({ code: "CODE_INVALID" });
    expect((await world.identity.confirmAuthenticator(codeOf(second), alice)).ok).toBe(true);
    expect(await world.identity.addAuthenticator(alice)).toEqual(fail("AUTHENTICATOR_EXISTS"));
    expect(await world.identity.confirmAuthenticator(codeOf(second), alice)).toEqual(fail("AUTHENTICATOR_EXISTS"));
  });

  test("an app that was not started, or was started by another account, cannot be confirmed", async () => {
    const [alice, bob] = [await world.signedIn(), await world.signedIn(BOB)];
    const { secret } = accepted(await world.identity.addAuthenticator(alice));
    const code = world.appCode(secret);
    expect(await world.identity.confirmAuthenticator({ code }, bob)).toEqual(fail("NOT_FOUND"));
    expect(await world.identity.removeAuthenticator(alice)).toEqual(fail("NOT_FOUND"));
  });

  test("the secret is stored sealed", async () => {
    const alice = await world.signedIn();
    const { secret } = await world.addApp(alice);
    const stored = await world.transaction(({ authenticators }) => authenticators.find(alice.accountId));
    expect(JSON.stringify(stored)).not.toContain(secret);
    expect(world.cipher.decrypt(stored?.sealedSecret ?? "")).toBe(secret);
  });

  test("other sessions and every pending log-in end, this session stays", async () => {
    const alice = await world.signedIn();
    const elsewhere = await world.signIn();
    world.pass({ minutes: 1 });
    const halfWay = await world.login();
    const mailed = await world.code();
    const bob = await world.signIn(BOB);
    await world.addApp(alice);
    expect(await world.identity.sessionOf(alice.client.token ?? "")).toMatchObject({ level: "authenticated" });
    expect(await world.identity.sessionOf(bob)).toBeDefined();
    expect(await world.identity.sessionOf(elsewhere)).toBeUndefined();
    expect(await world.identity.sessionOf(halfWay)).toBeUndefined();
    expect(await world.identity.verifyCode({ code: mailed }, at(halfWay))).toEqual(fail("CODE_INVALID"));
  });
});

describe("verifyAuthenticator()", () => {
  test("the app's code completes the log-in; no code is mailed or can be requested", async () => {
    const alice = await world.signedIn();
    const { secret } = await world.addApp(alice);
    const mailedBefore = (await world.mails()).filter(({ template }) => template === "login_code").length;
    const token = await world.login();
    expect((await world.mails()).filter(({ template }) => template === "login_code")).toHaveLength(mailedBefore);
    world.pass({ minutes: 1 });
    expect(await world.identity.resendCode(token, { ip: "203.0.113.7" })).toEqual(fail("SESSION_EXPIRED"));
    expect(await world.identity.verifyCode({ code: "123456" }, at(token))).toEqual(fail("CODE_INVALID"));
    const { token: full } = accepted(
      await world.identity.verifyAuthenticator({ code: world.appCode(secret) }, at(token)),
    );
    expect(await world.identity.sessionOf(full)).toMatchObject({ level: "authenticated", accountId: alice.accountId });
    expect(await world.identity.sessionOf(token)).toBeUndefined();
  });

  test("a code is valid for its step and the two adjacent ones", async () => {
    const { secret } = await world.addApp(await world.signedIn());
    world.pass({ minutes: 5 });
    const answers = [];
    for (const steps of [-2, 2, -1, 0, 1]) {
      const code = world.appCode(secret, steps);
      answers.push((await world.identity.verifyAuthenticator({ code }, at(await world.login()))).ok);
    }
    expect(answers).toEqual([false, false, true, true, true]);
  });

  test("a code is valid once, including the one that added the app, and for 50 concurrent log-ins too", async () => {
    const alice = await world.signedIn();
    const { secret } = accepted(await world.identity.addAuthenticator(alice));
    const code = world.appCode(secret);
    accepted(await world.identity.confirmAuthenticator({ code }, alice));
    expect(await world.identity.verifyAuthenticator({ code }, at(await world.login()))).toEqual(fail("CODE_INVALID"));

    world.pass({ seconds: 30 });
    const next = world.appCode(secret);
    const tokens = [await world.login(), await world.login(), await world.login()];
    const tries = Array.from({ length: 50 }, (_, i) =>
      world.identity.verifyAuthenticator({ code: next }, at(tokens[i % 3], `10.0.0.${i}`)),
    );
    expect((await Promise.all(tries)).filter(({ ok }) => ok)).toHaveLength(1);
    const earlier = world.appCode(secret, -1);
    expect((await world.identity.verifyAuthenticator({ code: earlier }, at(await world.login()))).ok).toBe(false);
  });

  test("wrong codes count like wrong mailed ones: the fifth ends the log-in", async () => {
    const { secret } = await world.addApp(await world.signedIn());
    const token = await world.login();
    const code = world.wrong(world.appCode(secret));
    for (let i = 0; i < 5; i++)
      expect(await world.identity.verifyAuthenticator({ code }, at(token))).toEqual(fail("CODE_INVALID"));
    expect(await world.identity.sessionOf(token)).toBeUndefined();
    const right = world.appCode(secret);
    expect(await world.identity.verifyAuthenticator({ code: right }, at(token))).toEqual(fail("CODE_INVALID"));
    expect((await world.userOf(ALICE.email))?.wrongCodes).toBe(5);
  });

  test("an account without an app, or with an unconfirmed one, refuses every code", async () => {
    const bob = await world.signedIn(BOB);
    const { secret } = accepted(await world.identity.addAuthenticator(bob));
    const token = await world.login(BOB);
    const code = world.appCode(secret);
    expect(await world.identity.verifyAuthenticator({ code }, at(token))).toEqual(fail("CODE_INVALID"));
    expect(await world.identity.verifyAuthenticator({ code }, at())).toEqual(fail("UNAUTHENTICATED"));
  });

  test("codes with spaces or full-width digits are accepted", () => {
    for (const code of [" 123 456 ", "１２３４５６", "123-456", "123\u00a0456"])
      expect(v.parse(verifyCodeInput, { code })).toEqual({ code: "123456" });
  });
});

describe("removeAuthenticator()", () => {
  test("mailed codes are used again, recovery codes are deleted, and other sessions end", async () => {
    const alice = await world.signedIn();
    const { secret, recoveryCodes } = await world.addApp(alice);
    const token = await world.login();
    const { token: elsewhere } = accepted(
      await world.identity.verifyAuthenticator({ code: world.appCode(secret) }, at(token)),
    );
    const halfWay = await world.login();
    expect((await world.identity.removeAuthenticator(alice)).ok).toBe(true);
    for (const ended of [elsewhere, halfWay]) expect(await world.identity.sessionOf(ended)).toBeUndefined();
    expect(await world.identity.factorsOf(alice.accountId)).toMatchObject({ value: OFF });
    expect(await world.told()).toMatchObject([{ change: "authenticator_added" }, { change: "authenticator_removed" }]);
    expect((await world.history(alice.accountId)).at(-1)).toEqual({ event: "authenticator_removed" });

    const again = await world.login();
    const [code = ""] = recoveryCodes;
    expect(await world.identity.verifyRecoveryCode({ code: code.replace("-", "") }, at(again))).toEqual(
      fail("CODE_INVALID"),
    );
    expect((await world.identity.verifyCode({ code: await world.code() }, at(again))).ok).toBe(true);
    expect(await world.identity.removeAuthenticator(alice)).toEqual(fail("NOT_FOUND"));
  });
});
