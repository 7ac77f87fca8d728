import { describe, expect, test } from "bun:test";
import { createBreaches } from "../../src/breaches/mod.ts";
import { adobe, breachWorld, suno, worldOfAlice } from "../support/breaches.ts";
import { ALICE, BOB, CHARLIE } from "../support/builders.ts";
import { DAY, HOUR } from "../support/clock.ts";

describe("scanDue() at the first check of an address", () => {
  test("raises one alert per breach and reports them together", async () => {
    const world = await worldOfAlice();
    const associationId = await world.watch(ALICE);
    expect(await world.breaches.scanDue()).toEqual({ checked: 1, raised: 2, trouble: undefined });
    const alerts = await world.transaction(({ alerts: all }) =>
      all.list(ALICE.accountId, { handledAfter: new Date(0) }, 0, 10),
    );
    expect(alerts.total).toBe(2);
    for (const alert of alerts.alerts) {
      expect(alert).toMatchObject({
        associationId,
        address: ALICE.address,
        state: "pending",
        baseline: true,
        version: 1,
      });
      expect(alert.raisedAt).toEqual(world.clock.now());
    }
    expect(await world.published()).toEqual([
      {
        type: "breaches.baselineReady",
        associationId,
        accountId: ALICE.accountId,
        alertIds: expect.arrayContaining(alerts.alerts.map(({ id }) => id)),
      },
      { type: "breaches.openAlertsChanged", counts: [{ associationId, open: 2, version: 1 }] },
    ]);
  });

  test("also reports that nothing was found", async () => {
    const world = await worldOfAlice();
    const associationId = await world.watch(BOB);
    expect(await world.breaches.scanDue()).toEqual({ checked: 1, raised: 0, trouble: undefined });
    expect(await world.published()).toEqual([
      { type: "breaches.baselineReady", associationId, accountId: BOB.accountId, alertIds: [] },
      { type: "breaches.openAlertsChanged", counts: [{ associationId, open: 0, version: 1 }] },
    ]);
  });

  test("queries the source once, however many associations there are for the address", async () => {
    const world = await worldOfAlice();
    const watchers = [ALICE, BOB, CHARLIE].map(({ accountId }) => ({ accountId, address: ALICE.address }));
    const associations = await Promise.all(watchers.map(world.watch));
    expect(await world.breaches.scanDue()).toEqual({ checked: 1, raised: 6, trouble: undefined });
    expect(world.lookedUp().length).toBe(1);
    const baselines = await world.publishedOf("breaches.baselineReady");
    expect(baselines.map(({ associationId }) => associationId).toSorted()).toEqual(associations.toSorted());
    for (const { alertIds } of baselines) expect(alertIds).toHaveLength(2);
    expect(new Set(baselines.flatMap(({ alertIds }) => alertIds)).size).toBe(6);
  });

  test("gives a second account its own report for an address that is already monitored", async () => {
    const world = await worldOfAlice();
    await world.watch(ALICE);
    await world.breaches.scanDue();
    await world.published();
    world.clock.pass(HOUR);
    const associationId = await world.watch({ accountId: BOB.accountId, address: ALICE.address });
    expect(await world.breaches.scanDue()).toEqual({ checked: 1, raised: 2, trouble: undefined });
    const [baseline, changed, ...others] = await world.published();
    expect(baseline).toMatchObject({ type: "breaches.baselineReady", associationId, accountId: BOB.accountId });
    expect(baseline?.type === "breaches.baselineReady" && baseline.alertIds).toHaveLength(2);
    expect(changed).toEqual({ type: "breaches.openAlertsChanged", counts: [{ associationId, open: 2, version: 1 }] });
    expect(others).toEqual([]);
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending", "Canva pending"]);
  });

  test("gives an account with two addresses in one breach an alert for each", async () => {
    const world = await worldOfAlice();
    const second = "alice@example.net";
    world.feed.expose(second, "Adobe");
    await world.watch(ALICE);
    await world.watch({ accountId: ALICE.accountId, address: second });
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 2, raised: 3 });
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending", "Adobe pending", "Canva pending"]);
  });

  test("does not lose a breach that is published while it runs", async () => {
    let meanwhile = async () => {};
    const world = await worldOfAlice((plain) => ({
      ...plain,
      async lookUp(address) {
        const answer = await plain.lookUp(address);
        await meanwhile();
        return answer;
      },
    }));
    meanwhile = async () => {
      meanwhile = async () => {};
      world.feed.publish(suno);
      world.feed.expose(ALICE.address, "Suno");
      await world.breaches.syncCatalogue();
    };
    await world.watch(ALICE);
    await world.breaches.scanDue();
    const [raised] = await world.publishedOf("breaches.alertsRaised");
    expect(raised?.alerts).toHaveLength(1);
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending", "Canva pending", "Suno pending"]);
  });

  test("checks again for an association that was added while it ran", async () => {
    let meanwhile = async () => {};
    const world = await worldOfAlice((plain) => ({
      ...plain,
      async lookUp(address) {
        const answer = await plain.lookUp(address);
        await meanwhile();
        return answer;
      },
    }));
    await world.watch(ALICE);
    meanwhile = async () => {
      meanwhile = async () => {};
      world.feed.expose(ALICE.address, "Suno");
      await world.watch({ accountId: BOB.accountId, address: ALICE.address });
    };
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 2 });
    expect(await world.alertsOf(BOB.accountId)).toEqual(["Adobe pending", "Canva pending", "Suno pending"]);
  });
});

describe("scanDue() at a later check", () => {
  async function afterFirstCheck() {
    const world = await worldOfAlice();
    const associationId = await world.watch(ALICE);
    await world.breaches.scanDue();
    await world.published();
    return { world, associationId };
  }

  test("raises an alert for a new breach immediately, not as a report", async () => {
    const { world, associationId } = await afterFirstCheck();
    world.clock.pass(DAY);
    world.feed.publish(suno);
    world.feed.expose(ALICE.address, "Suno");
    await world.breaches.syncCatalogue();
    expect(await world.breaches.scanDue()).toEqual({ checked: 1, raised: 1, trouble: undefined });
    const listed = await world.breaches.listAlerts(ALICE.accountId, { state: "all", search: "suno", page: 1 });
    if (!listed.ok) throw new Error(listed.code);
    const [alert] = listed.value.items;
    expect(alert).toMatchObject({ baseline: false, raisedAt: "2026-11-21T12:00:00.000Z" });
    expect(await world.published()).toEqual([
      { type: "breaches.openAlertsChanged", counts: [{ associationId, open: 3, version: 2 }] },
      {
        type: "breaches.alertsRaised",
        alerts: [{ alertId: alert?.id ?? "", associationId, accountId: ALICE.accountId }],
      },
    ]);
  });

  test("announces a new breach once to all associations, and sends the report to a new one", async () => {
    const { world, associationId } = await afterFirstCheck();
    const newcomer = await world.watch({ accountId: BOB.accountId, address: ALICE.address });
    world.feed.publish(suno);
    world.feed.expose(ALICE.address, "Suno");
    await world.breaches.syncCatalogue();
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1, raised: 4 });
    const events = await world.published();
    const raised = events.filter((event) => event.type === "breaches.alertsRaised");
    const baselines = events.filter((event) => event.type === "breaches.baselineReady");
    expect(raised.map(({ alerts }) => alerts.map((alert) => alert.associationId))).toEqual([[associationId]]);
    expect(baselines.map((event) => [event.associationId, event.alertIds.length])).toEqual([[newcomer, 3]]);
  });

  test("adds and publishes nothing when the result is unchanged", async () => {
    const { world } = await afterFirstCheck();
    world.clock.pass(8 * DAY);
    expect(await world.breaches.scanDue()).toEqual({ checked: 1, raised: 0, trouble: undefined });
    expect(await world.published()).toEqual([]);
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending", "Canva pending"]);
  });

  test("keeps breaches that the source no longer returns", async () => {
    const world = breachWorld({ breaches: [adobe], exposures: { [ALICE.address]: ["Adobe"] } });
    await world.watch(ALICE);
    await world.breaches.scanDue();
    const silent = breachWorld({ breaches: [adobe] });
    const breaches = createBreaches({ ...world.deps, feeds: [silent.feed] });
    world.clock.pass(8 * DAY);
    expect(await breaches.scanDue()).toMatchObject({ checked: 1, raised: 0 });
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending"]);
  });

  test("is due a week after the last one, and not a millisecond earlier", async () => {
    const { world } = await afterFirstCheck();
    expect(await world.breaches.checkTimesOf([ALICE.address])).toEqual(
      new Map([[ALICE.address, { checkedAt: world.clock.now(), dueAt: new Date("2026-11-27T12:00:00.000Z") }]]),
    );
    world.clock.pass(7 * DAY - 1);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0 });
    world.clock.pass(1);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1 });
  });
});
