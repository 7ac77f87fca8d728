import { beforeEach, describe, expect, test } from "bun:test";
import { sessionMarkOf } from "../../src/identity/account/audit.ts";
import type { Client } from "../../src/identity/mod.ts";
import { ALICE, BOB, HOME, identityWorld } from "./identity_world.ts";

const device = { browser: "Firefox", system: "Linux" };
const RIGHT = { email: ALICE.email, password: ALICE.password };
const FROM_HOME = { browser: "Firefox", system: "Linux", ipPrefix: "192.0.2.0/24" };
const NOBODYS = { browser: null, system: null };

let world: ReturnType<typeof identityWorld>;
let accountId: string;

beforeEach(async () => {
  world = identityWorld();
  await world.identity.register(ALICE, { ip: HOME, device });
  await world.identity.register(BOB, { ip: HOME });
  accountId = (await world.userOf(ALICE.email))?.id ?? "";
});

async function activity(client: Client = { ip: HOME, token: undefined }, of = accountId) {
  const result = await world.identity.activityOf({ accountId: of }, client);
  if (!result.ok) throw new Error("no activity");
  return result.value.events;
}
const happened = async () => (await activity()).map(({ event, detail }) => [event, detail]).toReversed();

describe("activityOf()", () => {
  test("activityOf() lists the beginning and completion of a log-in, and marks this session's events", async () => {
    const { token } = await world.complete(ALICE, { ip: HOME, device });
    world.pass({ seconds: 1 });
    const [signedIn, started, registered, ...more] = await activity({ ip: HOME, token });
    const at = "2026-11-20T12:00:00.000Z";
    expect(more).toEqual([]);
    const id = expect.any(String);
    expect(signedIn).toEqual({ id, at, event: "signed_in", ...FROM_HOME, current: true, detail: { by: "email" } });
    expect(started).toEqual({
      id,
      at,
      event: "sign_in_started",
      ...FROM_HOME,
      current: false,
      detail: { by: "password" },
    });
    expect(registered).toEqual({ id, at, event: "registered", ...FROM_HOME, current: false, detail: {} });
  });

  test("activityOf() lists failed attempts by step", async () => {
    await world.identity.login({ ...RIGHT, password: "Wr0ng-Password" }, { ip: "2001:db8:1:2::3", token: undefined });
    const token = await world.login();
    await world.identity.verifyCode({ code: world.wrong(await world.code()) }, { ip: HOME, token });
    expect((await happened()).slice(1)).toEqual([
      ["password_wrong", { by: "password" }],
      ["sign_in_started", { by: "password" }],
      ["code_wrong", { by: "email" }],
    ]);
    expect((await activity()).at(-2)).toMatchObject({ ...NOBODYS, ipPrefix: "2001:db8:1::/48" });
  });

  test("activityOf() lists the attempt that triggered a lock", async () => {
    for (let i = 0; i < 11; i++)
      await world.identity.login({ ...RIGHT, password: "Wr0ng-Password" }, { ip: `10.0.0.${i}`, token: undefined });
    const events = (await happened()).slice(1);
    expect(events.map(([event]) => event)).toEqual([...Array(9).fill("password_wrong"), "locked"]);
    expect(events.at(-1)).toEqual(["locked", { by: "password" }]);
  });

  test("activityOf() lists a password reset, both the request and the change", async () => {
    await world.complete();
    await world.identity.forgotPassword({ email: ALICE.email }, { ip: "203.0.113.7", device });
    const asked = (await world.published()).findLast((event) => event.type === "identity.resetRequested");
    if (!asked) throw new Error("Nothing was asked for");
    for (let i = 0; i < 3; i++) await world.identity.onResetRequested(asked);
    const token = await world.resetToken();
    await world.identity.resetPassword({ token, password: "Quiet-River-9-Boat" }, { ip: HOME });
    const events = (await activity()).slice(0, 2);
    expect(events).toMatchObject([
      { event: "password_reset", ipPrefix: "192.0.2.0/24" },
      { event: "reset_requested", ...FROM_HOME, ipPrefix: "203.0.113.0/24" },
    ]);
    expect((await happened()).filter(([event]) => event === "reset_requested")).toHaveLength(1);
  });

  test("activityOf() lists a log-out once, and no abandoned log-in", async () => {
    await world.identity.logout({ ip: HOME, token: await world.login() });
    const token = await world.signIn();
    for (let i = 0; i < 2; i++) await world.identity.logout({ ip: HOME, token });
    expect((await happened()).filter(([event]) => event === "signed_out")).toHaveLength(1);
  });

  test("activityOf() lists the account's own events of 90 days, the newest hundred", async () => {
    const bob = await world.userOf(BOB.email);
    expect((await activity(undefined, bob?.id)).map(({ event }) => event)).toEqual(["registered"]);
    await world.signIn();
    world.pass({ hours: 90 * 24 });
    expect(await happened()).toHaveLength(3);
    world.pass({ ms: 1 });
    expect(await happened()).toEqual([]);
    for (let i = 0; i < 60; i++) await world.signIn();
    expect(await activity()).toHaveLength(100);
  });

  test("activityOf() contains no token, code, password or full address", async () => {
    const { token, deviceToken } = await world.complete(ALICE, { ip: HOME, device });
    const stored = await world.transaction(({ audit }) => audit.list(accountId, new Date(0), 100));
    const text = JSON.stringify([stored, await activity({ ip: HOME, token })]);
    for (const secret of [token, deviceToken, await world.code(), ALICE.password, HOME, world.hashToken(token)])
      expect(text).not.toContain(secret);
    expect(text).toContain(sessionMarkOf(world, token));
  });
});

describe("the audit log", () => {
  test("cleanUp() keeps events for a year", async () => {
    const stored = () => world.transaction(({ audit }) => audit.list(accountId, new Date(0), 100));
    await world.signIn();
    world.pass({ hours: 365 * 24 });
    await world.identity.cleanUp();
    expect(await stored()).toHaveLength(3);
    world.pass({ ms: 1 });
    await world.identity.cleanUp();
    expect(await stored()).toEqual([]);
  });

  test("cleanUp() and register() anonymise the events of an unverified account that is removed", async () => {
    const stored = (id: string) => world.transaction(({ audit }) => audit.list(id, new Date(0), 100));
    const bob = (await world.userOf(BOB.email))?.id ?? "";
    await world.identity.register(BOB, { ip: HOME });
    expect(await stored(bob)).toEqual([]);
    world.pass({ hours: 7 * 24, ms: 1 });
    await world.identity.cleanUp();
    expect(await world.userOf(ALICE.email)).toBeUndefined();
    expect(await stored(accountId)).toEqual([]);
  });
});
