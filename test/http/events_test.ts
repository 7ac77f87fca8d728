import { beforeEach, describe, expect, test } from "bun:test";
import { mailedToken } from "../consent/consent_world.ts";
import { aBreach } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";
import { callerOf, type Ground, memoryGround, settle, signedUp, worldOn } from "../support/world.ts";
import { makeToken, narrowToken, program } from "./token_world.ts";

type Line = Record<string, unknown> & { id: string; type: string; cursor: string };

const ALICE = "alice@example.com";
const BOB = "bob@example.com";

let ground: Ground;
let world: ReturnType<typeof worldOn>;
let alice: Awaited<ReturnType<typeof signedUp>>;

async function linesOf(answer: Response): Promise<Line[]> {
  expect(answer.status).toBe(200);
  expect(answer.headers.get("Content-Type")).toBe("application/x-ndjson");
  const text = await answer.text();
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Line]));
}
const eventsOf = async (call: typeof alice, query = "") => linesOf(await call("GET", `/api/events${query}`));

async function track(call: typeof alice, address: string, contact: string) {
  const asked = { address, owner: false, language: "en", contacts: { email: [contact] } };
  const added = await call("POST", "/api/associations", asked);
  await settle(world);
  return (await added.json()) as { id: string };
}

async function publish(name: string, address: string) {
  ground.feed.publish(aBreach({ name, title: name }));
  ground.feed.expose(address, name);
  ground.clock.pass(DAY);
  for (const { source } of await world.breaches.sourcesHealth()) await world.breaches.pollCatalogue(source);
  await settle(world);
}

async function answer(path: string, body: { token: string } & Record<string, unknown>) {
  const answered = await callerOf(world)("POST", `/api/invitation-links/${path}`, body);
  expect(answered.status).toBe(200);
  await settle(world);
  return (await answered.json()) as { manageToken: string };
}

beforeEach(async () => {
  ground = memoryGround();
  world = worldOn(ground);
  alice = await signedUp(world, ALICE);
});

describe("GET /api/events", () => {
  test("tells alerts of the first check and later ones, oldest first, with what they are about", async () => {
    ground.feed.publish(aBreach({ name: "Old", title: "Old" }));
    ground.feed.expose(ALICE, "Old");
    const { id } = await track(alice, ALICE, ALICE);
    await publish("New", ALICE);
    const events = await eventsOf(await signedInAgain());
    expect(events).toMatchObject([
      { type: "alert.raised", version: 1, associationId: id, address: ALICE, baseline: true, breach: { name: "Old" } },
      { type: "alert.raised", version: 1, associationId: id, address: ALICE, baseline: false, breach: { name: "New" } },
    ]);
    expect(new Set(events.map((one) => one.id)).size).toBe(2);
  });

  test("goes on behind a cursor, page by page, and is empty at the end", async () => {
    for (const name of ["One", "Two", "Three"]) {
      ground.feed.publish(aBreach({ name, title: name }));
      ground.feed.expose(ALICE, name);
    }
    await track(alice, ALICE, ALICE);
    const all = await eventsOf(alice);
    expect(all).toHaveLength(3);
    const first = await eventsOf(alice, "?limit=2");
    const rest = await eventsOf(alice, `?after=${first.at(-1)?.cursor}&limit=2`);
    expect([...first, ...rest]).toEqual(all);
    expect(await eventsOf(alice, `?after=${all.at(-1)?.cursor}`)).toEqual([]);
  });

  test.each(["after=-1", "after=%00", "after=", "after=zzzzzzzzzzzz", "limit=0", "limit=1001", "limit=x"])(
    "refuses ?%s",
    async (query) => {
      const refused = await alice("GET", `/api/events?${query}`);
      expect(refused.status).toBe(422);
    },
  );

  test("belongs to one account: another sees nothing of it", async () => {
    ground.feed.publish(aBreach({ name: "Old", title: "Old" }));
    ground.feed.expose(ALICE, "Old");
    await track(alice, ALICE, ALICE);
    const bob = await signedUp(world, BOB);
    const [first] = await eventsOf(alice);
    expect(await eventsOf(bob)).toEqual([]);
    expect(await eventsOf(bob, `?after=${first?.cursor}`)).toEqual([]);
    expect((await callerOf(world)("GET", "/api/events")).status).toBe(401);
  });

  test("takes a token that may read both the log and alerts", async () => {
    await alice("POST", "/api/confirm-password", { password: "Tranquil-Harbour-42" });
    const both = await makeToken(alice, ["events:read", "alerts:read"]);
    expect(await linesOf(await program(world, both.token)("GET", "/api/events"))).toEqual([]);
    for (const scope of ["events:read", "alerts:read"] as const) {
      const one = await narrowToken({ ground, world, email: ALICE }, scope);
      expect((await program(world, one)("GET", "/api/events")).status).toBe(403);
    }
  });

  test("tells what the owner of an address shares, and no more once that is changed or withdrawn", async () => {
    ground.feed.publish(aBreach({ name: "Old", title: "Old" }));
    ground.feed.expose(BOB, "Old");
    await track(alice, BOB, ALICE);
    expect(await eventsOf(alice)).toMatchObject([{ type: "consent.requested", address: BOB }]);

    const agreement = { token: mailedToken(ground, BOB), details: true, sensitive: false };
    const { manageToken: token } = await answer("accept", agreement);
    const scope = { details: true, sensitive: false };
    expect(await eventsOf(alice)).toMatchObject([
      { type: "consent.requested" },
      { type: "consent.granted", scope },
      { type: "alert.raised", address: BOB, breach: { name: "Old" } },
    ]);

    await answer("scope", { token, details: false, sensitive: false });
    const narrowed = await eventsOf(alice);
    expect(narrowed).toMatchObject([
      ...[{ type: "consent.requested" }, { type: "consent.granted", scope }],
      { type: "alert.raised", address: BOB, breach: null },
      { type: "consent.granted", scope: { details: false, sensitive: false } },
    ]);
    expect(JSON.stringify(narrowed)).not.toContain("Old");

    await answer("withdraw", { token, block: false });
    const ended = await eventsOf(alice);
    expect(ended.at(-1)).toMatchObject({ type: "consent.ended", reason: "withdrawn", address: null });
    expect(JSON.stringify(ended)).not.toContain(BOB);
  });

  test("tells what staff did with the account, without saying who or why", async () => {
    const found = await world.identity.accountNamed(ALICE);
    const { accountId } = found.ok ? found.value : { accountId: "" };
    await world.identity.lockAccount(accountId, { reason: "Odd sign-ins" }, { by: "command_line" });
    await world.identity.unlockAccount(accountId, { reason: "All is well" }, { by: "command_line" });
    await settle(world);
    const again = await signedInAgain();
    const events = await eventsOf(again);
    expect(events).toMatchObject([
      { type: "staff.acted", act: "account_locked", by: "command_line" },
      { type: "staff.acted", act: "account_unlocked", by: "command_line" },
    ]);
    expect(JSON.stringify(events)).not.toContain("Odd");
  });

  test("ends with the account: only staff actions stay, without its id", async () => {
    ground.feed.publish(aBreach({ name: "Old", title: "Old" }));
    ground.feed.expose(ALICE, "Old");
    await track(alice, ALICE, ALICE);
    const found = await world.identity.accountNamed(ALICE);
    const { accountId } = found.ok ? found.value : { accountId: "" };
    expect(JSON.stringify(await world.operations.operatorEvents(undefined, 100))).toContain(accountId);
    await world.identity.removeAccount(accountId, { reason: "As asked" }, { by: "command_line" });
    await settle(world);
    const left = await world.operations.operatorEvents(undefined, 100);
    expect(left).toMatchObject([{ type: "staff.acted", act: "account_deleted", account: null }]);
    expect(JSON.stringify(left)).not.toContain(accountId);
  });

  test("is kept for 90 days", async () => {
    ground.feed.publish(aBreach({ name: "Old", title: "Old" }));
    ground.feed.expose(ALICE, "Old");
    await track(alice, ALICE, ALICE);
    ground.clock.pass(89 * DAY);
    await world.operations.forgetOldEvents();
    expect(await world.operations.operatorEvents(undefined, 10)).toHaveLength(1);
    ground.clock.pass(2 * DAY);
    await world.operations.forgetOldEvents();
    expect(await world.operations.operatorEvents(undefined, 10)).toEqual([]);
  });
});

async function signedInAgain() {
  const call = callerOf(world);
  await call("POST", "/api/login", { email: ALICE, password: "Tranquil-Harbour-42" });
  await call("POST", "/api/verify-code", { code: "123456" });
  return call;
}

describe("The operator's events", () => {
  test("are ids and codes: neither addresses nor breaches", async () => {
    ground.feed.publish(aBreach({ name: "Zqmarked", title: "Zqmarked" }));
    ground.feed.expose(ALICE, "Zqmarked");
    await track(alice, ALICE, ALICE);
    await track(alice, BOB, ALICE);
    const events = await world.operations.operatorEvents(undefined, 100);
    expect(events.map(({ type }) => type)).toEqual(["alert.raised", "consent.requested"]);
    expect(JSON.stringify(events)).not.toMatch(/@|Zqmarked|Alice|Meyer/);
  });
});
