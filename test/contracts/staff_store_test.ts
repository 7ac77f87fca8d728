import { describe, expect, test } from "bun:test";
import { postgresIdentity } from "../../src/identity/adapters/postgres/store.ts";
import type { AccountFilter, StaffActFilter, StaffActRecord } from "../../src/identity/staff/staff_ports.ts";
import { STAFF_TESTS_PER_HOUR, staffTests } from "../../src/identity/staff/staff_tests.ts";
import { after, aSession, freshStore, NOW } from "../identity/rows.ts";
import { memoryIdentity } from "../memory/identity/store.ts";
import { eachDatabase } from "../support/postgres.ts";

const EVERY: StaffActFilter = {
  actorId: undefined,
  act: undefined,
  objectId: undefined,
  from: undefined,
  until: undefined,
};

function anAct(changed: Partial<StaffActRecord> = {}): StaffActRecord {
  return {
    id: Bun.randomUUIDv7(),
    at: NOW,
    by: "staff",
    actorId: crypto.randomUUID(),
    act: "account_locked",
    objectKind: "account",
    objectId: crypto.randomUUID(),
    reason: "Asked for",
    detail: { plan: "personal" },
    ...changed,
  };
}

describe.each(eachDatabase(memoryIdentity, postgresIdentity))("the staff's part of IdentityStore on %s", (_, open) => {
  const { within, alice } = freshStore(open);
  const search = async (filter: Partial<AccountFilter> = {}, last?: { at: Date; id: string }, limit = 10) => {
    const found = await within(({ users }) =>
      users.search({ text: undefined, state: undefined, ...filter }, last, limit),
    );
    return found.map(({ email }) => email);
  };
  async function people() {
    const anna = await alice({ email: "anna@example.com", firstName: "Anna", lastName: "De Luca", verifiedAt: NOW });
    const zoe = await alice({
      email: "zoe_x@example.com",
      firstName: "Zoe",
      lastName: "Ångström",
      createdAt: after(1),
    });
    const bob = await alice({ email: "bob@example.com", firstName: "Bob", lastName: "Anders", createdAt: after(2) });
    return { anna, zoe, bob };
  }

  test("search() finds by the prefix of email, last name or full name, newest first, page by page", async () => {
    const { zoe } = await people();
    expect(await search()).toEqual(["bob@example.com", "zoe_x@example.com", "anna@example.com"]);
    expect(await search({}, undefined, 1)).toEqual(["bob@example.com"]);
    expect(await search({}, { at: zoe.createdAt, id: zoe.id })).toEqual(["anna@example.com"]);
    expect(await search({ text: "an" })).toEqual(["bob@example.com", "anna@example.com"]);
    expect(await search({ text: "anna de" })).toEqual(["anna@example.com"]);
    expect(await search({ text: "example.com" })).toEqual([]);
    // Wildcards are matched literally.
    expect(await search({ text: "zoe_" })).toEqual(["zoe_x@example.com"]);
    for (const text of ["%", "_nna", "a%a", "\\"]) expect(await search({ text })).toEqual([]);
  });

  test("search() pages without a gap through accounts with the same time", async () => {
    const ids = await Promise.all(
      ["a", "b", "c"].map(async (name) => (await alice({ email: `${name}@same.example` })).id),
    );
    const seen: string[] = [];
    for (let last: { at: Date; id: string } | undefined; ; ) {
      const [user] = await within(({ users }) => users.search({ text: undefined, state: undefined }, last, 1));
      if (!user) break;
      seen.push(user.id);
      last = { at: user.createdAt, id: user.id };
    }
    expect(seen).toEqual(ids.sort().reverse());
  });

  test("setStaff() and setLocked() take effect in search(), in holdStaff() and in the next session lookup", async () => {
    const { anna, bob } = await people();
    const session = aSession(anna.id);
    await within(({ sessions }) => sessions.open(session, 100));
    await within(({ users }) => users.setStaff(anna.id, true));
    await within(({ users }) => users.setStaff(bob.id, true));
    await within(({ users }) => users.setLocked(bob.id, after(5)));
    expect(await search({ state: "staff" })).toEqual(["bob@example.com", "anna@example.com"]);
    expect(await search({ state: "locked" })).toEqual(["bob@example.com"]);
    expect(await search({ state: "unverified", text: "bob" })).toEqual(["bob@example.com"]);
    expect(await search({ state: "unverified", text: "anna" })).toEqual([]);
    expect(await within(({ users }) => users.find(bob.id))).toEqual({ ...bob, staff: true, lockedAt: after(5) });
    expect(await within(({ users }) => users.holdStaff())).toEqual([anna.id]);
    const living = () => within(({ sessions }) => sessions.findLiving(session.tokenHash, NOW));
    expect(await living()).toMatchObject({ staff: true });
    await within(({ users }) => users.setStaff(anna.id, false));
    expect(await living()).toMatchObject({ staff: false });
    await within(({ users }) => users.setLocked(bob.id, undefined));
    expect(await search({ state: "locked" })).toEqual([]);
  });

  test("concurrent tests of a channel stay within the limit of each member of staff, and are counted for an hour", async () => {
    const { anna, bob } = await people();
    for (const { id } of [anna, bob]) await within(({ users }) => users.setStaff(id, true));
    let now = NOW;
    const { noteTest } = staffTests({ transaction: within, newId: () => Bun.randomUUIDv7(), now: () => now });
    const many = await Promise.all(Array.from({ length: STAFF_TESTS_PER_HOUR + 5 }, () => noteTest(anna.id, "email")));
    expect(many.filter(({ ok }) => ok)).toHaveLength(STAFF_TESTS_PER_HOUR);
    expect(many.filter(({ ok }) => !ok)).toEqual(Array(5).fill(expect.objectContaining({ code: "RATE_LIMITED" })));
    const acts = await within(({ staffActs }) => staffActs.list({ ...EVERY, actorId: anna.id }, undefined, 100));
    expect(acts).toHaveLength(STAFF_TESTS_PER_HOUR);
    expect(await noteTest(bob.id, "email")).toMatchObject({ ok: true });
    expect(await noteTest(crypto.randomUUID(), "email")).toMatchObject({ code: "NOT_FOUND" });
    now = new Date(NOW.getTime() + 3_600_001);
    expect(await noteTest(anna.id, "email")).toMatchObject({ ok: true });
  });

  test("list() returns what add() stored once, newest first, by actor, action, target and time, page by page", async () => {
    const first = anAct();
    const bare = {
      by: "command_line",
      actorId: undefined,
      objectId: undefined,
      reason: undefined,
      detail: {},
    } as const;
    const second = anAct({ at: after(1), act: "plan_granted", objectId: first.objectId });
    const third = anAct({ ...bare, at: after(2), act: "staff_granted" });
    await within(async ({ staffActs }) => {
      for (const act of [second, third, first, { ...first, reason: "Twice" }]) await staffActs.add(act);
    });
    const list = (filter: Partial<StaffActFilter> = {}, last?: { at: Date; id: string }, limit = 10) =>
      within(({ staffActs }) => staffActs.list({ ...EVERY, ...filter }, last, limit));
    expect(await list()).toEqual([third, second, first]);
    expect(await list({}, undefined, 2)).toEqual([third, second]);
    expect(await list({}, { at: second.at, id: second.id })).toEqual([first]);
    expect(await list({ actorId: second.actorId })).toEqual([second]);
    expect(await list({ act: "staff_granted" })).toEqual([third]);
    expect(await list({ objectId: first.objectId })).toEqual([second, first]);
    expect(await list({ from: after(1), until: after(2) })).toEqual([second]);
  });

  test("forget() anonymises the actions by and about a person, and removeBefore() deletes old ones", async () => {
    const yearsAgo = new Date("2020-01-01T00:00:00Z");
    const [own, about] = [anAct({ at: yearsAgo }), anAct({ at: after(1) })];
    const person = crypto.randomUUID();
    await within(async ({ staffActs }) => {
      await staffActs.add({ ...own, actorId: person });
      await staffActs.add({ ...about, objectId: person });
      await staffActs.forget(person);
    });
    const all = () => within(({ staffActs }) => staffActs.list(EVERY, undefined, 10));
    const nobody = { objectId: undefined, reason: undefined, detail: {} };
    expect(await all()).toEqual([
      { ...about, ...nobody },
      { ...own, actorId: undefined },
    ]);
    await within(({ staffActs }) => staffActs.removeBefore(after(1)));
    expect(await all()).toEqual([{ ...about, ...nobody }]);
  });
});
