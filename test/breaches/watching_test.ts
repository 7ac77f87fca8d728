import { describe, expect, test } from "bun:test";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { adobe, breachWorld, suno } from "../support/breaches.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { DAY, HOUR } from "../support/clock.ts";

const bobWatchesAlice = { accountId: BOB.accountId, address: ALICE.address };

async function worldOfAlice() {
  const world = breachWorld({ breaches: [adobe], exposures: { [ALICE.address]: ["Adobe"] } });
  await world.breaches.syncCatalogue();
  const associationId = await world.watch(ALICE);
  await world.breaches.scanDue();
  await world.published();
  const about = { associationId, ...ALICE };
  return {
    ...world,
    associationId,
    started: () =>
      world.breaches.onMonitoringStarted({ type: "tracking.monitoringStarted", ...about, scope: FULL_SCOPE }),
    suspend: () =>
      world.breaches.onMonitoringSuspended({ type: "tracking.monitoringSuspended", reason: "plan", ...about }),
    resume: () => world.breaches.onMonitoringResumed({ type: "tracking.monitoringResumed", reason: "plan", ...about }),
    stop: () => world.breaches.onMonitoringStopped({ type: "tracking.monitoringStopped", ...about }),
    /** A breach with Alice's address is published, and the catalogue job finds it. */
    async publishSuno() {
      world.feed.publish(suno);
      world.feed.expose(ALICE.address, "Suno");
      await world.breaches.syncCatalogue();
    },
  };
}

/** The breaches known for Alice's address without querying the source: what a new association would be told. */
function knownOf({
  transaction,
  clock,
}: Pick<ReturnType<typeof breachWorld>, "transaction" | "clock">): Promise<string[]> {
  return transaction(async ({ watches, alerts }) => {
    const associationId = crypto.randomUUID();
    await watches.add({ associationId, ...ALICE, ...FULL_SCOPE });
    const added = await alerts.addMissing([{ address: ALICE.address, breachNames: [] }], clock.now());
    return added
      .filter((alert) => alert.associationId === associationId)
      .map(({ breachName }) => breachName)
      .toSorted();
  });
}

describe("onMonitoringStarted()", () => {
  test("makes the address due immediately", async () => {
    const world = breachWorld();
    await world.watch(ALICE);
    expect(await world.breaches.checkTimesOf([ALICE.address, BOB.address])).toEqual(
      new Map([[ALICE.address, { checkedAt: undefined, dueAt: world.clock.now() }]]),
    );
  });

  test("creates no second entry and no second report when it is delivered twice", async () => {
    const world = await worldOfAlice();
    await world.started();
    expect(await world.breaches.scanDue()).toEqual({ checked: 1, raised: 0, trouble: undefined });
    expect(await world.published()).toEqual([]);
    expect(await world.transaction(({ watches }) => watches.countAll(ALICE.address))).toBe(1);
  });
});

describe("onMonitoringSuspended()", () => {
  test("ends the checks, keeps the results, and raises nothing", async () => {
    const world = await worldOfAlice();
    await world.suspend();
    await world.publishSuno();
    world.clock.pass(30 * DAY);
    expect(await world.breaches.scanDue()).toEqual({ checked: 0, raised: 0, trouble: undefined });
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending"]);
    expect(await world.published()).toEqual([]);
    const times = await world.breaches.checkTimesOf([ALICE.address]);
    expect(times.get(ALICE.address)?.dueAt).toBeUndefined();
  });

  test("raises nothing for the suspended association while others monitor the address", async () => {
    const world = await worldOfAlice();
    await world.watch(bobWatchesAlice);
    await world.breaches.scanDue();
    await world.suspend();
    await world.publishSuno();
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1, raised: 1 });
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending"]);
    expect(await world.alertsOf(BOB.accountId)).toEqual(["Adobe pending", "Suno pending"]);
  });

  test("reports nothing for one that is suspended before its first check is done", async () => {
    const world = breachWorld({ breaches: [adobe], exposures: { [ALICE.address]: ["Adobe"] } });
    const associationId = await world.watch(ALICE);
    await world.watch(bobWatchesAlice);
    await world.breaches.onMonitoringSuspended({
      type: "tracking.monitoringSuspended",
      reason: "plan",
      associationId,
      ...ALICE,
    });
    await world.breaches.scanDue();
    const reported = await world.publishedOf("breaches.baselineReady");
    expect(reported.map(({ accountId }) => accountId)).toEqual([BOB.accountId]);
    await world.breaches.onMonitoringResumed({
      type: "tracking.monitoringResumed",
      reason: "plan",
      associationId,
      ...ALICE,
    });
    await world.breaches.scanDue();
    const [own, ...others] = await world.publishedOf("breaches.baselineReady");
    expect(own).toMatchObject({ associationId, alertIds: [expect.any(String)] });
    expect(others).toEqual([]);
  });
});

describe("onMonitoringResumed()", () => {
  test("catches up on what was published meanwhile, as alerts and not as a report", async () => {
    const world = await worldOfAlice();
    await world.suspend();
    await world.publishSuno();
    world.clock.pass(DAY);
    await world.resume();
    expect(await world.breaches.scanDue()).toEqual({ checked: 1, raised: 1, trouble: undefined });
    const [changed, raised, ...others] = await world.published();
    const { associationId } = world;
    expect(changed).toEqual({ type: "breaches.openAlertsChanged", counts: [{ associationId, open: 2, version: 2 }] });
    expect(raised).toMatchObject({
      type: "breaches.alertsRaised",
      alerts: [{ associationId, accountId: ALICE.accountId }],
    });
    expect(others).toEqual([]);
  });

  test("also catches up when others have monitored the address and already have the breach", async () => {
    const world = await worldOfAlice();
    await world.watch(bobWatchesAlice);
    await world.suspend();
    await world.publishSuno();
    await world.breaches.scanDue();
    await world.published();
    world.clock.pass(HOUR);
    await world.resume();
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1, raised: 1 });
    expect(await world.publishedOf("breaches.alertsRaised")).toMatchObject([
      { alerts: [{ associationId: world.associationId, accountId: ALICE.accountId }] },
    ]);
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending", "Suno pending"]);
  });

  test("checks nothing for an association that was removed", async () => {
    const world = await worldOfAlice();
    await world.stop();
    await world.resume();
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0 });
  });
});

describe("onMonitoringStopped()", () => {
  test("deletes the association's alerts, and the address' exposures and checks", async () => {
    const world = await worldOfAlice();
    await world.stop();
    expect(await world.alertsOf(ALICE.accountId)).toEqual([]);
    expect(await world.transaction(({ watches }) => watches.find(world.associationId))).toBeUndefined();
    expect(await world.health()).toMatchObject({ due: 0 });
    world.clock.pass(30 * DAY);
    await world.publishSuno();
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0 });
    expect(await knownOf(world)).toEqual([]);
  });

  test("leaves other associations of the address alone", async () => {
    const world = await worldOfAlice();
    await world.watch(bobWatchesAlice);
    await world.breaches.scanDue();
    await world.stop();
    await world.publishSuno();
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1, raised: 1 });
    expect(await world.alertsOf(ALICE.accountId)).toEqual([]);
    expect(await world.alertsOf(BOB.accountId)).toEqual(["Adobe pending", "Suno pending"]);
    expect(await knownOf(world)).toEqual(["Adobe", "Suno"]);
  });

  test("ends the checks when only suspended ones are left, and keeps the exposures for them", async () => {
    const world = await worldOfAlice();
    const other = await world.watch(bobWatchesAlice);
    await world.breaches.scanDue();
    const about = { associationId: other, ...bobWatchesAlice };
    await world.breaches.onMonitoringSuspended({ type: "tracking.monitoringSuspended", reason: "plan", ...about });
    await world.stop();
    world.clock.pass(30 * DAY);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0 });
    expect(await world.alertsOf(BOB.accountId)).toEqual(["Adobe pending"]);
    expect(await knownOf(world)).toEqual(["Adobe"]);
  });

  test("records nothing of a check in progress", async () => {
    const world = breachWorld({
      breaches: [adobe],
      exposures: { [ALICE.address]: ["Adobe"] },
      feed: (plain) => ({
        ...plain,
        async lookUp(address) {
          const answer = await plain.lookUp(address);
          await world.breaches.onMonitoringStopped({ type: "tracking.monitoringStopped", associationId, ...ALICE });
          return answer;
        },
      }),
    });
    const associationId = await world.watch(ALICE);
    expect(await world.breaches.scanDue()).toMatchObject({ raised: 0 });
    expect(await world.published()).toEqual([]);
    expect(await world.alertsOf(ALICE.accountId)).toEqual([]);
    expect(await knownOf(world)).toEqual([]);
  });

  test("leaves no unmonitored address to be queried again and again", async () => {
    const world = breachWorld();
    await world.transaction(({ scans }) => scans.add(ALICE.address, ["memory"], world.clock.now()));
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1 });
    world.clock.pass(30 * DAY);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0 });
  });

  test("does nothing when it is delivered twice", async () => {
    const world = await worldOfAlice();
    await world.stop();
    await world.stop();
    expect(await world.transaction(({ watches }) => watches.countAll(ALICE.address))).toBe(0);
  });
});

describe("checkTimesOf()", () => {
  test("returns the last and the next check, and nothing for an address that is not monitored", async () => {
    const world = await worldOfAlice();
    await world.watch(BOB);
    const times = await world.breaches.checkTimesOf([ALICE.address, BOB.address, "stranger@example.com"]);
    expect(times).toEqual(
      new Map([
        [ALICE.address, { checkedAt: new Date("2026-11-20T12:00:00Z"), dueAt: new Date("2026-11-27T12:00:00Z") }],
        [BOB.address, { checkedAt: undefined, dueAt: new Date("2026-11-20T12:00:00Z") }],
      ]),
    );
    expect(await world.breaches.checkTimesOf([])).toEqual(new Map());
  });
});
