import { beforeEach, describe, expect, test } from "bun:test";
import { fail, ok } from "../../src/shared/result.ts";
import { ALICE, BOB, HOME, identityWorld } from "./identity_world.ts";

const at = (ip: string, token?: string) => ({ ip, token });

let world: ReturnType<typeof identityWorld>;

beforeEach(async () => {
  world = identityWorld();
  await world.identity.register(ALICE, { ip: "203.0.113.9" });
  await world.identity.register(BOB, { ip: "203.0.113.9" });
});

describe("verifyCode()", () => {
  test("verifyCode() opens a full session under a new token, ends the partial one and verifies the email", async () => {
    const partial = await world.login();
    const result = await world.identity.verifyCode({ code: await world.code() }, at(HOME, partial));
    if (!result.ok) throw new Error(result.code);
    expect(result.value.language).toBe("de");
    expect(result.value.token).not.toBe(partial);
    expect(await world.identity.sessionOf(result.value.token)).toMatchObject({ level: "authenticated" });
    expect(await world.identity.sessionOf(partial)).toBeUndefined();
    const user = await world.userOf(ALICE.email);
    expect(user?.verifiedAt).toEqual(world.now());
    expect(await world.identity.accountOf(user?.id ?? "")).toMatchObject({ verified: true });
  });

  test("verifyCode() requires a session", async () => {
    expect(await world.identity.verifyCode({ code: "123456" }, at(HOME))).toEqual(fail("UNAUTHENTICATED"));
    expect(await world.identity.verifyCode({ code: "123456" }, at(HOME, "planted"))).toEqual(fail("CODE_INVALID"));
  });

  test("verifyCode() accepts a code once, even if 50 try it concurrently", async () => {
    const partial = await world.login();
    const code = await world.code();
    const tries = Array.from({ length: 50 }, (_, i) => world.identity.verifyCode({ code }, at(`10.0.0.${i}`, partial)));
    const results = await Promise.all(tries);
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(results.filter((result) => !result.ok && result.code === "CODE_INVALID")).toHaveLength(49);
  });

  test("verifyCode() rejects the code of another log-in", async () => {
    const alice = await world.login();
    const codeOfAlice = await world.code();
    const bob = await world.login(BOB);
    expect(await world.identity.verifyCode({ code: codeOfAlice }, at(HOME, bob))).toEqual(fail("CODE_INVALID"));
    expect((await world.identity.verifyCode({ code: codeOfAlice }, at(HOME, alice))).ok).toBe(true);
  });

  test("verifyCode() accepts a code for ten minutes", async () => {
    const first = await world.login();
    world.pass({ minutes: 9, seconds: 59 });
    expect((await world.identity.verifyCode({ code: await world.code() }, at(HOME, first))).ok).toBe(true);
    const second = await world.login();
    world.pass({ minutes: 10 });
    expect(await world.identity.verifyCode({ code: await world.code() }, at(HOME, second))).toEqual(
      fail("CODE_INVALID"),
    );
  });

  test("verifyCode() ends challenge and session with the fifth wrong code", async () => {
    const partial = await world.login();
    const code = await world.code();
    for (let i = 0; i < 4; i++) await world.identity.verifyCode({ code: world.wrong(code) }, at(HOME, partial));
    expect(await world.identity.sessionOf(partial)).toBeDefined();
    expect(await world.identity.verifyCode({ code: world.wrong(code) }, at(HOME, partial))).toEqual(
      fail("CODE_INVALID"),
    );
    expect(await world.identity.sessionOf(partial)).toBeUndefined();
    expect(await world.identity.verifyCode({ code }, at(HOME, partial))).toEqual(fail("CODE_INVALID"));
    expect(await world.identity.resendCode(partial, { ip: HOME })).toEqual(fail("SESSION_EXPIRED"));
  });

  test("verifyCode() evaluates at most five of 200 concurrent wrong codes", async () => {
    let compared = 0;
    const counting = identityWorld({
      mac(purpose, value) {
        if (purpose === "login-code") compared++;
        return world.mac(purpose, value);
      },
    });
    await counting.identity.register(ALICE, at(HOME));
    const partial = await counting.login();
    const code = counting.wrong(await counting.code());
    compared = 0;
    await Promise.all(
      Array.from({ length: 200 }, (_, i) => counting.identity.verifyCode({ code }, at(`10.0.0.${i}`, partial))),
    );
    expect(compared).toBe(5);
  });

  test("verifyCode() locks the account for an hour after ten wrong codes in several log-ins", async () => {
    await world.signIn();
    for (let challenge = 0; challenge < 2; challenge++) {
      const partial = await world.login();
      const code = await world.code();
      for (let i = 0; i < 5; i++)
        await world.identity.verifyCode({ code: world.wrong(code) }, at(`198.51.100.${challenge}${i}`, partial));
    }
    const partial = await world.login();
    const code = await world.code();
    expect(await world.identity.verifyCode({ code }, at(HOME, partial))).toEqual(fail("LOCKED", { retryAfter: 3600 }));
    world.pass({ hours: 1 });
    expect(await world.signIn()).toBeString();
  });

  test("verifyCode() locks an IP address for an hour after ten wrong codes for several accounts", async () => {
    for (const account of [ALICE, BOB]) {
      const partial = await world.login(account, "198.51.100.1");
      const code = await world.code();
      for (let i = 0; i < 5; i++) await world.identity.verifyCode({ code: world.wrong(code) }, at(HOME, partial));
    }
    const partial = await world.login();
    const code = await world.code();
    expect(await world.identity.verifyCode({ code }, at(HOME, partial))).toEqual(fail("LOCKED", { retryAfter: 3600 }));
    expect((await world.identity.verifyCode({ code }, at("198.51.100.2", partial))).ok).toBe(true);
  });
});

describe("resendCode()", () => {
  test("resendCode() mails a new code after a minute, and voids the former one", async () => {
    const partial = await world.login();
    const former = await world.code();
    world.pass({ seconds: 59 });
    expect(await world.identity.resendCode(partial, { ip: HOME })).toEqual(
      fail("CODE_RESEND_TOO_SOON", { retryAfter: 1 }),
    );
    world.pass({ seconds: 1 });
    expect(await world.identity.resendCode(partial, { ip: HOME })).toEqual(ok({ retryAfter: 60 }));
    const code = await world.code();
    if (former !== code)
      expect(await world.identity.verifyCode({ code: former }, at(HOME, partial))).toEqual(fail("CODE_INVALID"));
    expect((await world.identity.verifyCode({ code }, at(HOME, partial))).ok).toBe(true);
  });

  test("resendCode() keeps the number of attempts", async () => {
    const partial = await world.login();
    for (let i = 0; i < 4; i++)
      await world.identity.verifyCode({ code: world.wrong(await world.code()) }, at(HOME, partial));
    world.pass({ seconds: 60 });
    await world.identity.resendCode(partial, { ip: HOME });
    await world.identity.verifyCode({ code: world.wrong(await world.code()) }, at(HOME, partial));
    expect(await world.identity.verifyCode({ code: await world.code() }, at(HOME, partial))).toEqual(
      fail("CODE_INVALID"),
    );
  });

  test("resendCode() mails one code for 20 concurrent requests", async () => {
    const partial = await world.login();
    world.pass({ seconds: 60 });
    const results = await Promise.all(
      Array.from({ length: 20 }, () => world.identity.resendCode(partial, { ip: HOME })),
    );
    expect(results.filter((result) => result.ok)).toHaveLength(1);
    expect(await world.mails()).toHaveLength(2);
  });

  test("resendCode() mails at most five codes an hour, including the first", async () => {
    await world.signIn();
    const partial = await world.login();
    for (let i = 0; i < 4; i++) {
      world.pass({ minutes: 5 });
      expect(await world.identity.resendCode(partial, { ip: HOME })).toEqual(ok({ retryAfter: 60 }));
    }
    world.pass({ minutes: 5 });
    expect(await world.identity.resendCode(partial, { ip: HOME })).toEqual(
      fail("CODE_RESEND_TOO_SOON", { retryAfter: 35 * 60 }),
    );
  });

  test("resendCode() keeps the session alive as long as the mailed code", async () => {
    const partial = await world.login();
    world.pass({ minutes: 14 });
    await world.identity.resendCode(partial, { ip: HOME });
    world.pass({ minutes: 9 });
    expect((await world.identity.verifyCode({ code: await world.code() }, at(HOME, partial))).ok).toBe(true);
  });

  test("resendCode() requires a partial session", async () => {
    expect(await world.identity.resendCode(undefined, { ip: HOME })).toEqual(fail("UNAUTHENTICATED"));
    expect(await world.identity.resendCode("planted", { ip: HOME })).toEqual(fail("SESSION_EXPIRED"));
    expect(await world.identity.resendCode(await world.signIn(), { ip: HOME })).toEqual(fail("SESSION_EXPIRED"));
  });
});
