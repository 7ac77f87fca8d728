import { describe, expect, test } from "bun:test";
import { adobe, breachWorld, suno } from "../support/breaches.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { HOUR, MINUTE } from "../support/clock.ts";

const serious = { ...suno, dataClasses: ["Email addresses", "Passwords"], flags: ["unverified" as const] };

/** Alice was told that nothing is found; then her source names a breach that it cannot explain yet. */
async function worldOfUnexplained() {
  const world = breachWorld({ breaches: [adobe] });
  await world.breaches.syncCatalogue();
  await world.watch(ALICE);
  await world.breaches.scanDue();
  world.feed.expose(ALICE.address, "Suno");
  world.clock.pass(7 * 24 * HOUR);
  await world.published();
  expect(await world.breaches.scanDue()).toMatchObject({ raised: 1 });
  const told = async () => {
    await world.breaches.tellAwaited();
    await world.breaches.tellChanges();
    const events = await world.published();
    const list = events.flatMap((event) =>
      event.type === "breaches.alertsRaised" || event.type === "breaches.alertsWorsened" ? [event] : [],
    );
    return list.map(({ type, alerts }) => `${type} ${alerts.length}`);
  };
  return { ...world, told };
}

describe("A breach that no source has explained yet", () => {
  test("is shown at once with what is unknown left open, and told once its facts are known", async () => {
    const world = await worldOfUnexplained();
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Suno pending"]);
    const listed = await world.breaches.listAlerts(ALICE.accountId, { state: "all", search: "", page: 1 });
    if (!listed.ok) throw new Error(listed.code);
    const unknown = { title: "Suno", breachDate: null, dataClasses: [], flags: [], pwnCount: 0, manyServices: true };
    expect(listed.value.items[0]?.breach).toMatchObject(unknown);
    expect(await world.told()).toEqual([]);
    world.clock.pass(10 * MINUTE);
    world.feed.publish(serious);
    await world.breaches.syncCatalogue();
    expect(await world.told()).toEqual(["breaches.alertsRaised 1"]);
    expect(await world.told()).toEqual([]);
    const [change] = await world.transaction(({ changes }) => changes.listByBreaches(["Suno"]));
    expect(change).toMatchObject({ removedFlags: [], happened: null, known: null, worse: false });
    await world.breaches.scanDue();
    expect(await world.told()).toEqual([]);
  });

  test("is told after an hour without facts, and again when they turn out to be serious", async () => {
    const world = await worldOfUnexplained();
    world.clock.pass(HOUR - 1);
    expect(await world.told()).toEqual([]);
    world.clock.pass(1);
    expect(await world.told()).toEqual(["breaches.alertsRaised 1"]);
    expect(await world.told()).toEqual([]);
    world.feed.publish({ ...serious, flags: [] });
    await world.breaches.syncCatalogue();
    expect(await world.told()).toEqual(["breaches.alertsWorsened 1"]);
  });

  test("is named in a first report, and told with its facts afterwards, but not without them", async () => {
    const world = await worldOfUnexplained();
    world.feed.expose(BOB.address, "Suno");
    await world.watch(BOB);
    await world.breaches.scanDue();
    expect(await world.publishedOf("breaches.baselineReady")).toMatchObject([{ alertIds: [expect.any(String)] }]);
    world.feed.publish(serious);
    await world.breaches.syncCatalogue();
    expect(await world.told()).toEqual(["breaches.alertsRaised 2"]);
    const other = await worldOfUnexplained();
    other.feed.expose(BOB.address, "Suno");
    await other.watch(BOB);
    await other.breaches.scanDue();
    other.clock.pass(HOUR);
    expect(await other.told()).toEqual(["breaches.alertsRaised 1"]);
  });
});
