import { describe, expect, test } from "bun:test";
import { adobe, breachWorld, canva, suno } from "../support/breaches.ts";
import { ALICE, aBreach, accepted, BOB } from "../support/builders.ts";

const SHOP = "alice+adobe@example.com";
const NEWS = "alice+news@example.com";

/** Alice's address is checked, and in the Canva breach. */
async function aliceWorld(exposures: Record<string, string[]> = {}) {
  const world = breachWorld({
    breaches: [adobe, canva],
    exposures: { [ALICE.address]: ["Canva"], ...exposures },
    asks: { accounts: { of: async () => ({ email: ALICE.address, language: "en", verified: true }) } },
  });
  await world.breaches.syncCatalogue();
  const associationId = await world.watch(ALICE);
  await world.breaches.scanDue();
  await world.published();
  const event = (aliasId: string, address: string) => ({ aliasId, associationId, accountId: ALICE.accountId, address });
  const ids = new Map<string, string>();
  return {
    ...world,
    associationId,
    async start(...addresses: string[]) {
      for (const address of addresses) {
        const id = crypto.randomUUID();
        ids.set(address, id);
        await world.breaches.onAliasStarted({ type: "tracking.aliasStarted", ...event(id, address) });
      }
    },
    stop: (address: string) =>
      world.breaches.onAliasStopped({ type: "tracking.aliasStopped", ...event(ids.get(address) ?? "", address) }),
    async alerts() {
      const { items } = accepted(
        await world.breaches.listAlerts(ALICE.accountId, { state: "all", search: "", page: 1 }),
      );
      const byName = items.toSorted((a, b) => ((a.breach?.name ?? "") < (b.breach?.name ?? "") ? -1 : 1));
      return byName.map(({ id, address, breach, state, foundUnder, sources }) => ({
        ...{ id, address, state, sources, breach: breach?.name },
        under: foundUnder.map((found) => found.address),
        named: foundUnder.filter(({ namesService }) => namesService).map((found) => found.address),
      }));
    },
    told: async () => (await world.publishedOf("breaches.alertsRaised")).map(({ alerts }) => alerts),
  };
}

describe("an alias", () => {
  test("is checked at once, and its alerts are those of the tracked address", async () => {
    const world = await aliceWorld({ [SHOP]: ["Adobe"] });
    await world.start(SHOP);
    await world.breaches.scanDue();
    expect(world.lookedUp()).toContain(SHOP);
    expect(await world.alerts()).toMatchObject([
      { address: ALICE.address, breach: "Adobe", state: "pending", under: [SHOP], named: [SHOP], sources: ["memory"] },
      { address: ALICE.address, breach: "Canva", under: [], named: [] },
    ]);
    const counts = (await world.publishedOf("breaches.openAlertsChanged")).flatMap((event) => event.counts);
    expect(counts.at(-1)).toMatchObject({ associationId: world.associationId, open: 2 });
    expect(await world.checkedAt(SHOP)).toBeDefined();
  });

  test("is told with all the others, once each is checked, in one event", async () => {
    const world = await aliceWorld({ [SHOP]: ["Adobe"], [NEWS]: ["Adobe", "Canva"] });
    await world.start(SHOP, NEWS);
    await world.breaches.scanDue();
    const [told, ...others] = await world.told();
    expect(others).toEqual([]);
    expect(told).toHaveLength(2);
    expect(new Set(told?.map(({ alertId }) => alertId)).size).toBe(2);
    expect(told?.every(({ again = 0 }) => again > 0)).toBe(true);
    expect(await world.alerts()).toMatchObject([
      { breach: "Adobe", under: [SHOP, NEWS] },
      { breach: "Canva", under: [NEWS, ALICE.address] },
    ]);
  });

  test("says nothing when its first check finds nothing", async () => {
    const world = await aliceWorld();
    await world.start(SHOP, NEWS);
    await world.breaches.scanDue();
    expect((await world.published()).map(({ type }) => type)).not.toContain("breaches.alertsRaised");
  });

  test("raises a later breach as an alert of its own, at once", async () => {
    const world = await aliceWorld();
    await world.start(SHOP, NEWS);
    await world.breaches.scanDue();
    await world.published();
    world.feed.publish(suno);
    world.feed.expose(NEWS, "Suno");
    await world.breaches.pollCatalogue();
    await world.breaches.scanDue();
    expect((await world.alerts())[1]).toMatchObject({ breach: "Suno", under: [NEWS], named: [] });
    expect(await world.told()).toMatchObject([[{ associationId: world.associationId }]]);
  });

  test("makes a handled alert pending again, which is told once more", async () => {
    const world = await aliceWorld({ [SHOP]: ["Canva"] });
    const [canvas] = await world.alerts();
    accepted(await world.breaches.handleAlert(ALICE.accountId, canvas?.id ?? "", 1));
    await world.start(SHOP);
    await world.breaches.scanDue();
    expect(await world.alerts()).toMatchObject([{ id: canvas?.id, state: "pending", under: [SHOP, ALICE.address] }]);
    expect(await world.told()).toEqual([
      [{ alertId: canvas?.id ?? "", associationId: world.associationId, accountId: ALICE.accountId, again: 3 }],
    ]);
    await world.breaches.scanDue();
    expect(await world.told()).toEqual([]);
  });

  test("pauses and resumes with its address", async () => {
    const world = await aliceWorld();
    const about = { associationId: world.associationId, ...ALICE, reason: "paused" as const };
    await world.start(SHOP);
    await world.breaches.scanDue();
    await world.breaches.onMonitoringSuspended({ type: "tracking.monitoringSuspended", ...about });
    await world.start(NEWS);
    const before = world.lookedUp().length;
    world.clock.pass(30 * 24 * 3_600_000);
    await world.breaches.scanDue();
    expect(world.lookedUp()).toHaveLength(before);
    await world.breaches.onMonitoringResumed({ type: "tracking.monitoringResumed", ...about });
    await world.breaches.scanDue();
    expect(world.lookedUp().slice(before).toSorted()).toEqual([SHOP, NEWS, ALICE.address].toSorted());
  });

  test("that is removed is checked no more, and leaves nothing of its own", async () => {
    const world = await aliceWorld({ [SHOP]: ["Adobe", "Canva"] });
    await world.start(SHOP);
    await world.breaches.scanDue();
    await world.published();
    await world.stop(SHOP);
    expect(await world.alerts()).toMatchObject([{ breach: "Canva", under: [] }]);
    const counts = (await world.publishedOf("breaches.openAlertsChanged")).flatMap((event) => event.counts);
    expect(counts).toMatchObject([{ open: 1 }]);
    expect(await world.checkedAt(SHOP)).toBeUndefined();
    const stored = await world.transaction(async ({ alerts, disclosures, watches }) => [
      ...(await alerts.listExposures(SHOP, 9)),
      ...(await disclosures.list(SHOP)),
      ...(await watches.listActive([SHOP])),
    ]);
    expect(stored).toEqual([]);
  });

  test("that is removed takes alerts along that the previous release raised for itself", async () => {
    const world = await aliceWorld({ [SHOP]: ["Adobe"] });
    await world.start(SHOP);
    await world.transaction(async ({ watches, alerts }) => {
      const id = (await watches.listAliases(world.associationId))[0]?.associationId ?? "";
      await watches.remove(id);
      await watches.add({ associationId: id, ...BOB, address: SHOP, details: true, sensitive: true });
      await alerts.addMissing([{ address: SHOP, breachNames: ["Adobe"] }], world.clock.now(), "memory");
    });
    await world.stop(SHOP);
    const left = world.transaction(({ alerts }) => alerts.listBreachNames(BOB.accountId, SHOP));
    expect(await left).toEqual([]);
  });

  test("stays checked for others who track it", async () => {
    const world = await aliceWorld({ [SHOP]: ["Adobe"] });
    await world.watch({ ...BOB, address: SHOP });
    await world.start(SHOP);
    await world.breaches.scanDue();
    await world.stop(SHOP);
    expect(await world.checkedAt(SHOP)).toBeDefined();
    expect(await world.alertsOf(BOB.accountId)).toEqual(["Adobe pending"]);
  });

  test("ends with its address, and does not begin without it", async () => {
    const world = await aliceWorld({ [SHOP]: ["Adobe"] });
    await world.start(SHOP);
    await world.breaches.scanDue();
    const about = { associationId: world.associationId, ...ALICE };
    await world.breaches.onMonitoringStopped({ type: "tracking.monitoringStopped", ...about });
    await world.start(NEWS);
    expect(await world.alerts()).toEqual([]);
    expect(await world.checkedAt(SHOP)).toBeUndefined();
    world.clock.pass(30 * 24 * 3_600_000);
    const before = world.lookedUp().length;
    await world.breaches.scanDue();
    expect(world.lookedUp()).toHaveLength(before);
  });
});

test("an alias that is named after one service among many accuses no one", async () => {
  const list = aBreach({ name: "Collection1", title: "Adobe", domain: "", flags: ["spamList"] });
  const world = breachWorld({ breaches: [list], exposures: { [SHOP]: ["Collection1"] } });
  await world.breaches.syncCatalogue();
  const associationId = await world.watch(ALICE);
  const about = { aliasId: crypto.randomUUID(), associationId, accountId: ALICE.accountId, address: SHOP };
  await world.breaches.onAliasStarted({ type: "tracking.aliasStarted", ...about });
  await world.breaches.scanDue();
  const { items } = accepted(await world.breaches.listAlerts(ALICE.accountId, { state: "all", search: "", page: 1 }));
  expect(items.map(({ foundUnder }) => foundUnder)).toEqual([[{ address: SHOP, namesService: false }]]);
});
