import { beforeEach, describe, expect, test } from "bun:test";
import { createIdentity } from "../../src/identity/mod.ts";
import { fail, ok } from "../../src/shared/result.ts";
import { ALICE, HOME, identityWorld } from "./identity_world.ts";

let world: ReturnType<typeof identityWorld>;

beforeEach(async () => {
  world = identityWorld();
  await world.identity.register(ALICE, { ip: HOME });
});

const row = (token: string) =>
  world.transaction(({ sessions }) => sessions.findLiving(world.hashToken(token), world.now()));

describe("sessionOf()", () => {
  test("sessionOf() rejects a token that was never issued", async () => {
    expect(await world.identity.sessionOf("planted")).toBeUndefined();
    expect(await world.identity.sessionOf("")).toBeUndefined();
  });

  test("sessionOf() ends a partial session after 15 minutes, used or not", async () => {
    const token = await world.login();
    world.pass({ minutes: 14, seconds: 59 });
    expect(await world.identity.sessionOf(token)).toMatchObject({ level: "partial" });
    world.pass({ seconds: 1 });
    expect(await world.identity.sessionOf(token)).toBeUndefined();
  });

  test("sessionOf() ends a full session after 24 idle hours", async () => {
    const token = await world.signIn();
    world.pass({ hours: 23, minutes: 59 });
    expect(await world.identity.sessionOf(token)).toMatchObject({ level: "authenticated", language: "de" });
    world.pass({ hours: 23, minutes: 59 });
    expect(await world.identity.sessionOf(token)).toBeDefined();
    world.pass({ hours: 24 });
    expect(await world.identity.sessionOf(token)).toBeUndefined();
  });

  test("sessionOf() ends a full session after seven days, however busy", async () => {
    const token = await world.signIn();
    for (let hour = 1; hour < 7 * 24; hour++) {
      world.pass({ hours: 1 });
      expect(await world.identity.sessionOf(token)).toBeDefined();
    }
    world.pass({ hours: 1 });
    expect(await world.identity.sessionOf(token)).toBeUndefined();
  });

  test("sessionOf() lets a session expire as idle if only a hidden page sends requests", async () => {
    const token = await world.signIn();
    for (let hour = 0; hour < 23; hour += 1) {
      world.pass({ hours: 1 });
      expect(await world.identity.sessionOf(token, true)).toBeDefined();
    }
    world.pass({ hours: 1 });
    expect(await world.identity.sessionOf(token, true)).toBeUndefined();
  });

  test("sessionOf() ends a strict full session after an idle hour, and after a day however busy", async () => {
    const strict = identityWorld({ sessionProfile: "strict" });
    await strict.identity.register(ALICE, { ip: HOME });
    const idle = await strict.signIn();
    const { token: busy, cookieSeconds } = await strict.complete();
    expect(cookieSeconds).toBe(24 * 3600);
    for (let halfHour = 1; halfHour < 48; halfHour++) {
      strict.pass({ minutes: 30 });
      expect(await strict.identity.sessionOf(busy)).toMatchObject({ level: "authenticated" });
      if (halfHour === 2) expect(await strict.identity.sessionOf(idle)).toBeUndefined();
    }
    strict.pass({ minutes: 30 });
    expect(await strict.identity.sessionOf(busy)).toBeUndefined();
  });

  test("sessionOf() ends sessions that exceed a profile that became strict, and no longer lists them", async () => {
    const token = await world.signIn();
    const session = await world.identity.sessionOf(token);
    if (!session) throw new Error("No session");
    const strict = createIdentity({ ...world, sessionProfile: "strict" });
    world.pass({ minutes: 59 });
    expect(await strict.sessionsOf(session)).toMatchObject({ value: { sessions: [{ current: true }] } });
    world.pass({ minutes: 1 });
    expect(await world.identity.sessionOf(token)).toBeDefined();
    world.pass({ hours: 1 });
    expect(await strict.sessionsOf(session)).toEqual(ok({ sessions: [] }));
    expect(await strict.sessionOf(token)).toBeUndefined();
  });

  test("sessionOf() records the last use at most once a minute", async () => {
    const token = await world.signIn();
    const start = world.now();
    world.pass({ seconds: 59 });
    await world.identity.sessionOf(token);
    expect((await row(token))?.lastSeenAt).toEqual(start);
    world.pass({ seconds: 1 });
    await world.identity.sessionOf(token);
    expect((await row(token))?.lastSeenAt).toEqual(world.now());
  });

  test("sessionOf() keeps the 20 newest sessions of an account", async () => {
    const tokens: string[] = [];
    for (let i = 0; i < 21; i++) {
      tokens.push(await world.signIn());
      world.pass({ seconds: 1 });
    }
    const living = await Promise.all(tokens.map((token) => world.identity.sessionOf(token)));
    expect(living.map((session) => session !== undefined)).toEqual([false, ...Array(20).fill(true)]);
  });

  test("sessionOf() needs no clean-up, and a clean-up removes no valid session", async () => {
    const partial = await world.login();
    world.pass({ minutes: 11 });
    await world.identity.cleanUp();
    expect(await world.identity.resendCode(partial, { ip: HOME })).toEqual(ok({ retryAfter: 60 }));
    const full = await world.signIn();
    await world.identity.cleanUp();
    expect(await world.identity.sessionOf(full)).toBeDefined();
    world.pass({ hours: 25 });
    await world.identity.cleanUp();
    expect(await world.identity.sessionOf(full)).toBeUndefined();
  });
});

test("accountOf() returns the network of the latest log-in, as a hash that is shared by one household's IPv6 addresses", async () => {
  const world = identityWorld();
  await world.identity.register(ALICE, { ip: HOME });
  const networkAfter = async (ip: string) => {
    const session = await world.identity.sessionOf(await world.signIn(ALICE, ip));
    return (await world.identity.accountOf(session?.accountId ?? ""))?.network;
  };
  const atHome = await networkAfter(HOME);
  expect(atHome).toBeString();
  expect(atHome).not.toContain(HOME);
  const household = await networkAfter("2001:db8:1:2::7");
  expect(household).not.toBe(atHome);
  expect(await networkAfter("2001:db8:1:2:ffff::8")).toBe(household);
  expect(await networkAfter(HOME)).toBe(atHome);
});

describe("logout()", () => {
  test("logout() ends only this session, immediately", async () => {
    const [here, there] = [await world.signIn(), await world.signIn()];
    expect(await world.identity.logout({ ip: HOME, token: here })).toEqual(ok({ url: undefined }));
    expect(await world.identity.sessionOf(here)).toBeUndefined();
    expect(await world.identity.sessionOf(there)).toBeDefined();
  });

  test("logout() succeeds without a session", async () => {
    expect(await world.identity.logout({ ip: HOME, token: undefined })).toEqual(ok({ url: undefined }));
    expect(await world.identity.logout({ ip: HOME, token: "planted" })).toEqual(ok({ url: undefined }));
  });
});

describe("accounts", () => {
  test("accountOf() and profileOf() return nothing for an unknown account", async () => {
    expect(await world.identity.accountOf(crypto.randomUUID())).toBeUndefined();
    expect(await world.identity.profileOf(crypto.randomUUID())).toEqual(fail("NOT_FOUND"));
  });

  test("profileOf() returns what the profile screen shows, and no hash", async () => {
    const user = await world.userOf(ALICE.email);
    const { firstName, lastName, email, language } = ALICE;
    expect(await world.identity.profileOf(user?.id ?? "")).toEqual(
      ok({
        firstName,
        lastName,
        email,
        language,
        companyName: null,
        staff: false,
        terms: { current: "2.0", accepted: "2.0" },
      }),
    );
  });
});
