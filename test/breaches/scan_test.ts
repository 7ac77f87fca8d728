import { describe, expect, test } from "bun:test";
import type { MemoryFeed } from "../../src/breaches/adapters/memory_feed.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { SourceTrouble } from "../../src/breaches/ports.ts";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach, BOB, CHARLIE } from "../support/builders.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../support/clock.ts";

const adobe = aBreach({ name: "Adobe", addedDate: "2013-12-04T00:00:00Z" });
const canva = aBreach({ name: "Canva", addedDate: "2019-08-09T14:24:01Z" });
const suno = aBreach({ name: "Suno", addedDate: "2026-07-20T19:49:51Z" });
const BLOCKED: SourceTrouble = { kind: "misconfigured", reason: "The key was refused" };
const later = (afterMs: number): SourceTrouble => ({ kind: "later", afterMs, reason: "Not now" });

/** A world whose catalogue is read, and where Alice's address is in two breaches. */
async function worldOfAlice(feed?: (plain: MemoryFeed) => MemoryFeed) {
  const exposures = { [ALICE.address]: ["Adobe", "Canva"] };
  const world = breachWorld({ breaches: [adobe, canva], exposures, ...(feed && { feed }) });
  await world.breaches.syncCatalogue();
  return world;
}

const checked = (world: ReturnType<typeof breachWorld>) =>
  world.feed.requests.flatMap(({ call, about }) => (call === "lookUp" && about !== undefined ? about : []));

describe("scanDue() at an address' first check", () => {
  test("raises one alert per breach and reports them together", async () => {
    const world = await worldOfAlice();
    const associationId = await world.watch(ALICE);
    expect(await world.breaches.scanDue()).toEqual({ checked: 1, raised: 2, trouble: undefined });
    const alerts = await world.transaction(({ alerts: all }) =>
      all.list(ALICE.accountId, { handledAfter: new Date(0) }, 0, 10),
    );
    expect(alerts.total).toBe(2);
    for (const alert of alerts.alerts) {
      expect(alert).toMatchObject({ associationId, address: ALICE.address, state: "pending", baseline: true, version: 1 });
      expect(alert.raisedAt).toEqual(world.clock.now());
    }
    expect(await world.published()).toEqual([
      {
        type: "breaches.baselineReady",
        associationId,
        accountId: ALICE.accountId,
        alertIds: expect.arrayContaining(alerts.alerts.map(({ id }) => id)),
      },
      { type: "breaches.openAlertsChanged", associationId, open: 2, version: 1 },
    ]);
  });

  test("reports also that nothing was found", async () => {
    const world = await worldOfAlice();
    const associationId = await world.watch(BOB);
    expect(await world.breaches.scanDue()).toEqual({ checked: 1, raised: 0, trouble: undefined });
    expect(await world.published()).toEqual([
      { type: "breaches.baselineReady", associationId, accountId: BOB.accountId, alertIds: [] },
      { type: "breaches.openAlertsChanged", associationId, open: 0, version: 1 },
    ]);
  });

  test("asks the source once, however many associations watch the address", async () => {
    const world = await worldOfAlice();
    const watchers = [ALICE, BOB, CHARLIE].map(({ accountId }) => ({ accountId, address: ALICE.address }));
    const associations = await Promise.all(watchers.map(world.watch));
    expect(await world.breaches.scanDue()).toEqual({ checked: 1, raised: 6, trouble: undefined });
    expect(world.checksOf(ALICE.address)).toBe(1);
    const baselines = await world.publishedOf("breaches.baselineReady");
    expect(baselines.map(({ associationId }) => associationId).toSorted()).toEqual(associations.toSorted());
    for (const { alertIds } of baselines) expect(alertIds).toHaveLength(2);
    expect(new Set(baselines.flatMap(({ alertIds }) => alertIds)).size).toBe(6);
  });

  test("gives a second account its own report of an address that is watched already", async () => {
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
    expect(changed).toEqual({ type: "breaches.openAlertsChanged", associationId, open: 2, version: 1 });
    expect(others).toEqual([]);
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending", "Canva pending"]);
  });

  test("gives one account that watches two addresses of one breach an alert for each", async () => {
    const world = await worldOfAlice();
    const second = "alice@example.net";
    world.feed.expose(second, "Adobe");
    await world.watch(ALICE);
    await world.watch({ accountId: ALICE.accountId, address: second });
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 2, raised: 3 });
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending", "Adobe pending", "Canva pending"]);
  });

  test("does not swallow a breach that is published while it runs", async () => {
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
    expect(await world.publishedOf("breaches.alertsRaised")).toEqual([]);
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending", "Canva pending"]);
    await world.breaches.scanDue();
    const [raised] = await world.publishedOf("breaches.alertsRaised");
    expect(raised?.alerts).toHaveLength(1);
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending", "Canva pending", "Suno pending"]);
  });

  test("checks again for an association that came while it ran", async () => {
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
    await world.breaches.scanDue();
    expect(world.checksOf(ALICE.address)).toBe(1);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1 });
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

  test("raises an alert for a new breach, at once and not as a report", async () => {
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
      { type: "breaches.openAlertsChanged", associationId, open: 3, version: 2 },
      {
        type: "breaches.alertsRaised",
        alerts: [{ alertId: alert?.id ?? "", associationId, accountId: ALICE.accountId }],
      },
    ]);
  });

  test("announces a new breach once for all who watch, and reports to the newcomer among them", async () => {
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

  test("adds nothing and says nothing when the answer is the same", async () => {
    const { world } = await afterFirstCheck();
    world.clock.pass(8 * DAY);
    expect(await world.breaches.scanDue()).toEqual({ checked: 1, raised: 0, trouble: undefined });
    expect(await world.published()).toEqual([]);
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending", "Canva pending"]);
  });

  test("keeps what the source no longer tells", async () => {
    const world = breachWorld({ breaches: [adobe], exposures: { [ALICE.address]: ["Adobe"] } });
    await world.watch(ALICE);
    await world.breaches.scanDue();
    const silent = breachWorld({ breaches: [adobe] });
    const breaches = createBreaches({ ...world.deps, feed: silent.feed });
    world.clock.pass(8 * DAY);
    expect(await breaches.scanDue()).toMatchObject({ checked: 1, raised: 0 });
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending"]);
  });

  test("comes a week after the last, and not a millisecond earlier", async () => {
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

describe("scanDue() with more than one address", () => {
  test("takes new addresses first, then those whose last check is the oldest", async () => {
    const world = await worldOfAlice();
    for (const person of [BOB, ALICE]) {
      await world.watch(person);
      await world.breaches.scanDue();
      world.clock.pass(HOUR);
    }
    world.feed.publish(suno);
    await world.breaches.syncCatalogue();
    await world.watch(CHARLIE);
    const before = checked(world).length;
    await world.breaches.scanDue();
    expect(checked(world).slice(before)).toEqual([CHARLIE.address, BOB.address, ALICE.address]);
  });

  test("takes those checked under an older catalogue before those that are due by time", async () => {
    const world = await worldOfAlice();
    await world.watch(ALICE);
    await world.breaches.scanDue();
    world.feed.publish(suno);
    await world.breaches.syncCatalogue();
    world.clock.pass(MINUTE);
    world.feed.failNext("lookUp", later(8 * DAY));
    await world.breaches.scanDue();
    await world.watch(BOB);
    await world.breaches.scanDue();
    world.clock.pass(8 * DAY);
    const before = checked(world).length;
    await world.breaches.scanDue();
    expect(checked(world).slice(before)).toEqual([ALICE.address, BOB.address]);
  });

  test("goes on until nothing is due", async () => {
    const world = await worldOfAlice();
    for (let number = 0; number < 120; number++) {
      await world.watch({ accountId: BOB.accountId, address: `bob+${number}@example.net` });
    }
    expect(await world.breaches.scanDue()).toEqual({ checked: 120, raised: 0, trouble: undefined });
    expect(new Set(checked(world)).size).toBe(120);
    expect(await world.breaches.sourceHealth()).toMatchObject({ due: 0 });
  });

  test("shares the work with another process without doing any of it twice", async () => {
    const world = await worldOfAlice();
    for (let number = 0; number < 120; number++) {
      await world.watch({ accountId: BOB.accountId, address: `bob+${number}@example.net` });
    }
    const reports = await Promise.all([world.breaches.scanDue(), createBreaches(world.deps).scanDue()]);
    expect(reports.map((report) => report.checked).toSorted()).toEqual([50, 70]);
    expect(checked(world)).toHaveLength(120);
    expect(await world.publishedOf("breaches.baselineReady")).toHaveLength(120);
  });
});

describe("scanDue() and an answer that does not come", () => {
  test("leaves the last result as it is, tells nobody, and asks again when the source allows", async () => {
    const world = await worldOfAlice();
    await world.watch(ALICE);
    await world.breaches.scanDue();
    await world.published();
    const checkedAt = world.clock.now();
    world.clock.pass(8 * DAY);
    world.feed.failNext("lookUp", later(MINUTE));
    expect(await world.breaches.scanDue()).toEqual({ checked: 0, raised: 0, trouble: later(MINUTE) });
    expect(await world.checkedAt(ALICE.address)).toEqual(checkedAt);
    expect(await world.published()).toEqual([]);
    world.clock.pass(MINUTE - 1);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0, trouble: undefined });
    expect(world.checksOf(ALICE.address)).toBe(2);
    world.clock.pass(1);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1 });
    expect(await world.checkedAt(ALICE.address)).toEqual(world.clock.now());
  });

  test("never ends a first check by trouble", async () => {
    const world = await worldOfAlice();
    const associationId = await world.watch(ALICE);
    for (const trouble of [later(MINUTE), BLOCKED]) {
      world.feed.failNext("lookUp", trouble);
      await world.breaches.scanDue();
      world.clock.pass(HOUR);
    }
    expect(await world.checkedAt(ALICE.address)).toBeUndefined();
    expect(await world.published()).toEqual([]);
    expect(await world.transaction(({ watches }) => watches.find(associationId))).toMatchObject({ baselineAt: undefined });
    await world.breaches.scanDue();
    expect(await world.publishedOf("breaches.baselineReady")).toMatchObject([{ associationId }]);
  });

  test("puts the rest of the batch back without asking for it", async () => {
    const world = await worldOfAlice();
    for (const person of [ALICE, BOB, CHARLIE]) await world.watch(person);
    world.feed.failNext("lookUp", later(MINUTE));
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0 });
    expect(checked(world)).toEqual([ALICE.address]);
    world.clock.pass(MINUTE);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 3 });
  });

  test("waits for the source's next slot when that is near", async () => {
    const world = await worldOfAlice();
    await world.watch(ALICE);
    await world.watch(BOB);
    world.feed.failNext("lookUp", later(6 * SECOND), later(10 * SECOND));
    expect(await world.breaches.scanDue()).toEqual({ checked: 2, raised: 2, trouble: undefined });
    expect(world.waits).toEqual([6 * SECOND, 10 * SECOND]);
  });

  test("does not wait for a slot that is far, nor past half its lease", async () => {
    const world = await worldOfAlice();
    await world.watch(ALICE);
    world.feed.failNext("lookUp", later(10 * SECOND + 1));
    expect(await world.breaches.scanDue()).toMatchObject({ trouble: later(10 * SECOND + 1) });
    expect(world.waits).toEqual([]);
    world.clock.pass(MINUTE);
    world.feed.failNext("lookUp", ...Array.from({ length: 100 }, () => later(10 * SECOND)));
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0, trouble: later(10 * SECOND) });
    expect(world.waits).toHaveLength(15);
  });

  test("tells the operator what has to be put right, and tries again ever more rarely", async () => {
    const world = await worldOfAlice();
    await world.watch(ALICE);
    for (const wait of [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, HOUR]) {
      world.feed.failNext("lookUp", BLOCKED);
      expect(await world.breaches.scanDue()).toEqual({ checked: 0, raised: 0, trouble: BLOCKED });
      expect((await world.breaches.sourceHealth()).trouble).toBe("The key was refused");
      world.clock.pass(wait - 1);
      expect(await world.breaches.scanDue()).toMatchObject({ trouble: undefined, checked: 0 });
      world.clock.pass(1);
    }
    expect(world.reports).toHaveLength(5);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1 });
  });

  test("goes on with the others when one address fails unexpectedly, and comes back to it", async () => {
    let isBroken = true;
    const world = await worldOfAlice((plain) => ({
      ...plain,
      async lookUp(address) {
        if (isBroken && address === ALICE.address) throw new Error("Cannot read the answer");
        return plain.lookUp(address);
      },
    }));
    await world.watch(ALICE);
    await world.watch(BOB);
    expect(await world.breaches.scanDue()).toEqual({ checked: 1, raised: 0, trouble: undefined });
    expect(world.reports).toEqual(["Cannot read the answer"]);
    expect(await world.checkedAt(ALICE.address)).toBeUndefined();
    isBroken = false;
    world.clock.pass(MINUTE);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1, raised: 2 });
  });

  test("records nothing when its lease was lost meanwhile", async () => {
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
      world.clock.pass(5 * MINUTE + 1);
      expect(await createBreaches(world.deps).scanDue()).toMatchObject({ checked: 1, raised: 2 });
    };
    expect(await world.breaches.scanDue()).toMatchObject({ raised: 0, trouble: undefined });
    expect(await world.publishedOf("breaches.baselineReady")).toHaveLength(1);
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending", "Canva pending"]);
  });

  test("takes over from a process that died", async () => {
    const world = await worldOfAlice();
    await world.watch(ALICE);
    await world.transaction(({ scans }) => scans.claimDue("memory", 50, world.clock.now(), 5 * MINUTE));
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0 });
    world.clock.pass(5 * MINUTE + 1);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1, raised: 2 });
  });
});

describe("scanDue() and a breach that the stored catalogue lacks", () => {
  test("asks the source for it by name", async () => {
    const world = await worldOfAlice();
    world.feed.publish(suno);
    world.feed.expose(BOB.address, "Suno");
    await world.watch(BOB);
    expect(await world.breaches.scanDue()).toMatchObject({ raised: 1 });
    expect(await world.transaction(({ breaches }) => breaches.find("Suno"))).toEqual(suno);
  });

  test("lets its name stand for it when the source does not know it either, until the catalogue lists it", async () => {
    const world = await worldOfAlice();
    world.feed.expose(BOB.address, "Suno");
    await world.watch(BOB);
    expect(await world.breaches.scanDue()).toMatchObject({ raised: 1 });
    expect(await world.transaction(({ breaches }) => breaches.find("Suno"))).toMatchObject({
      title: "Suno",
      breachDate: "2026-11-20",
      dataClasses: [],
      flags: ["unverified"],
    });
    expect(await world.breaches.syncCatalogue()).toMatchObject({ added: [], removed: [] });
    world.feed.publish(suno);
    expect(await world.breaches.syncCatalogue()).toMatchObject({ added: ["Suno"] });
    expect(await world.transaction(({ breaches }) => breaches.find("Suno"))).toEqual(suno);
  });

  test("does not overwrite what the catalogue brought in the meantime", async () => {
    const world = await worldOfAlice((plain) => ({
      ...plain,
      async breach(name) {
        const answer = await plain.breach(name);
        world.feed.publish(suno);
        await world.breaches.syncCatalogue();
        return answer;
      },
    }));
    world.feed.expose(BOB.address, "Suno");
    await world.watch(BOB);
    await world.breaches.scanDue();
    expect(await world.transaction(({ breaches }) => breaches.find("Suno"))).toEqual(suno);
  });

  test("records nothing while that question has no answer", async () => {
    const world = await worldOfAlice();
    world.feed.expose(BOB.address, "Suno");
    world.feed.failNext("breach", later(MINUTE));
    await world.watch(BOB);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0, trouble: later(MINUTE) });
    expect(await world.checkedAt(BOB.address)).toBeUndefined();
    expect(await world.published()).toEqual([]);
  });

  test("takes a name that the source says twice as one", async () => {
    const world = await worldOfAlice((plain) => ({
      ...plain,
      lookUp: async () => ({ kind: "found", breaches: ["Suno", "Suno"] }),
    }));
    await world.watch(BOB);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1, raised: 1 });
    expect(world.feed.requests.filter(({ call }) => call === "breach")).toHaveLength(1);
  });
});
