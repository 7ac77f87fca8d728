import { describe, expect, test } from "bun:test";
import { memoryFeed } from "../memory/breaches/feed.ts";
import { adobe, breachWorld, canva } from "../support/breaches.ts";
import { ALICE, aBreach } from "../support/builders.ts";

const told = (label: string) =>
  `There are no words for the kind of data "${label}" yet: it is shown as its source writes it`;
const shoes = aBreach({ name: "Shoes", dataClasses: ["Email addresses", "Shoe colours"] });

describe("a kind of stolen data that is new", () => {
  test("is stored as it came, and told to the operator once, not with each sync", async () => {
    const world = breachWorld({ breaches: [adobe, shoes] });
    await world.breaches.syncCatalogue();
    expect(await world.transaction(({ breaches }) => breaches.find("Shoes"))).toEqual(shoes);
    expect(world.reports).toEqual([told("Shoe colours")]);
    await world.breaches.syncCatalogue();
    world.feed.publish({ ...shoes, pwnCount: 7 });
    world.feed.publish(aBreach({ name: "Boots", dataClasses: ["Shoe colours"] }));
    await world.breaches.syncCatalogue();
    expect(world.reports).toHaveLength(1);
  });

  test("is told when an entry that was known gets it, each label once", async () => {
    const world = breachWorld({ breaches: [adobe, canva] });
    await world.breaches.syncCatalogue();
    expect(world.reports).toEqual([]);
    world.feed.publish({ ...adobe, dataClasses: ["Passwords", "Shoe sizes", "Shoe colours"] });
    world.feed.publish({ ...canva, dataClasses: ["Shoe sizes", "shoe-sizes"] });
    await world.breaches.syncCatalogue();
    expect(world.reports.toSorted()).toEqual([told("Shoe colours"), told("Shoe sizes")]);
  });

  test("is told, too, when a check met it before any catalogue listed it", async () => {
    const world = breachWorld({ breaches: [adobe], exposures: { [ALICE.address]: ["Shoes"] } });
    await world.breaches.syncCatalogue();
    world.feed.publish(shoes);
    await world.watch({ accountId: "alice", address: ALICE.address });
    await world.breaches.scanDue();
    expect(await world.alertsOf("alice")).toEqual(["Shoes pending"]);
    await world.breaches.syncCatalogue();
    expect(world.reports).toEqual([told("Shoe colours")]);
  });

  test("is shown as it came in alerts", async () => {
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
    expect(world.reports).toEqual([told("Shoe colours")]);
  });
});
