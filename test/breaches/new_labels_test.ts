import { describe, expect, test } from "bun:test";
import { memoryFeed } from "../memory/breaches/feed.ts";
import { adobe, breachWorld, canva } from "../support/breaches.ts";
import { ALICE, aBreach } from "../support/builders.ts";

const told = (label: string, source = "memory") => ({
  says: "A kind of data has no translation yet: it is shown as its source writes it",
  source,
  label,
});
const shoes = aBreach({ name: "Shoes", dataClasses: ["Email addresses", "Shoe colours"] });

describe("a new data category", () => {
  test("is stored unchanged, and told to the operator once, as no error, not on each sync", async () => {
    const world = breachWorld({ breaches: [adobe, shoes] });
    await world.breaches.syncCatalogue();
    expect(await world.transaction(({ breaches }) => breaches.find("Shoes"))).toEqual(shoes);
    expect(world.notes).toEqual([told("Shoe colours")]);
    expect(world.reports).toEqual([]);
    await world.breaches.syncCatalogue();
    world.feed.publish({ ...shoes, pwnCount: 7 });
    world.feed.publish(aBreach({ name: "Boots", dataClasses: ["Shoe colours"] }));
    await world.breaches.syncCatalogue();
    expect(world.notes).toHaveLength(1);
  });

  test("is told when a known entry gets it, each label once", async () => {
    const world = breachWorld({ breaches: [adobe, canva] });
    await world.breaches.syncCatalogue();
    expect(world.notes).toEqual([]);
    world.feed.publish({ ...adobe, dataClasses: ["Passwords", "Shoe sizes", "Shoe colours"] });
    world.feed.publish({ ...canva, dataClasses: ["Shoe sizes", "shoe-sizes"] });
    await world.breaches.syncCatalogue();
    expect(world.notes.toSorted((one, other) => String(one.label).localeCompare(String(other.label)))).toEqual([
      told("Shoe colours"),
      told("Shoe sizes"),
    ]);
  });

  test("is also told when a check finds it before any catalogue lists it", async () => {
    const world = breachWorld({ breaches: [adobe], exposures: { [ALICE.address]: ["Shoes"] } });
    await world.breaches.syncCatalogue();
    world.feed.publish(shoes);
    await world.watch({ accountId: "alice", address: ALICE.address });
    await world.breaches.scanDue();
    expect(await world.alertsOf("alice")).toEqual(["Shoes pending"]);
    await world.breaches.syncCatalogue();
    expect(world.notes).toEqual([told("Shoe colours")]);
  });

  test("is shown unchanged in alerts", async () => {
    const world = breachWorld({ breaches: [shoes], exposures: { [ALICE.address]: ["Shoes"] } });
    await world.breaches.syncCatalogue();
    await world.watch({ accountId: "alice", address: ALICE.address });
    await world.breaches.scanDue();
    const [id] = await world.transaction(async ({ alerts }) =>
      (await alerts.latest("alice", new Date(0), 10)).map((alert) => alert.id),
    );
    const [facts] = await world.breaches.factsOfAlerts(id ? [id] : []);
    expect(facts?.breach).toMatchObject({ dataClasses: ["Email addresses", "Shoe colours"], passwordStorage: null });
  });

  test("of a second source is told once for both", async () => {
    const second = memoryFeed({ source: "second", breaches: [{ ...shoes, name: "Other" }] });
    const world = breachWorld({ breaches: [shoes], others: [second] });
    await world.breaches.syncCatalogue();
    await world.breaches.syncCatalogue("second");
    expect(world.notes).toEqual([told("Shoe colours")]);
  });
});
