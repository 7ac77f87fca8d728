import { describe, expect, test } from "bun:test";
import { bundledCatalogue, FIRST_STATE, listedAt } from "../../src/breaches/adapters/sources/bundled/bundled.ts";
import { breachWorld } from "../support/breaches.ts";
import { graver, NONE, shop, shopWorld, UNCORRECTED } from "../support/shop.ts";

describe("Changes of known breaches", () => {
  test("are recorded with their date, and not again when the catalogue is read twice", async () => {
    const world = await shopWorld();
    await world.becomes({ ...shop, pwnCount: 9, breachDate: "2025-12-31" });
    const at = world.clock.now().toISOString();
    expect(await world.breaches.syncCatalogue()).toMatchObject({ added: [], changed: [], removed: [] });
    expect(await world.changes()).toMatchObject([
      {
        ...NONE,
        breachName: "Shop",
        at,
        count: { from: 152_445_165, to: 9 },
        happened: { from: "2013-10-04", to: "2025-12-31" },
        known: null,
        title: null,
      },
    ]);
    await world.becomes({ ...shop, pwnCount: 9, breachDate: "2025-12-31", title: "The Shop" });
    const [second, first] = await world.changes();
    expect([second?.title, first?.title]).toEqual([{ from: "Shop", to: "The Shop" }, null]);
  });

  test("are not recorded if only description, logo or modification date differ, although the entry is stored", async () => {
    const world = await shopWorld();
    const after = { ...shop, description: "Longer.", logoPath: "", modifiedDate: "2026-11-01T00:00:00Z" };
    expect(await world.becomes(after)).toMatchObject({ changed: ["Shop"] });
    expect(await world.transaction(({ breaches }) => breaches.find("Shop"))).toEqual(after);
    expect(await world.changes()).toEqual([]);
  });

  test("record that a source no longer lists an entry, and that it lists it again, with the differences", async () => {
    const world = await shopWorld();
    world.feed.withdraw("Shop");
    await world.breaches.syncCatalogue();
    await world.breaches.syncCatalogue();
    expect(await world.changes()).toMatchObject([{ ...NONE, ...UNCORRECTED, retired: true }]);
    await world.becomes(graver);
    expect((await world.changes())[0]).toMatchObject({ retired: false, addedClasses: ["Passwords"], worse: true });
  });

  test("record nothing for entries that are missing from a broken list, and leave a broken entry unchanged", async () => {
    const world = await shopWorld();
    world.feed.withdraw("Shop");
    world.feed.breakEntries(1);
    expect(await world.breaches.syncCatalogue()).toMatchObject({ changed: [], removed: [], broken: 1 });
    expect(await world.changes()).toEqual([]);
    expect(await world.transaction(({ breaches }) => breaches.find("Shop"))).toEqual(shop);
  });

  test("of the bundled catalogue are two: of the four entries that differ, two differ in their description only", async () => {
    const catalogue = await bundledCatalogue();
    const world = breachWorld({ breaches: listedAt(catalogue, FIRST_STATE) });
    expect(await world.breaches.syncCatalogue()).toMatchObject({ changed: [], removed: [] });
    world.feed.publish(...listedAt(catalogue, "2026-11-20T00:00:00Z"));
    const report = await world.breaches.syncCatalogue();
    if (!("added" in report)) throw new Error("The catalogue could not be read");
    expect([report.added.length, report.removed]).toEqual([97, []]);
    expect(report.changed.toSorted()).toEqual(["Adpost", "CDEK", "Chess", "OperationEndgame3"]);
    expect(await world.breaches.syncCatalogue()).toEqual({ added: [], changed: [], removed: [], broken: 0 });
    const all = await world.transaction(({ changes }) => changes.listByBreaches([...report.changed, ...report.added]));
    const stored = all.map(({ id: _, ...change }) => change);
    const at = world.clock.now().toISOString();
    const about = (breachName: string) => ({ ...NONE, ...UNCORRECTED, breachName, at });
    expect(stored.toSorted((a, b) => a.breachName.localeCompare(b.breachName))).toEqual([
      { ...about("Chess"), count: { from: 827_620, to: 1_274_077 } },
      { ...about("OperationEndgame3"), happened: { from: "2025-11-14", to: "2025-11-13" } },
    ]);
  });
});
