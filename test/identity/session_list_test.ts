import { beforeEach, describe, expect, test } from "bun:test";
import { createIdentity } from "../../src/identity/mod.ts";
import { fail, ok } from "../../src/shared/result.ts";
import { ALICE, BOB, HOME, identityWorld } from "./identity_world.ts";

const device = { browser: "Firefox", system: "Linux" };
const WRONG = "Wr0ng-Password";

let world: ReturnType<typeof identityWorld>;

beforeEach(async () => {
  world = identityWorld();
  await world.identity.register(ALICE, { ip: "203.0.113.9" });
  await world.identity.register(BOB, { ip: "203.0.113.9" });
});

async function holderOf(token: string) {
  const session = await world.identity.sessionOf(token);
  if (!session) throw new Error("No session");
  return session;
}
const client = (token: string) => ({ ip: HOME, token });

describe("sessionsOf()", () => {
  test("sessionsOf() lists the account's full sessions, most recently used first, and marks the current one", async () => {
    const first = await world.complete(ALICE, { ip: HOME, device });
    world.pass({ minutes: 5 });
    const second = await world.signIn(ALICE, "2001:db8:1:2::3");
    await world.login();
    await world.signIn(BOB);
    const here = await holderOf(first.token);
    const listed = await world.identity.sessionsOf(here);
    const [noon, later] = ["2026-11-20T12:00:00.000Z", "2026-11-20T12:05:00.000Z"];
    expect(listed).toEqual(
      ok({
        sessions: expect.arrayContaining([
          {
            id: here.sessionId,
            current: true,
            ...device,
            ipPrefix: "192.0.2.0/24",
            createdAt: noon,
            lastSeenAt: later,
          },
          {
            id: (await holderOf(second)).sessionId,
            current: false,
            browser: null,
            system: null,
            ipPrefix: "2001:db8:1::/48",
            createdAt: later,
            lastSeenAt: later,
          },
        ]),
      }),
    );
    expect(listed.ok && listed.value.sessions).toHaveLength(2);
  });
});

describe("endSession()", () => {
  test("endSession() ends one of two sessions immediately", async () => {
    const [here, there] = [await world.signIn(), await world.signIn()];
    const { accountId } = await holderOf(here);
    const { sessionId: id } = await holderOf(there);
    expect(await world.identity.endSession({ accountId, id }, client(here))).toEqual(ok());
    expect(await world.identity.sessionOf(there)).toBeUndefined();
    expect(await world.identity.sessionOf(here)).toBeDefined();
    expect(await world.identity.endSession({ accountId, id }, client(here))).toEqual(fail("NOT_FOUND"));
  });

  test("endSession() does not find another account's session, and logs no event", async () => {
    const [alice, bob] = [await world.signIn(), await world.signIn(BOB)];
    const { accountId } = await holderOf(alice);
    const { sessionId: id } = await holderOf(bob);
    expect(await world.identity.endSession({ accountId, id }, client(alice))).toEqual(fail("NOT_FOUND"));
    expect(await world.identity.sessionOf(bob)).toBeDefined();
    const log = await world.transaction(({ audit }) => audit.list(accountId, new Date(0), 100));
    expect(log.map(({ event }) => event)).not.toContain("session_ended");
  });
});

describe("endOtherSessions()", () => {
  test("endOtherSessions() ends all but this one, including pending log-ins, and no other account's", async () => {
    const [here, there, bob] = [await world.signIn(), await world.signIn(), await world.signIn(BOB)];
    const halfWay = await world.login();
    expect(await world.identity.endOtherSessions(await holderOf(here), client(here))).toMatchObject(ok({ ended: 1 }));
    for (const token of [there, halfWay]) expect(await world.identity.sessionOf(token)).toBeUndefined();
    for (const token of [here, bob]) expect(await world.identity.sessionOf(token)).toBeDefined();
    const { accountId } = await holderOf(here);
    const [last] = await world.transaction(({ audit }) => audit.list(accountId, new Date(0), 1));
    expect(last).toMatchObject({ event: "other_sessions_ended", detail: { ended: "1" } });
  });

  test("endOtherSessions() leaves one of two browsers that end each other concurrently", async () => {
    const tokens = [await world.signIn(), await world.signIn()];
    const holders = await Promise.all(tokens.map(holderOf));
    const ended = await Promise.all(
      holders.map((holder) => world.identity.endOtherSessions(holder, { ip: HOME, token: undefined })),
    );
    expect(ended).toMatchObject([ok({ ended: 1 }), fail("SESSION_EXPIRED")]);
  });
});

describe("confirmPassword()", () => {
  async function confirm(token: string, password = ALICE.password) {
    return world.identity.confirmPassword({ ...(await holderOf(token)), password }, client(token));
  }

  test("confirmPassword() is valid for 15 minutes, and the session continues under a new token", async () => {
    const token = await world.signIn();
    world.pass({ minutes: 15 });
    const before = await holderOf(token);
    expect(before.confirmed).toBe(false);
    const renewed = await confirm(token);
    if (!renewed.ok) throw new Error(renewed.code);
    expect(renewed.value.cookieSeconds).toBe(7 * 24 * 3600 - 15 * 60);
    expect(await world.identity.sessionOf(token)).toBeUndefined();
    expect(await holderOf(renewed.value.token)).toEqual({ ...before, confirmed: true });
    world.pass({ minutes: 14, seconds: 59 });
    expect((await holderOf(renewed.value.token)).confirmed).toBe(true);
    world.pass({ seconds: 1 });
    expect((await holderOf(renewed.value.token)).confirmed).toBe(false);
  });

  test("confirmPassword() with a wrong password confirms nothing and is logged", async () => {
    const token = await world.signIn();
    world.pass({ minutes: 20 });
    expect(await confirm(token, WRONG)).toEqual(fail("PASSWORD_WRONG", { fields: { password: "PASSWORD_WRONG" } }));
    const { accountId, confirmed } = await holderOf(token);
    expect(confirmed).toBe(false);
    const [last] = await world.transaction(({ audit }) => audit.list(accountId, new Date(0), 1));
    expect(last).toMatchObject({ event: "password_wrong", detail: { by: "confirm" }, ipPrefix: "192.0.2.0/24" });
  });

  test("confirmPassword() locks only itself, for an hour, after ten wrong ones", async () => {
    const [token, other] = [await world.signIn(), await world.signIn()];
    for (let i = 0; i < 10; i++) await confirm(token, WRONG);
    expect(await confirm(token)).toEqual(fail("LOCKED", { retryAfter: 3600 }));
    const { accountId } = await holderOf(token);
    const [last] = await world.transaction(({ audit }) => audit.list(accountId, new Date(0), 1));
    expect(last).toMatchObject({ event: "locked", detail: { by: "confirm" } });
    expect((await confirm(other)).ok).toBe(true);
    expect(await world.signIn()).toBeString();
    world.pass({ hours: 1 });
    expect((await confirm(token)).ok).toBe(true);
  });

  test("confirmPassword() resets the counter after a correct one", async () => {
    let token = await world.signIn();
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 9; i++) await confirm(token, WRONG);
      const renewed = await confirm(token);
      if (!renewed.ok) throw new Error(renewed.code);
      ({ token } = renewed.value);
    }
  });

  test("confirmPassword() evaluates ten of 200 concurrent wrong ones", async () => {
    let evaluated = 0;
    const verify = async () => {
      evaluated++;
      return ok({ matches: false, outdated: false });
    };
    const token = await world.signIn();
    const holder = await holderOf(token);
    const counting = createIdentity({ ...world, passwords: { ...world.passwords, verify } });
    await Promise.all(
      Array.from({ length: 200 }, () => counting.confirmPassword({ ...holder, password: WRONG }, client(token))),
    );
    expect(evaluated).toBe(10);
  });

  test("confirmPassword() renews once for two concurrent calls, and counts nothing while the hasher is busy", async () => {
    const token = await world.signIn();
    const holder = { ...(await holderOf(token)), password: ALICE.password };
    const answers = await Promise.all([1, 2].map(() => world.identity.confirmPassword(holder, client(token))));
    expect(answers.map((answer) => (answer.ok ? "ok" : answer.code))).toEqual(["ok", "SESSION_EXPIRED"]);

    const busy = fail("BUSY", { retryAfter: 2 });
    const full = createIdentity({ ...world, passwords: { hash: async () => busy, verify: async () => busy } });
    for (let i = 0; i < 12; i++) expect(await full.confirmPassword(holder, client(token))).toEqual(busy);
  });

  test("confirmPassword() refuses the token of another account's session", async () => {
    const [alice, bob] = [await world.signIn(), await world.signIn(BOB)];
    const holder = { ...(await holderOf(alice)), password: ALICE.password };
    expect(await world.identity.confirmPassword(holder, client(bob))).toEqual(fail("SESSION_EXPIRED"));
    expect(await world.identity.sessionOf(bob)).toBeDefined();
  });
});
