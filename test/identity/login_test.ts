import { beforeEach, describe, expect, test } from "bun:test";
import { fail, ok } from "../../src/shared/result.ts";
import { ALICE, BOB, HOME, identityWorld } from "./identity_world.ts";

const WRONG = { email: ALICE.email, password: "Wr0ng-Password" };
const RIGHT = { email: ALICE.email, password: ALICE.password };
const at = (ip: string, token?: string) => ({ ip, token });

let world: ReturnType<typeof identityWorld>;

beforeEach(async () => {
  world = identityWorld();
  await world.identity.register(ALICE, { ip: "203.0.113.9" });
  await world.identity.register(BOB, { ip: "203.0.113.9" });
});

describe("login()", () => {
  test("login() opens a partial session and mails a code in the account's language", async () => {
    const token = await world.login();
    expect(await world.identity.sessionOf(token)).toMatchObject({ level: "partial", language: "de" });
    const user = await world.userOf(ALICE.email);
    const [mail] = await world.mails();
    expect(mail).toEqual({
      type: "mail.requested",
      to: ALICE.email,
      language: "de",
      template: "login_code",
      params: { firstName: "Alice", minutes: "10" },
      sealed: mail?.sealed ?? "",
      accountId: user?.id ?? "",
      notAfter: "2026-11-20T12:10:00.000Z",
    });
    expect(await world.code()).toMatch(/^\d{6}$/);
  });

  test("signInUnderWay() tells that the code is delayed while mails are, where it is mailed at all", async () => {
    const delayed: string[] = [];
    const codeMails = { areDelayed: async (accountId: string) => delayed.includes(accountId) };
    const slow = identityWorld({ codeMails });
    await slow.identity.register(ALICE, at(HOME));
    const token = await slow.login();
    const accountId = (await slow.userOf(ALICE.email))?.id ?? "";
    expect(await slow.identity.signInUnderWay(token)).toMatchObject(ok({ mailDelayed: false }));
    delayed.push(accountId);
    expect(await slow.identity.signInUnderWay(token)).toMatchObject(ok({ methods: ["email"], mailDelayed: true }));
  });

  test("login() stores the code nowhere in the clear", async () => {
    const spoken = identityWorld({ newCode: () => "the code in the clear" });
    await spoken.identity.register(ALICE, at(HOME));
    const token = await spoken.login();
    const user = await spoken.userOf(ALICE.email);
    const session = await spoken.transaction(({ sessions }) =>
      sessions.findLiving(spoken.hashToken(token), spoken.now()),
    );
    const challenge = await spoken.transaction(({ loginCodes }) => loginCodes.find(session?.challengeId ?? ""));
    expect(challenge?.mac).toBeString();
    const stored = JSON.stringify([await spoken.published(), challenge, session, user]);
    expect(stored).not.toContain(await spoken.code());
    expect(stored).not.toContain(token);
  });

  test("login() returns the same for a wrong password and for an unknown email", async () => {
    expect(await world.identity.login(WRONG, at(HOME))).toEqual(fail("CREDENTIALS_INVALID"));
    expect(await world.identity.login({ ...RIGHT, email: "nobody@example.com" }, at(HOME))).toEqual(
      fail("CREDENTIALS_INVALID"),
    );
    expect(await world.mails()).toEqual([]);
  });

  test("login() ends the browser's previous session", async () => {
    const former = await world.signIn();
    await world.identity.login(RIGHT, at(HOME, former));
    expect(await world.identity.sessionOf(former)).toBeUndefined();
  });

  test("login() reuses a just mailed code for a second attempt, and mails a new one after a minute", async () => {
    const first = await world.login();
    const second = await world.login();
    expect(await world.mails()).toHaveLength(1);
    expect((await world.identity.verifyCode({ code: await world.code() }, at(HOME, second))).ok).toBe(true);
    expect(await world.identity.sessionOf(first)).toBeUndefined();

    await world.login();
    world.pass({ seconds: 60 });
    await world.login();
    expect(await world.mails()).toHaveLength(3);
  });

  test("login() mails at most five codes an hour while none is entered, with the same response", async () => {
    await world.signIn();
    const before = (await world.mails()).length;
    for (let i = 0; i < 5; i++) {
      await world.login();
      world.pass({ minutes: 11 });
    }
    expect(await world.mails()).toHaveLength(before + 5);
    const token = await world.login();
    expect(await world.mails()).toHaveLength(before + 5);
    expect(await world.identity.verifyCode({ code: await world.code() }, at(HOME, token))).toEqual(
      fail("CODE_INVALID"),
    );
    expect(await world.identity.resendCode(token, { ip: HOME })).toEqual(
      fail("CODE_RESEND_TOO_SOON", { retryAfter: 300 }),
    );
    world.pass({ minutes: 5 });
    expect(await world.identity.resendCode(token, { ip: HOME })).toEqual(ok({ retryAfter: 60 }));
  });

  test("login() mails immediately after each completed log-in", async () => {
    for (let i = 0; i < 12; i++) await world.signIn();
    expect((await world.mails()).filter(({ template }) => template === "login_code")).toHaveLength(12);
  });

  test("login() keeps at most 20 partial sessions per account", async () => {
    const tokens: string[] = [];
    for (let i = 0; i < 21; i++) {
      tokens.push(await world.login());
      world.pass({ ms: 1 });
    }
    expect(await world.identity.sessionOf(tokens[0] ?? "")).toBeUndefined();
    expect(await world.identity.sessionOf(tokens[1] ?? "")).toBeDefined();
  });

  test("login() rehashes when the stored hash has old parameters", async () => {
    const outdated = identityWorld({
      passwords: {
        hash: async (password) => ok(`new:${password}`),
        verify: async (password, hash) => ok({ matches: hash === `old:${password}`, outdated: true }),
      },
    });
    await outdated.identity.register(ALICE, at(HOME));
    const user = await outdated.userOf(ALICE.email);
    await outdated.transaction(({ users }) =>
      users.replacePasswordHash(user?.id ?? "", user?.passwordHash ?? "", `old:${ALICE.password}`),
    );
    await outdated.login();
    expect((await outdated.userOf(ALICE.email))?.passwordHash).toBe(`new:${ALICE.password}`);
  });

  test("login() returns BUSY and does not count the attempt when the hasher is full", async () => {
    const busy = fail("BUSY", { retryAfter: 2 });
    const { identity } = identityWorld({ passwords: { hash: async () => busy, verify: async () => busy } });
    for (let i = 0; i < 12; i++) expect(await identity.login(RIGHT, at(HOME))).toEqual(busy);
  });
});

describe("the password lock", () => {
  test("login() locks an IP address for an hour after ten wrong passwords, for every account", async () => {
    for (let i = 0; i < 10; i++) {
      expect(await world.identity.login({ ...WRONG, email: `user${i}@example.com` }, at(HOME))).toEqual(
        fail("CREDENTIALS_INVALID"),
      );
    }
    expect(await world.identity.login(RIGHT, at(HOME))).toEqual(fail("LOCKED", { retryAfter: 3600 }));
    world.pass({ minutes: 59, seconds: 59 });
    expect(await world.identity.login(RIGHT, at(HOME))).toEqual(fail("LOCKED", { retryAfter: 1 }));
    world.pass({ seconds: 1 });
    expect((await world.identity.login(RIGHT, at(HOME))).ok).toBe(true);
  });

  test("login() resets the wrong passwords of an IP address after 15 minutes", async () => {
    for (let i = 0; i < 9; i++) await world.identity.login({ ...WRONG, email: `user${i}@example.com` }, at(HOME));
    world.pass({ minutes: 15 });
    for (let i = 0; i < 9; i++) await world.identity.login({ ...WRONG, email: `user${i}@example.com` }, at(HOME));
    expect((await world.identity.login(RIGHT, at(HOME))).ok).toBe(true);
  });

  test.each([ALICE.email, "nobody@example.com"])(
    "login() locks %s for an hour after ten wrong passwords from anywhere",
    async (email) => {
      for (let i = 0; i < 10; i++) {
        expect(await world.identity.login({ ...WRONG, email }, at(`198.51.100.${i}`))).toEqual(
          fail("CREDENTIALS_INVALID"),
        );
      }
      expect(await world.identity.login({ ...RIGHT, email }, at(HOME))).toEqual(fail("LOCKED", { retryAfter: 3600 }));
      expect((await world.identity.login({ email: BOB.email, password: BOB.password }, at(HOME))).ok).toBe(true);
    },
  );

  test("login() resets the account's counter on success, but never the IP address'", async () => {
    for (let i = 0; i < 9; i++) await world.identity.login(WRONG, at(HOME));
    await world.login();
    expect(await world.identity.login(WRONG, at(HOME))).toEqual(fail("CREDENTIALS_INVALID"));
    expect(await world.identity.login(RIGHT, at(HOME))).toMatchObject({ code: "LOCKED" });
    for (let i = 0; i < 8; i++) await world.identity.login(WRONG, at("198.51.100.7"));
    expect((await world.identity.login(RIGHT, at("198.51.100.8"))).ok).toBe(true);
  });

  test("login() locks no address for correct passwords, however many", async () => {
    for (let i = 0; i < 30; i++) await world.signIn(i % 2 ? ALICE : BOB);
    expect((await world.identity.login(RIGHT, at(HOME))).ok).toBe(true);
  });

  test("login() evaluates ten of 200 concurrent wrong passwords", async () => {
    let evaluated = 0;
    const counting = identityWorld({
      passwords: {
        hash: async () => ok("hash"),
        async verify() {
          evaluated++;
          return ok({ matches: false, outdated: false });
        },
      },
    });
    await Promise.all(
      Array.from({ length: 200 }, (_, i) => counting.identity.login(WRONG, at(`10.0.${i >> 4}.${i & 15}`))),
    );
    expect(evaluated).toBe(10);
  });
});
