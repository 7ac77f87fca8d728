import { describe, expect, test } from "bun:test";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { SourceTrouble } from "../../src/breaches/ports.ts";
import { memoryFeed } from "../memory/breaches/feed.ts";
import { adobe, breachWorld, canva, later } from "../support/breaches.ts";
import { ALICE, aBreach, BOB } from "../support/builders.ts";
import { DAY, HOUR, MINUTE } from "../support/clock.ts";

const BLOCKED: SourceTrouble = { kind: "misconfigured", reason: "Blocked" };
const theirs = { ...adobe, title: "ADOBE", breachDate: "2013-10-01" };
const shop = aBreach({ name: "Shop" });

/** A main source with Adobe and Canva, and a second one with its own names for Adobe and Shop. */
function twoSources() {
  const second = memoryFeed({
    source: "second",
    naming: "own",
    breaches: [theirs, shop],
    exposures: { [ALICE.address]: ["Adobe", "Shop"] },
  });
  const world = breachWorld({
    breaches: [adobe, canva],
    exposures: { [ALICE.address]: ["Adobe", "Canva"] },
    others: [second],
  });
  const syncAll = async () => {
    for (const { source } of world.deps.feeds) await world.breaches.syncCatalogue(source);
  };
  /** The sources by breach name. */
  const sourcesOf = async (accountId: string) => {
    const listed = await world.breaches.listAlerts(accountId, { state: "all", search: "", page: 1 });
    if (!listed.ok) throw new Error(listed.code);
    return Object.fromEntries(listed.value.items.map(({ breach, sources }) => [breach?.name, sources.toSorted()]));
  };
  return { ...world, second, syncAll, sourcesOf };
}

describe("several sources", () => {
  test("raise one alert that names both for a breach that two of them report, and one first report", async () => {
    const world = twoSources();
    await world.syncAll();
    await world.watch(ALICE);
    expect(await world.breaches.scanDue()).toEqual({ checked: 2, raised: 3, trouble: undefined });
    expect(await world.sourcesOf(ALICE.accountId)).toEqual({
      Adobe: ["memory", "second"],
      Canva: ["memory"],
      "second:Shop": ["second"],
    });
    const reports = await world.publishedOf("breaches.baselineReady");
    expect(reports.map(({ alertIds }) => alertIds.length)).toEqual([3]);
    expect(await world.checkedAt(ALICE.address)).toEqual(world.clock.now());
  });

  test("are given no addresses by a process that stops, and all of them by the next one", async () => {
    const world = breachWorld({ breaches: [adobe] });
    for (const person of [ALICE, BOB]) await world.watch(person);
    const second = memoryFeed({ source: "second", naming: "own", breaches: [shop] });
    const process = () => createBreaches({ ...world.deps, feeds: [...world.deps.feeds, second] });
    const dueAtSecond = () => world.transaction(({ scans }) => scans.timesOf([ALICE.address, BOB.address], ["second"]));
    await process().scanDue("second", () => true);
    expect(await dueAtSecond()).toEqual(new Map());
    expect(await process().scanDue("second")).toMatchObject({ checked: 2 });
    expect((await dueAtSecond()).size).toBe(2);
  });

  test("do not count an address as checked, or report it, while one of them is outstanding", async () => {
    const world = twoSources();
    await world.watch(ALICE);
    await world.breaches.scanDue("memory");
    expect(await world.checkedAt(ALICE.address)).toBeUndefined();
    expect(await world.publishedOf("breaches.baselineReady")).toEqual([]);
    await world.breaches.scanDue("second");
    expect(await world.checkedAt(ALICE.address)).toEqual(world.clock.now());
    expect(await world.publishedOf("breaches.baselineReady")).toHaveLength(1);
  });

  test.each([BLOCKED, later(HOUR)])(
    "are not delayed by a failing one, which reports its breaches after its recovery: %j",
    async (trouble) => {
      const world = twoSources();
      await world.syncAll();
      world.second.failNext("lookUp", trouble);
      await world.watch(ALICE);
      await world.breaches.scanDue();
      expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending", "Canva pending"]);
      const [report] = await world.publishedOf("breaches.baselineReady");
      expect(report?.alertIds).toHaveLength(2);
      expect(await world.breaches.sourcesHealth()).toMatchObject([
        { source: "memory", lookUpTrouble: null, due: 0 },
        { source: "second", lookUpTrouble: trouble.reason, due: 1 },
      ]);
      world.clock.pass(HOUR);
      await world.breaches.scanDue();
      const [news] = await world.publishedOf("breaches.alertsRaised");
      expect(news?.alerts).toHaveLength(1);
      expect(await world.sourcesOf(ALICE.accountId)).toMatchObject({ Adobe: ["memory", "second"] });
      expect((await world.breaches.sourcesHealth())[1]?.lookUpTrouble).toBeNull();
    },
  );

  test("are not delayed by one whose next slot is later, which is not reported as a failure", async () => {
    const world = twoSources();
    await world.syncAll();
    world.second.failNext("lookUp", { kind: "later", afterMs: 15 * MINUTE, reason: "Not our turn", isRateLimit: true });
    await world.watch(ALICE);
    await world.breaches.scanDue();
    expect(await world.publishedOf("breaches.baselineReady")).toHaveLength(1);
    expect(world.reports).toEqual([]);
    world.clock.pass(15 * MINUTE);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1, raised: 1 });
  });

  test("give no report while none is available", async () => {
    const world = twoSources();
    world.feed.failNext("lookUp", BLOCKED);
    world.second.failNext("lookUp", BLOCKED);
    await world.watch(ALICE);
    await world.breaches.scanDue();
    expect(await world.published()).toEqual([]);
    expect(await world.checkedAt(ALICE.address)).toBeUndefined();
  });

  test("do not wait for one that cannot query an address, and do not count it as checked", async () => {
    const world = twoSources();
    world.second.refuse(ALICE.address);
    await world.watch(ALICE);
    await world.breaches.scanDue();
    expect(await world.publishedOf("breaches.baselineReady")).toHaveLength(1);
    expect(await world.checkedAt(ALICE.address)).toEqual(world.clock.now());
    const alone = breachWorld();
    alone.feed.refuse(BOB.address);
    await alone.watch(BOB);
    await alone.breaches.scanDue();
    expect(await alone.published()).toEqual([]);
    expect(await alone.checkedAt(BOB.address)).toBeUndefined();
  });

  test("include one that is added later, which checks addresses already monitored", async () => {
    const world = twoSources();
    const before = createBreaches({ ...world.deps, feeds: [world.feed] });
    await before.onMonitoringStarted({
      type: "tracking.monitoringStarted",
      associationId: crypto.randomUUID(),
      ...ALICE,
      scope: { details: true, sensitive: true },
    });
    await before.scanDue();
    expect(await createBreaches(world.deps).scanDue()).toMatchObject({ checked: 1, raised: 2 });
    expect(world.second.requests.filter(({ call }) => call === "lookUp")).toHaveLength(1);
  });

  test("merge a breach that turns out to be another's: one alert, and the count is published", async () => {
    const world = twoSources();
    const associationId = await world.watch(ALICE);
    await world.breaches.scanDue();
    expect(await world.alertsOf(ALICE.accountId)).toHaveLength(4);
    await world.published();
    await world.syncAll();
    expect(await world.sourcesOf(ALICE.accountId)).toEqual({
      Adobe: ["memory", "second"],
      Canva: ["memory"],
      "second:Shop": ["second"],
    });
    const counts = await world.publishedOf("breaches.openAlertsChanged");
    expect(counts.at(-1)).toMatchObject({ counts: [{ associationId, open: 3 }] });
    await world.syncAll();
    expect(await world.published()).toEqual([]);
  });

  test("have a separate poll, generation and failure state each", async () => {
    const world = twoSources();
    await world.syncAll();
    await world.watch(ALICE);
    await world.breaches.scanDue();
    world.second.failNext("latest", BLOCKED);
    world.clock.pass(MINUTE);
    await world.breaches.pollCatalogue("second");
    await world.breaches.pollCatalogue("memory");
    const health = await world.breaches.sourcesHealth();
    expect(health.map(({ source, trouble }) => [source, trouble])).toEqual([
      ["memory", null],
      ["second", "Blocked"],
    ]);
    world.second.publish(aBreach({ name: "New" }));
    await world.breaches.syncCatalogue("second");
    expect((await world.breaches.sourcesHealth()).map(({ due }) => due)).toEqual([0, 1]);
    world.clock.pass(DAY);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1 });
  });
});
