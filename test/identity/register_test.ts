import { describe, expect, test } from "bun:test";
import { passwordHasher } from "../../src/identity/adapters/secrets/password_hasher.ts";
import { fail, ok } from "../../src/shared/result.ts";
import { ALICE, BOB, HOME, identityWorld } from "./identity_world.ts";

const from = (ip: string) => ({ ip });

describe("register()", () => {
  test("register() stores an unverified account and publishes it", async () => {
    const { identity, userOf, published, now } = identityWorld();
    expect(await identity.register({ ...ALICE, companyName: "Meyer AG" }, from(HOME))).toEqual(
      ok({ email: ALICE.email }),
    );
    const user = await userOf(ALICE.email);
    expect(user).toMatchObject({
      firstName: "Alice",
      lastName: "Meyer",
      companyName: "Meyer AG",
      language: "de",
      createdAt: now(),
      verifiedAt: undefined,
    });
    expect(await published()).toEqual([
      { type: "identity.registered", accountId: user?.id ?? "", email: ALICE.email, language: "de" },
    ]);
    expect(await identity.accountOf(user?.id ?? "")).toEqual({
      email: ALICE.email,
      language: "de",
      firstName: "Alice",
      lastName: "Meyer",
      network: undefined,
      verified: false,
    });
  });

  test("register() stores no plaintext password with the real hasher", async () => {
    const { identity, userOf } = identityWorld({ passwords: passwordHasher() });
    await identity.register(ALICE, from(HOME));
    expect((await userOf(ALICE.email))?.passwordHash).toStartWith("$argon2id$v=19$m=19456,t=2,p=1$");
  });

  test.each([
    ["PASSWORD_SIMILAR_EMAIL", { email: "gardener@example.com", password: "Gardener2026" }],
    ["PASSWORD_SIMILAR_FIRST_NAME", { firstName: "Wilhelmina", password: "Wilhelmina26" }],
    ["PASSWORD_SIMILAR_LAST_NAME", { lastName: "Vanderbilt", password: "Vanderbilt26" }],
    ["PASSWORD_TOO_COMMON", { password: "Sunshine1" }],
  ] as const)("register() answers %s at the password field", async (code, changed) => {
    const { identity, userOf } = identityWorld();
    expect(await identity.register({ ...ALICE, ...changed }, from(HOME))).toEqual(
      fail("INVALID_INPUT", { fields: { password: code } }),
    );
    expect(await userOf(ALICE.email)).toBeUndefined();
  });

  test("register() refuses a verified email, at its field", async () => {
    const world = identityWorld();
    await world.identity.register(ALICE, from(HOME));
    await world.signIn();
    const before = await world.userOf(ALICE.email);
    const again = await world.identity.register({ ...ALICE, firstName: "Mallory" }, from(HOME));
    expect(again).toEqual(fail("EMAIL_TAKEN", { fields: { email: "EMAIL_TAKEN" } }));
    expect(await world.userOf(ALICE.email)).toEqual(before);
  });

  test("register() replaces an unverified account and everything that depends on it", async () => {
    const world = identityWorld();
    await world.identity.register(ALICE, from(HOME));
    const former = await world.userOf(ALICE.email);
    const partial = await world.login();
    const code = await world.code();

    expect(await world.identity.register({ ...ALICE, password: "Other-Tr4in-Seat" }, from(HOME))).toEqual(
      ok({ email: ALICE.email }),
    );
    const user = await world.userOf(ALICE.email);
    expect(user?.id).not.toBe(former?.id);
    expect(user?.passwordHash).not.toBe(former?.passwordHash);
    expect((await world.published()).filter(({ type }) => type !== "mail.requested")).toEqual([
      { type: "identity.registered", accountId: former?.id ?? "", email: ALICE.email, language: "de" },
      { type: "identity.deleted", accountId: former?.id ?? "" },
      { type: "identity.registered", accountId: user?.id ?? "", email: ALICE.email, language: "de" },
    ]);
    expect(await world.identity.sessionOf(partial)).toBeUndefined();
    expect(await world.identity.verifyCode({ code }, { ip: HOME, token: partial })).toEqual(fail("CODE_INVALID"));
  });

  test.each([false, true])(
    "register() lets one of ten concurrent registrations win (unverified account present: %p)",
    async (isThere) => {
      const world = identityWorld();
      if (isThere) await world.identity.register(ALICE, from(HOME));
      const before = (await world.published()).length;
      const tries = Array.from({ length: 10 }, (_, i) => world.identity.register(ALICE, from(`198.51.100.${i}`)));
      const codes = (await Promise.all(tries)).map((result) => (result.ok ? "ok" : result.code));
      expect(codes.toSorted()).toEqual([...Array(9).fill("EMAIL_TAKEN"), "ok"]);
      expect(await world.published()).toHaveLength(before + (isThere ? 2 : 1));
    },
  );

  test("register() allows ten attempts per client and hour, not counting those with an invalid password", async () => {
    const { identity, pass } = identityWorld();
    for (let i = 0; i < 20; i++) await identity.register({ ...ALICE, password: "Sunshine1" }, from("2001:db8::1"));
    for (let i = 0; i < 10; i++)
      await identity.register({ ...ALICE, email: `alice${i}@example.com` }, from(`2001:db8::${i}`));
    pass({ minutes: 20 });
    expect(await identity.register(BOB, from("2001:db8::ffff"))).toEqual(fail("RATE_LIMITED", { retryAfter: 40 * 60 }));
    expect((await identity.register(BOB, from("2001:db8:0:1::1"))).ok).toBe(true);
    pass({ minutes: 40 });
    expect((await identity.register({ ...ALICE, email: "late@example.com" }, from("2001:db8::1"))).ok).toBe(true);
  });

  test("register() returns BUSY and does not count the attempt when the hasher is full", async () => {
    const busy = fail("BUSY", { retryAfter: 2 });
    const { identity } = identityWorld({ passwords: { hash: async () => busy, verify: async () => busy } });
    for (let i = 0; i < 12; i++) expect(await identity.register(ALICE, from(HOME))).toEqual(busy);
  });
});

describe("cleanUp()", () => {
  test("cleanUp() removes an account that is still unverified after a week, and no other", async () => {
    const world = identityWorld();
    await world.identity.register(ALICE, from(HOME));
    await world.identity.register(BOB, from(HOME));
    await world.signIn(BOB);
    const alice = await world.userOf(ALICE.email);
    world.pass({ hours: 7 * 24 });
    await world.identity.cleanUp();
    expect(await world.userOf(ALICE.email)).toBeDefined();
    world.pass({ ms: 1 });
    await world.identity.cleanUp();
    expect(await world.userOf(ALICE.email)).toBeUndefined();
    expect(await world.userOf(BOB.email)).toBeDefined();
    expect((await world.published()).at(-1)).toEqual({ type: "identity.deleted", accountId: alice?.id ?? "" });
  });
});
