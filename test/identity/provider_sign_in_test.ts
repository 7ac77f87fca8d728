import { beforeEach, describe, expect, test } from "bun:test";
import { WRONG_CODES_MAX } from "../../src/identity/sign_in/attempts.ts";
import { ALICE, BOB, HOME } from "./identity_world.ts";
import { AT_GOOGLE, AT_MICROSOFT, providerWorld } from "./provider_world.ts";

let world: ReturnType<typeof providerWorld>;

beforeEach(async () => {
  world = providerWorld();
});

/** Alice has an account with a verified email. */
async function aliceIsThere(): Promise<string> {
  await world.identity.register(ALICE, { ip: HOME });
  return world.signIn();
}
const codes = async () => (await world.mails()).filter(({ template }) => template === "login_code").length;
const refused = { ok: false, code: "PROVIDER_REFUSED" } as const;

describe("finishProvider() when logging in", () => {
  test("leads a verified email to its account's second step, and links after the code", async () => {
    await aliceIsThere();
    const before = await codes();
    world.pass({ minutes: 2 });
    const result = await world.visit(AT_GOOGLE);
    expect(result).toEqual({
      ok: true,
      value: { outcome: "second_step", email: ALICE.email, methods: ["email"], token: expect.any(String) },
    });
    if (!result.ok || result.value.outcome !== "second_step") throw new Error("unreachable");
    const { token } = result.value;
    expect(await world.identity.sessionOf(token)).toMatchObject({ level: "partial", confirmed: false });
    expect(await codes()).toBe(before + 1);
    expect(await world.links()).toEqual([]);

    const wrong = await world.identity.verifyCode({ code: world.wrong(await world.code()) }, { ip: HOME, token });
    expect(wrong.ok).toBe(false);
    expect(await world.links()).toEqual([]);
    const verified = await world.identity.verifyCode({ code: await world.code() }, { ip: HOME, token });
    if (!verified.ok) throw new Error(verified.code);
    // The provider replaces the password only for log-in: it was not typed.
    expect(await world.identity.sessionOf(verified.value.token)).toMatchObject({
      level: "authenticated",
      confirmed: false,
    });
    expect(await world.links()).toMatchObject([{ provider: "google", subject: AT_GOOGLE.subject, email: ALICE.email }]);
    expect(await world.trail()).toEqual(["alice@example.com provider_linked google"]);
  });

  test("recognises a linked identity whatever its current email, and still asks for the code", async () => {
    const token = await aliceIsThere();
    expect(await world.visit(AT_GOOGLE, { purpose: "link", token })).toMatchObject({ ok: true });
    world.pass({ minutes: 2 });
    const renamed = { ...AT_GOOGLE, email: BOB.email, emailVerified: false };
    expect(await world.visit(renamed)).toMatchObject({ value: { outcome: "second_step", email: ALICE.email } });
  });

  test("leads an unknown verified email to registration", async () => {
    expect(await world.visit(AT_GOOGLE)).toEqual({
      ok: true,
      value: { outcome: "no_account", profile: { email: ALICE.email, firstName: "Alice", lastName: "Meyer" } },
    });
    expect(await world.mails()).toEqual([]);
  });

  test("gives access to no account that was registered with the email but never verified", async () => {
    await world.identity.register(ALICE, { ip: HOME });
    expect(await world.visit(AT_GOOGLE)).toMatchObject({ value: { outcome: "no_account" } });
    expect(await world.mails()).toEqual([]);
  });

  test.each([
    ["Microsoft, whose email is anybody's", AT_MICROSOFT, "microsoft"],
    ["Google, where the email is not verified", { ...AT_GOOGLE, emailVerified: false }, "google"],
    ["Google, where the email is none", { ...AT_GOOGLE, email: "alice" }, "google"],
  ] as const)(
    "returns the same with and without an account, and mails nothing, for %s",
    async (_, profile, provider) => {
      const unverified = { ok: false, code: "PROVIDER_EMAIL_UNVERIFIED" } as const;
      expect(await world.visit(profile, { provider })).toEqual(unverified);
      await aliceIsThere();
      const before = await world.published();
      world.pass({ minutes: 2 });
      expect(await world.visit(profile, { provider })).toEqual(unverified);
      expect(await world.published()).toEqual(before);
      expect(await world.links()).toEqual([]);
    },
  );

  test("accepts Microsoft once it is linked in the profile", async () => {
    const token = await aliceIsThere();
    await world.visit(AT_MICROSOFT, { provider: "microsoft", purpose: "link", token });
    world.pass({ minutes: 2 });
    expect(await world.visit(AT_MICROSOFT, { provider: "microsoft" })).toMatchObject({
      value: { outcome: "second_step", email: ALICE.email },
    });
  });

  test("refuses a second identity of the same provider with the same email", async () => {
    const token = await aliceIsThere();
    await world.visit(AT_GOOGLE, { purpose: "link", token });
    const heir = { ...AT_GOOGLE, subject: "who has the mailbox now" };
    expect(await world.visit(heir)).toEqual({ ok: false, code: "PROVIDER_ALREADY_LINKED" });
  });

  test("compares the normalised email", async () => {
    await aliceIsThere();
    world.pass({ minutes: 2 });
    const result = await world.visit({ ...AT_GOOGLE, email: " Alice@EXAMPLE.com" });
    expect(result).toMatchObject({ value: { outcome: "second_step", email: ALICE.email } });
  });

  test("requires a password reset after too many wrong codes, and mails no code", async () => {
    await aliceIsThere();
    const id = (await world.userOf(ALICE.email))?.id ?? "";
    await world.transaction(async ({ users }) => {
      for (let i = 0; i < WRONG_CODES_MAX; i++) await users.countWrongCode(id);
    });
    const before = await codes();
    world.pass({ minutes: 2 });
    expect(await world.visit(AT_GOOGLE)).toEqual({ ok: false, code: "PASSWORD_RESET_REQUIRED" });
    expect(await codes()).toBe(before);
  });

  test("ends the browser's previous session", async () => {
    const token = await aliceIsThere();
    world.pass({ minutes: 2 });
    expect(await world.visit(AT_GOOGLE, { token })).toMatchObject({ value: { outcome: "second_step" } });
    expect(await world.identity.sessionOf(token)).toBeUndefined();
  });
});

describe("finishProvider() with the browser's cookie", () => {
  test("logs nobody in with another visitor's link: no cookie, another's cookie, another state", async () => {
    await aliceIsThere();
    const { url, cookie } = await world.start("google");
    const answer = { provider: "google", ...world.peers.google.consent(url, AT_GOOGLE) } as const;
    const own = await world.start("google");
    for (const visit of [undefined, "", "forged", own.cookie, `${cookie.slice(0, -2)}AA`, world.cipher.encrypt("{}")])
      expect(await world.finish(answer, { visit })).toEqual(refused);
    for (const state of ["", "x", answer.state.toUpperCase(), `${answer.state}x`])
      expect(await world.finish({ ...answer, state }, { visit: cookie })).toEqual(refused);
    expect(world.peers.google.asked()).toBe(0);
  });

  test("accepts no other sealed value as a visit's cookie", async () => {
    const { url, cookie } = await world.start("google");
    const answer = { provider: "google", ...world.peers.google.consent(url, AT_GOOGLE) } as const;
    const { kind, ...rest } = JSON.parse(world.cipher.decrypt(cookie));
    expect(kind).toBe("provider_visit");
    for (const other of [rest, { ...rest, kind: "login_code" }])
      expect(await world.finish(answer, { visit: world.cipher.encrypt(JSON.stringify(other)) })).toEqual(refused);
  });

  test("does not accept the cookie of one provider for another", async () => {
    const { url, cookie } = await world.start("google");
    const { state } = world.peers.google.consent(url, AT_GOOGLE);
    const { code } = world.peers.microsoft.consent(url, AT_GOOGLE);
    expect(await world.finish({ provider: "microsoft", state, code }, { visit: cookie })).toEqual(refused);
  });

  test("rejects an unconfigured provider", async () => {
    const { cookie } = await world.start("google");
    const missing = { ok: false, code: "NOT_FOUND" } as const;
    expect(await world.identity.startProvider({ provider: "github", purpose: "sign_in" }, undefined)).toEqual(missing);
    expect(await world.finish({ provider: "github", state: "s", code: "c" }, { visit: cookie })).toEqual(missing);
  });

  test.each([
    [{ minutes: 9, seconds: 59, ms: 999 }, true],
    [{ minutes: 10 }, false],
  ])("allows just under ten minutes at the provider: %j", async (parts, isInTime) => {
    const { url, cookie } = await world.start("google");
    const answer = { provider: "google", ...world.peers.google.consent(url, AT_GOOGLE) } as const;
    world.pass(parts);
    expect((await world.finish(answer, { visit: cookie })).ok).toBe(isInTime);
  });

  test("logs in once, however often the response is repeated, even concurrently", async () => {
    await aliceIsThere();
    world.pass({ minutes: 2 });
    const { url, cookie } = await world.start("google");
    const answer = { provider: "google", ...world.peers.google.consent(url, AT_GOOGLE) } as const;
    const answers = await Promise.all([1, 2, 3, 4].map(() => world.finish(answer, { visit: cookie })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await world.finish(answer, { visit: cookie })).toEqual(refused);
  });

  test("is neutral when the user declines, and does not call the provider", async () => {
    const { url, cookie } = await world.start("google");
    const { state } = world.peers.google.consent(url, AT_GOOGLE);
    expect(await world.finish({ provider: "google", state }, { visit: cookie })).toEqual(refused);
    expect(world.peers.google.asked()).toBe(0);
  });

  test("reports that the provider does not respond", async () => {
    world.peers.google.goDown();
    expect(await world.visit(AT_GOOGLE)).toEqual({ ok: false, code: "PROVIDER_UNAVAILABLE" });
  });

  test("calls the provider ten times in 15 minutes per address, not counting successful log-ins", async () => {
    await aliceIsThere();
    const wrong = async (ip: string) => {
      const { url, cookie } = await world.start("google");
      const { state } = world.peers.google.consent(url, AT_GOOGLE);
      return world.finish({ provider: "google", state, code: "wrong" }, { visit: cookie, ip });
    };
    for (let i = 0; i < 9; i++) expect(await wrong(HOME)).toEqual(refused);
    for (let i = 0; i < 3; i++) expect((await world.visit(AT_GOOGLE)).ok).toBe(true);
    const parallel = await Promise.all([1, 2, 3, 4].map(() => wrong(HOME)));
    // The tenth is in progress: the others are told to retry shortly, when it will have failed.
    expect(parallel.filter((answer) => !answer.ok && answer.code === "BUSY" && answer.retryAfter === 1)).toHaveLength(
      3,
    );
    const asked = world.peers.google.asked();
    expect(await world.visit(AT_GOOGLE)).toMatchObject({ ok: false, code: "RATE_LIMITED", retryAfter: 900 });
    expect(world.peers.google.asked()).toBe(asked);
    expect(await wrong("192.0.2.2")).toEqual(refused);
    world.pass({ minutes: 15 });
    expect(await wrong(HOME)).toEqual(refused);
  });
});
