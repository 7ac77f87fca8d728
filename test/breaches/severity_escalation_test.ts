import { describe, expect, test } from "bun:test";
import { adobe } from "../support/breaches.ts";
import { ALICE, CHARLIE } from "../support/builders.ts";
import { DAY, HOUR } from "../support/clock.ts";
import { graver, NONE, shop, shopWorld, UNCORRECTED } from "../support/shop.ts";

describe("A breach that became worse", () => {
  test("makes every alert for it pending again, once, and publishes each with its change", async () => {
    const world = await shopWorld();
    await world.handle(ALICE.accountId);
    await world.published();
    const before = await world.alertOf(world.alice);
    expect(before).toMatchObject({ state: "handled", reason: "steps_done", note: "All done." });
    await world.becomes(graver);
    const [change] = await world.changes();
    expect(change).toMatchObject({ addedClasses: ["Passwords"], worse: true });
    expect(await world.breaches.tellChanges()).toBe(2);
    const alert = await world.alertOf(world.alice);
    expect(alert).toMatchObject({ state: "pending", version: before.version + 1, worsenedAt: world.clock.now() });
    expect([alert.reason, alert.note, alert.handledAt]).toEqual([undefined, undefined, undefined]);
    expect(await world.alertOf(world.bob)).toMatchObject({ state: "pending", worsenedAt: world.clock.now() });
    const events = await world.published();
    expect(events.map(({ type }) => type)).toEqual(["breaches.openAlertsChanged", "breaches.alertsWorsened"]);
    expect(events[0]).toMatchObject({ counts: [{ associationId: world.alice, open: 1 }] });
    expect(events[1]).toMatchObject({ breachName: "Shop", changeId: change?.id ?? "" });
    const told = events.flatMap((event) => (event.type === "breaches.alertsWorsened" ? event.alerts : []));
    expect(told.map(({ associationId }) => associationId).toSorted()).toEqual([world.alice, world.bob].toSorted());

    expect(await world.breaches.tellChanges()).toBe(0);
    await world.breaches.syncCatalogue();
    expect(await world.breaches.tellChanges()).toBe(0);
    expect((await world.alertOf(world.alice)).version).toBe(alert.version);
    expect(await world.published()).toEqual([]);
  });

  test("publishes nothing when it is only different, or less severe", async () => {
    const world = await shopWorld(graver);
    await world.becomes({ ...graver, pwnCount: 1 });
    await world.becomes(shop);
    expect(await world.changes()).toHaveLength(2);
    expect(await world.breaches.tellChanges()).toBe(0);
    expect(await world.told()).toEqual([]);
  });

  test("is published once for a source that alternates", async () => {
    const world = await shopWorld();
    for (const state of [graver, shop, graver, shop, graver]) await world.becomes(state);
    expect((await world.changes()).map(({ worse }) => worse)).toEqual([false, false, false, false, true]);
    expect(await world.breaches.tellChanges()).toBe(2);
  });

  test("is published once for each time it became worse", async () => {
    const world = await shopWorld();
    await world.becomes(graver);
    await world.becomes({ ...graver, dataClasses: [...graver.dataClasses, "Credit cards"] });
    expect(await world.breaches.tellChanges()).toBe(4);
    expect((await world.told()).map(({ changeId }) => changeId)).toHaveLength(2);
    expect(await world.alertOf(world.alice)).toMatchObject({ version: 3, worsenedAt: world.clock.now() });
  });

  test("is not published to accounts that may not see a sensitive breach, nor revealed by their count", async () => {
    const world = await shopWorld();
    const scope = { details: true, sensitive: false };
    const associationId = await world.watch({ accountId: CHARLIE.accountId, address: ALICE.address, scope });
    await world.breaches.scanDue();
    await world.becomes({ ...graver, flags: ["sensitive"] });
    await world.published();
    await world.breaches.tellChanges();
    const told = (await world.told()).flatMap(({ alerts }) => alerts);
    expect(told.map((alert) => alert.associationId)).not.toContain(associationId);
    expect(told).toHaveLength(2);

    // Once its owner allows it, it is pending: nobody was notified of it before.
    const wide = { details: true, sensitive: true };
    const about = { associationId, accountId: CHARLIE.accountId, address: ALICE.address, scope: wide };
    await world.breaches.onScopeChanged({ type: "tracking.scopeChanged", ...about });
    expect(await world.alertOf(associationId)).toMatchObject({ state: "pending", version: 2 });
    expect(await world.told()).toEqual([]);
  });

  test("is shown without a message to suspended accounts when they are resumed", async () => {
    const world = await shopWorld();
    await world.handle(ALICE.accountId);
    const about = { associationId: world.alice, ...ALICE, reason: "paused" as const };
    await world.breaches.onMonitoringSuspended({ type: "tracking.monitoringSuspended", ...about });
    await world.becomes(graver);
    await world.published();
    expect(await world.breaches.tellChanges()).toBe(1);
    expect(await world.alertOf(world.alice)).toMatchObject({ state: "handled", worsenedAt: undefined });
    const at = world.clock.now();
    world.clock.pass(DAY);
    await world.published();
    await world.breaches.onMonitoringResumed({ type: "tracking.monitoringResumed", ...about });
    expect(await world.alertOf(world.alice)).toMatchObject({ state: "pending", worsenedAt: at, reason: undefined });
    expect(await world.published()).toMatchObject([
      { type: "breaches.openAlertsChanged", counts: [{ associationId: world.alice, open: 1 }] },
    ]);
    const { version } = await world.alertOf(world.alice);
    await world.breaches.onMonitoringResumed({ type: "tracking.monitoringResumed", ...about });
    expect((await world.alertOf(world.alice)).version).toBe(version);
  });

  test("is left to the first report for accounts that have not had it yet", async () => {
    const world = await shopWorld();
    const associationId = await world.watch(CHARLIE);
    // Found, but its first check has not ended: the report is still to come.
    await world.transaction(({ alerts }) =>
      alerts.addMissing([{ address: CHARLIE.address, breachNames: ["Shop"] }], world.clock.now()),
    );
    await world.becomes(graver);
    await world.breaches.tellChanges();
    expect((await world.told()).flatMap(({ alerts }) => alerts).map((alert) => alert.associationId)).not.toContain(
      associationId,
    );
    await world.breaches.scanDue();
    expect(await world.publishedOf("breaches.baselineReady")).toMatchObject([{ associationId }]);
  });

  test("is not published to accounts whose alert was raised afterwards", async () => {
    const world = await shopWorld();
    await world.becomes(graver);
    world.clock.pass(HOUR);
    await world.watch(CHARLIE);
    await world.breaches.scanDue();
    await world.published();
    expect(await world.breaches.tellChanges()).toBe(2);
  });

  test("is published for the primary entry, not for one that is linked to it", async () => {
    const world = await shopWorld();
    await world.transaction(({ breaches }) => breaches.link("Shop", "Adobe"));
    await world.becomes(graver);
    expect(await world.changes()).toMatchObject([{ addedClasses: ["Passwords"], worse: false }]);
    expect(await world.breaches.tellChanges()).toBe(0);
  });

  test("shows its changes next to the alert, including those of the primary entry of a linked one", async () => {
    const world = await shopWorld();
    const { id } = await world.alertOf(world.alice);
    const shown = async () => {
      const detail = await world.breaches.showAlert(ALICE.accountId, id);
      return detail.ok ? detail.value.changes : detail.code;
    };
    await world.becomes(graver);
    const change = { ...NONE, ...UNCORRECTED, at: world.clock.now().toISOString(), addedClasses: ["Passwords"] };
    expect(await shown()).toEqual([{ ...change, worse: true }]);
    await world.transaction(({ breaches }) => breaches.link("Shop", "Adobe"));
    expect(await shown()).toEqual([]);
    await world.becomes({ ...adobe, pwnCount: 1 });
    expect(await shown()).toMatchObject([{ count: { to: 1 }, worse: false }]);
  });

  test("shows nothing of it, not even its source, if no details are shared", async () => {
    const world = await shopWorld();
    const scope = { details: false, sensitive: true };
    const associationId = await world.watch({ accountId: CHARLIE.accountId, address: ALICE.address, scope });
    await world.breaches.scanDue();
    await world.becomes(graver);
    await world.breaches.tellChanges();
    const { id } = await world.alertOf(associationId);
    expect(await world.breaches.showAlert(CHARLIE.accountId, id)).toMatchObject({
      value: { state: "pending", worsenedAt: world.clock.now().toISOString(), breach: null, changes: [], sources: [] },
    });
    const own = await world.alertOf(world.alice);
    const facts = await world.breaches.factsOfAlerts([id, own.id]);
    const sources = facts.map((fact) => [fact.alertId, fact.sources]);
    expect(Object.fromEntries(sources)).toEqual({ [id]: [], [own.id]: ["memory"] });
  });
});
