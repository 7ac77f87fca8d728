import { describe, expect, test } from "bun:test";
import { ADVICE_STEPS } from "../../src/shared/advice_steps.ts";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach, accepted, BOB } from "../support/builders.ts";
import { DAY, HOUR } from "../support/clock.ts";

const ALL = { state: "all", search: "", page: 1 } as const;

/** Alice is alerted to these breaches, one every eight days. */
async function worldOf(...names: string[]) {
  const world = breachWorld({ breaches: names.map((name) => aBreach({ name })) });
  await world.breaches.syncCatalogue();
  await world.watch(ALICE);
  const times: Date[] = [];
  for (const name of names) {
    world.feed.expose(ALICE.address, name);
    await world.breaches.scanDue();
    times.push(world.clock.now());
    world.clock.pass(8 * DAY);
  }
  const bell = async (accountId = ALICE.accountId) => accepted(await world.breaches.showBell(accountId));
  const seen = async (until: Date | undefined, accountId = ALICE.accountId) =>
    accepted(await world.breaches.markSeen(accountId, until ?? new Date(0))).fresh;
  const namesOf = async () => (await bell()).items.map(({ breach }) => breach?.name);
  return { ...world, times, bell, seen, namesOf };
}

describe("showBell() and markSeen()", () => {
  test("show the latest ten, and count what is pending and unseen", async () => {
    const names = Array.from({ length: 12 }, (_, number) => `Breach${number}`);
    const { times, bell, seen, namesOf } = await worldOf(...names);
    expect(await namesOf()).toEqual(names.toReversed().slice(0, 10));
    expect(await bell()).toMatchObject({ fresh: 12, seenAt: null });
    expect(await seen(times[8])).toBe(3);
    expect(await bell()).toMatchObject({ fresh: 3, pending: 12, seenAt: times[8]?.toISOString() });
  });

  test("never move backwards, nor beyond the current time, so that later alerts are new", async () => {
    const { times, bell, seen, clock, feed, breaches } = await worldOf("Adobe", "Canva");
    expect(await seen(times[1])).toBe(0);
    expect(await seen(times[0])).toBe(0);
    expect(await seen(new Date("0000-01-01T00:00:00Z"))).toBe(0);
    expect((await bell()).seenAt).toBe(times[1]?.toISOString() ?? "");
    const looked = clock.now();
    expect(await seen(new Date("9999-12-31T23:59:59Z"))).toBe(0);
    expect((await bell()).seenAt).toBe(looked.toISOString());
    clock.pass(HOUR);
    feed.publish(aBreach({ name: "Suno" }));
    feed.expose(ALICE.address, "Suno");
    await breaches.syncCatalogue();
    await breaches.scanDue();
    expect(await bell()).toMatchObject({ fresh: 1, items: [{ breach: { name: "Suno" } }, {}, {}] });
  });

  test("no longer count handled alerts, and show them as such for 30 days", async () => {
    const { breaches, bell, clock } = await worldOf("Adobe", "Canva");
    const [canva] = (await bell()).items;
    await breaches.handleAlert(ALICE.accountId, canva?.id ?? "", 1);
    expect(await bell()).toMatchObject({ fresh: 1, pending: 1, items: [{ state: "handled" }, { state: "pending" }] });
    clock.pass(30 * DAY);
    expect(await bell()).toMatchObject({ fresh: 1, items: [{ state: "pending" }] });
  });

  test("bring a breach that became worse to the top again, as new", async () => {
    const { feed, breaches, bell, seen, clock, times } = await worldOf("Adobe", "Canva");
    expect(await seen(times[1])).toBe(0);
    feed.publish(aBreach({ name: "Adobe", dataClasses: ["Email addresses", "Passwords", "Credit cards"] }));
    clock.pass(HOUR);
    await breaches.syncCatalogue();
    while (await breaches.tellChanges());
    const worse = { breach: { name: "Adobe" }, worsenedAt: clock.now().toISOString() };
    expect(await bell()).toMatchObject({ fresh: 1, items: [worse, { worsenedAt: null }] });
    expect(await seen(clock.now())).toBe(0);
  });

  test("belong to one account, are kept in its records and deleted with it", async () => {
    const { breaches, bell, seen, times } = await worldOf("Adobe");
    await seen(times[0]);
    await seen(times[0], BOB.accountId);
    expect(await bell(BOB.accountId)).toEqual({
      items: [],
      fresh: 0,
      pending: 0,
      seenAt: times[0]?.toISOString() ?? "",
    });
    expect((await breaches.recordsOf(ALICE.accountId)).bell).toEqual({ seenAt: times[0] ?? null });
    await breaches.onDeleted({ type: "identity.deleted", accountId: BOB.accountId });
    expect((await bell(BOB.accountId)).seenAt).toBeNull();
    expect((await bell()).seenAt).not.toBeNull();
  });
});

describe("tickStep()", () => {
  test("keeps the progress of each alert, without a version conflict with handling it", async () => {
    const { breaches, bell } = await worldOf("Adobe", "Canva");
    const [canva, adobe] = (await bell()).items.map(({ id }) => id);
    const tick = async (step: string, done: boolean) =>
      accepted(await breaches.tickStep(ALICE.accountId, adobe ?? "", { step, done })).steps;
    await Promise.all([tick("password", true), tick("phishing", true), tick("two_steps", true)]);
    expect((await tick("phishing", false)).toSorted()).toEqual(["password", "two_steps"]);
    const handled = accepted(await breaches.handleAlert(ALICE.accountId, adobe ?? "", 1, { reason: "steps_done" }));
    expect(handled.steps.toSorted()).toEqual(["password", "two_steps"]);
    const { items } = accepted(await breaches.listAlerts(ALICE.accountId, ALL));
    expect(items.find(({ id }) => id === canva)?.steps).toEqual([]);
    const { alerts } = await breaches.recordsOf(ALICE.accountId);
    expect(alerts.map(({ steps }) => steps.length).toSorted()).toEqual([0, 2]);
    for (const step of ADVICE_STEPS) expect(await tick(step, true)).toContain(step);
  });

  test("rejects steps that are not recommended, and alerts of other accounts", async () => {
    const { breaches, bell } = await worldOf("Adobe");
    const [id = ""] = (await bell()).items.map((alert) => alert.id);
    for (const step of ["", "Password", "__proto__", "toString", "password "])
      expect(await breaches.tickStep(ALICE.accountId, id, { step, done: true })).toMatchObject({
        ok: false,
        code: "INVALID_INPUT",
        fields: { step: "INVALID_INPUT" },
      });
    const missing = { ok: false, code: "NOT_FOUND" } as const;
    expect(await breaches.tickStep(BOB.accountId, id, { step: "password", done: true })).toEqual(missing);
    const unknown = crypto.randomUUID();
    expect(await breaches.tickStep(ALICE.accountId, unknown, { step: "password", done: true })).toEqual(missing);
    expect((await bell()).items[0]?.steps).toEqual([]);
  });

  test("does not show ticked steps once the details are withdrawn", async () => {
    const world = await worldOf();
    const breaches = world.breaches;
    world.feed.publish(aBreach());
    world.feed.expose(ALICE.address, "Adobe");
    await breaches.syncCatalogue();
    const associationId = await world.watch({ accountId: BOB.accountId, address: ALICE.address });
    await breaches.scanDue();
    const [id = ""] = (await world.bell(BOB.accountId)).items.map((alert) => alert.id);
    await breaches.tickStep(BOB.accountId, id, { step: "password", done: true });
    const about = { associationId, accountId: BOB.accountId, address: ALICE.address };
    const narrow = { details: false, sensitive: false };
    await breaches.onScopeChanged({ type: "tracking.scopeChanged", ...about, scope: narrow });
    expect((await world.bell(BOB.accountId)).items).toMatchObject([{ breach: null, steps: [] }]);
    expect(await breaches.tickStep(BOB.accountId, id, { step: "phishing", done: true })).toMatchObject({
      code: "NOT_FOUND",
    });
  });
});
