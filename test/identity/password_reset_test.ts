import { beforeEach, describe, expect, test } from "bun:test";
import { fail, ok } from "../../src/shared/result.ts";
import { ALICE, BOB, HOME, identityWorld } from "./identity_world.ts";

const NEW = "Quiet-River-9-Boat";
const INVALID = fail("RESET_LINK_INVALID");

let world: ReturnType<typeof identityWorld>;

beforeEach(async () => {
  world = identityWorld();
  await world.identity.register(ALICE, { ip: "203.0.113.9" });
  await world.identity.register(BOB, { ip: "203.0.113.9" });
  await world.signIn(ALICE, "203.0.113.10");
});

const links = async () => (await world.mails()).filter(({ template }) => template === "password_reset");
const reset = (token: string, password = NEW) => world.identity.resetPassword({ token, password }, { ip: HOME });

describe("forgotPassword()", () => {
  test("forgotPassword() mails a sealed link to a verified account, in its language, valid for an hour", async () => {
    expect(await world.forgot()).toEqual(ok({ email: ALICE.email }));
    const [mail, ...more] = await links();
    expect(more).toEqual([]);
    expect(mail).toEqual({
      type: "mail.requested",
      to: ALICE.email,
      language: "de",
      template: "password_reset",
      params: { minutes: "60" },
      sealed: mail?.sealed ?? "",
      accountId: (await world.userOf(ALICE.email))?.id ?? "",
      notAfter: "2026-11-20T13:00:00.000Z",
    });
    const token = await world.resetToken();
    expect(JSON.stringify(await world.published())).not.toContain(token);
    const stored = await world.transaction(({ resetTokens }) =>
      resetTokens.findLiving(world.hashToken(token), world.now()),
    );
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  test.each([
    ["a verified account", ALICE.email],
    ["an unverified one", BOB.email],
    ["nobody", "nobody@example.com"],
  ])("forgotPassword() does and returns the same for %s", async (_, email) => {
    let transactions = 0;
    const counting = identityWorld();
    await counting.identity.register(ALICE, { ip: HOME });
    await counting.identity.register(BOB, { ip: HOME });
    await counting.signIn();
    const before = (await counting.published()).length;
    const { identity } = identityWorld({
      transaction: (work) => {
        transactions++;
        return counting.transaction(work);
      },
    });
    const device = { browser: "Firefox", system: "Linux" };
    expect(await identity.forgotPassword({ email }, { ip: HOME, device })).toEqual(ok({ email }));
    expect(transactions).toBe(1);
    const published = (await counting.published()).slice(before);
    const [requestedAt, from] = [counting.now().toISOString(), { ipPrefix: "192.0.2.0/24", device }];
    expect(published).toEqual([{ type: "identity.resetRequested", email, requestedAt, from }]);
  });

  test("forgotPassword() mails nothing to an unknown or unverified address", async () => {
    await world.forgot("nobody@example.com");
    await world.forgot(BOB.email);
    expect(await links()).toEqual([]);
  });

  test("forgotPassword() accepts ten requests an hour from one address, whatever the email", async () => {
    for (let i = 0; i < 10; i++) expect((await world.forgot(`user${i}@example.com`)).ok).toBe(true);
    expect(await world.forgot()).toEqual(fail("RATE_LIMITED", { retryAfter: 3600 }));
    expect((await world.forgot(ALICE.email, "198.51.100.1")).ok).toBe(true);
    world.pass({ hours: 1 });
    expect((await world.forgot()).ok).toBe(true);
  });

  test("forgotPassword() mails five links an hour to an account, with the same response afterwards", async () => {
    for (let i = 0; i < 7; i++) {
      world.pass({ seconds: 1 });
      expect(await world.forgot(ALICE.email, `198.51.100.${i}`)).toEqual(ok({ email: ALICE.email }));
    }
    expect(await links()).toHaveLength(5);
    expect(await world.identity.checkResetLink(await world.resetToken())).toEqual(ok());
    world.pass({ hours: 1 });
    await world.forgot();
    expect(await links()).toHaveLength(6);
  });

  test("forgotPassword() works while log-ins are locked, and a new password lifts the account's lock", async () => {
    const wrong = { email: ALICE.email, password: "Wr0ng-Password" };
    for (let i = 0; i < 11; i++) await world.identity.login(wrong, { ip: HOME, token: undefined });
    expect(await world.identity.login(wrong, { ip: "198.51.100.9", token: undefined })).toMatchObject({
      code: "LOCKED",
    });
    await world.forgot();
    expect(await reset(await world.resetToken())).toEqual(ok());
    const login = { email: ALICE.email, password: NEW };
    expect((await world.identity.login(login, { ip: "198.51.100.9", token: undefined })).ok).toBe(true);
    expect(await world.identity.login(login, { ip: HOME, token: undefined })).toMatchObject({ code: "LOCKED" });
  });

  test("onResetRequested() mails one link however often the event is delivered, and none for a superseded request", async () => {
    const email = ALICE.email;
    const at = (ms: number) => new Date(world.now().getTime() + ms).toISOString();
    const request = (ms: number) =>
      world.identity.onResetRequested({ type: "identity.resetRequested", email, requestedAt: at(ms) });
    await request(1);
    await request(1);
    await request(0);
    expect(await links()).toHaveLength(1);
  });
});

describe("resetPassword()", () => {
  test("resetPassword() changes the password, opens no session and notifies the owner", async () => {
    await world.forgot();
    world.pass({ minutes: 5 });
    expect(await reset(await world.resetToken())).toEqual(ok());
    expect((await world.mails()).at(-1)).toEqual({
      type: "mail.requested",
      to: ALICE.email,
      language: "de",
      template: "password_changed",
      params: { changedAt: "2026-11-20T12:05:00.000Z", loggedOut: "all" },
      accountId: (await world.userOf(ALICE.email))?.id ?? "",
    });
    const before = { email: ALICE.email, password: ALICE.password };
    expect(await world.identity.login(before, { ip: HOME, token: undefined })).toEqual(fail("CREDENTIALS_INVALID"));
    expect(await world.login({ ...ALICE, password: NEW })).toBeString();
  });

  test("resetPassword() ends every session, partial or full, and voids the mailed code", async () => {
    const full = await world.signIn();
    const partial = await world.login();
    const code = await world.code();
    const bobs = await world.signIn(BOB);
    await world.forgot();
    await reset(await world.resetToken());
    for (const token of [full, partial]) expect(await world.identity.sessionOf(token)).toBeUndefined();
    expect(await world.identity.verifyCode({ code }, { ip: HOME, token: partial })).toEqual(fail("CODE_INVALID"));
    expect(await world.identity.resendCode(partial, { ip: HOME })).toEqual(fail("SESSION_EXPIRED"));
    expect(await world.identity.sessionOf(bobs)).toBeDefined();
  });

  test.each([
    [{ minutes: 59, seconds: 59 }, ok()],
    [{ minutes: 60 }, INVALID],
    [{ minutes: 60, seconds: 1 }, INVALID],
  ])("resetPassword() and checkResetLink() after %p", async (passed, answer) => {
    await world.forgot();
    const token = await world.resetToken();
    world.pass(passed);
    expect(await world.identity.checkResetLink(token)).toEqual(answer);
    expect(await reset(token)).toEqual(answer);
  });

  test("resetPassword() accepts a link once", async () => {
    await world.forgot();
    const token = await world.resetToken();
    expect(await reset(token)).toEqual(ok());
    expect(await world.identity.checkResetLink(token)).toEqual(INVALID);
    expect(await reset(token, "Other-River-8-Boat")).toEqual(INVALID);
  });

  test("resetPassword() accepts the newest link only", async () => {
    await world.forgot();
    const first = await world.resetToken();
    world.pass({ seconds: 1 });
    await world.forgot();
    const second = await world.resetToken();
    expect(await reset(first)).toEqual(INVALID);
    expect(await reset(second)).toEqual(ok());
  });

  test.each(["", "unknown", "x".repeat(10_000)])(
    "resetPassword() rejects any other link, such as %p",
    async (token) => {
      await world.forgot();
      expect(await reset(token)).toEqual(INVALID);
      expect(await world.identity.checkResetLink(token)).toEqual(INVALID);
    },
  );

  test.each([
    ["Sunshine1", "PASSWORD_TOO_COMMON"],
    ["Alice@Example.com1", "PASSWORD_SIMILAR_EMAIL"],
    ["Meyer-River-9", "PASSWORD_SIMILAR_LAST_NAME"],
  ] as const)("resetPassword() refuses %p and leaves the link as it is", async (password, code) => {
    await world.forgot();
    const token = await world.resetToken();
    expect(await reset(token, password)).toEqual(fail("INVALID_INPUT", { fields: { password: code } }));
    expect(await reset(token)).toEqual(ok());
  });

  test("resetPassword() refuses the old password and keeps the link and the sessions", async () => {
    const full = await world.signIn();
    await world.forgot();
    const token = await world.resetToken();
    expect(await reset(token, ALICE.password)).toEqual(
      fail("PASSWORD_UNCHANGED", { fields: { password: "PASSWORD_UNCHANGED" } }),
    );
    expect(await world.identity.sessionOf(full)).toBeDefined();
    expect(await world.identity.checkResetLink(token)).toEqual(ok());
  });

  test("resetPassword() reveals nothing about a password without a valid link", async () => {
    expect(await reset("unknown", ALICE.password)).toEqual(INVALID);
    expect(await reset("unknown", "Sunshine1")).toEqual(INVALID);
  });

  test("resetPassword() compares a hundred passwords an hour, however often the link is used", async () => {
    await world.forgot();
    const token = await world.resetToken();
    for (let i = 0; i < 100; i++) await reset(token, "Sunshine1");
    expect(await reset(token)).toEqual(fail("RATE_LIMITED", { retryAfter: 3600 }));
  });

  test("resetPassword() returns BUSY and keeps the link when the hasher is full", async () => {
    await world.forgot();
    const token = await world.resetToken();
    const busy = fail("BUSY", { retryAfter: 2 });
    const { transaction } = world;
    const full = identityWorld({ transaction, passwords: { hash: async () => busy, verify: async () => busy } });
    expect(await full.identity.resetPassword({ token, password: NEW }, { ip: HOME })).toEqual(busy);
    expect(await reset(token)).toEqual(ok());
  });

  test("cleanUp() keeps valid links and deletes old ones", async () => {
    await world.forgot();
    const token = await world.resetToken();
    const stored = () =>
      world.transaction(({ resetTokens }) => resetTokens.findLiving(world.hashToken(token), new Date(0)));
    world.pass({ minutes: 59 });
    await world.identity.cleanUp();
    expect(await world.identity.checkResetLink(token)).toEqual(ok());
    world.pass({ minutes: 1 });
    await world.identity.cleanUp();
    expect(await stored()).toBeUndefined();
  });
});
