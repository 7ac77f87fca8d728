import { describe, expect, test } from "bun:test";
import type { SourceTrouble } from "../../src/breaches/ports.ts";
import { adobe, breachWorld, canva, suno } from "../support/breaches.ts";
import { ALICE, aBreach, BOB } from "../support/builders.ts";
import { MINUTE } from "../support/clock.ts";

const OUTAGE: SourceTrouble = { kind: "later", afterMs: 30 * MINUTE, reason: "The source is down" };
/** Enough entries that one more or less is nothing unusual. */
const others = Array.from({ length: 20 }, (_, number) => aBreach({ name: `Other${number}` }));

describe("syncCatalogue()", () => {
  test("stores the source's entries", async () => {
    const world = breachWorld({ breaches: [adobe, canva] });
    expect(await world.breaches.syncCatalogue()).toEqual({
      added: ["Adobe", "Canva"],
      changed: [],
      removed: [],
      broken: 0,
    });
    expect(await world.transaction(({ breaches }) => breaches.find("Canva"))).toEqual(canva);
    expect(await world.stateOf()).toEqual({
      source: "memory",
      latestName: "Canva",
      latestAdded: "2019-08-09T14:24:01Z",
      generation: 1,
      syncedAt: world.clock.now(),
      checkedAt: world.clock.now(),
      trouble: undefined,
      lookUpTrouble: undefined,
      leftOut: [],
      pausedUntil: undefined,
    });
  });

  test("changes nothing and makes no address due when the same catalogue is read twice", async () => {
    const world = breachWorld({ breaches: [adobe, canva] });
    await world.breaches.syncCatalogue();
    expect(await world.breaches.syncCatalogue()).toEqual({ added: [], changed: [], removed: [], broken: 0 });
    expect((await world.stateOf()).generation).toBe(1);
  });

  test("stores any change of content, even if the source's modification date is unchanged", async () => {
    const changes = [
      { title: "Adobe Systems" },
      { domain: "adobe.test" },
      { breachDate: "2013-10-05" },
      { addedDate: "2013-12-05T00:00:00Z" },
      { modifiedDate: "2026-01-01T00:00:00Z" },
      { dataClasses: ["Email addresses"] },
      { flags: ["sensitive" as const] },
      { pwnCount: 1 },
      { description: "Corrected." },
      { logoPath: "https://logos.example/List.png" },
      { attribution: "somebody@example.com" },
      { disclosureUrl: "https://adobe.example/notice" },
    ];
    const world = breachWorld({ breaches: [adobe] });
    await world.breaches.syncCatalogue();
    for (const change of changes) {
      world.feed.publish({ ...adobe, ...change });
      expect(await world.breaches.syncCatalogue()).toMatchObject({ added: [], changed: ["Adobe"], removed: [] });
      expect(await world.transaction(({ breaches }) => breaches.find("Adobe"))).toEqual({ ...adobe, ...change });
      world.feed.publish(adobe);
      await world.breaches.syncCatalogue();
    }
  });

  test("makes every address due for a new entry, and none for a corrected one", async () => {
    const world = breachWorld({ breaches: [adobe] });
    await world.breaches.syncCatalogue();
    await world.watch(ALICE);
    await world.breaches.scanDue();
    world.feed.publish({ ...adobe, description: "Corrected." });
    await world.breaches.syncCatalogue();
    expect((await world.breaches.scanDue()).checked).toBe(0);
    world.feed.publish(canva, suno);
    await world.breaches.syncCatalogue();
    expect((await world.stateOf()).generation).toBe(2);
    expect((await world.breaches.scanDue()).checked).toBe(1);
  });

  test("makes every address due for a new entry that one check has seen before", async () => {
    const world = breachWorld({ breaches: [adobe] });
    await world.breaches.syncCatalogue();
    await world.watch(BOB);
    await world.breaches.scanDue();
    world.feed.publish(canva);
    world.feed.expose(ALICE.address, "Canva");
    world.feed.expose(BOB.address, "Canva");
    await world.watch(ALICE);
    await world.breaches.scanDue();
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Canva pending"]);
    expect(await world.breaches.syncCatalogue()).toMatchObject({ added: ["Canva"] });
    await world.breaches.scanDue();
    expect(await world.alertsOf(BOB.accountId)).toEqual(["Canva pending"]);
  });

  test("marks entries that the source no longer lists, and keeps them for their alerts", async () => {
    const world = breachWorld({ breaches: [adobe, ...others], exposures: { [ALICE.address]: ["Adobe"] } });
    await world.breaches.syncCatalogue();
    await world.watch(ALICE);
    await world.breaches.scanDue();
    world.feed.withdraw("Adobe");
    expect(await world.breaches.syncCatalogue()).toEqual({ added: [], changed: [], removed: ["Adobe"], broken: 0 });
    const listed = await world.transaction(({ breaches }) => breaches.hashes("memory"));
    expect([...listed.keys()]).toEqual(others.map(({ name }) => name));
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending"]);
    const shown = await world.breaches.listAlerts(ALICE.accountId, { state: "all", search: "", page: 1 });
    expect(shown).toMatchObject({ value: { items: [{ breach: { domain: "adobe.example", pwnCount: 152_445_165 } }] } });
  });

  test("marks a missing entry once, not on every comparison", async () => {
    const world = breachWorld({ breaches: [adobe, ...others] });
    await world.breaches.syncCatalogue();
    world.feed.withdraw("Adobe");
    await world.breaches.syncCatalogue();
    expect(await world.breaches.syncCatalogue()).toMatchObject({ removed: [] });
  });

  test("marks nothing as missing while entries cannot be parsed, and still stores new ones", async () => {
    const world = breachWorld({ breaches: [adobe, ...others] });
    await world.breaches.syncCatalogue();
    world.feed.withdraw("Adobe");
    world.feed.publish(suno);
    world.feed.breakEntries(1);
    expect(await world.breaches.syncCatalogue()).toEqual({ added: ["Suno"], changed: [], removed: [], broken: 1 });
    expect((await world.transaction(({ breaches }) => breaches.hashes("memory"))).has("Adobe")).toBe(true);
  });

  test("marks nothing as missing when too much is missing, and still stores new ones", async () => {
    const world = breachWorld({ breaches: [adobe, canva, ...others] });
    await world.breaches.syncCatalogue();
    world.feed.withdraw("Adobe", "Canva", "Other1");
    world.feed.publish(suno);
    expect(await world.breaches.syncCatalogue()).toEqual({ added: ["Suno"], changed: [], removed: [], broken: 0 });
    expect((await world.transaction(({ breaches }) => breaches.hashes("memory"))).size).toBe(23);
  });

  test("restores an entry that was missing, as a new one", async () => {
    const world = breachWorld({ breaches: [adobe, ...others] });
    await world.breaches.syncCatalogue();
    world.feed.withdraw("Adobe");
    await world.breaches.syncCatalogue();
    world.feed.publish(adobe);
    expect(await world.breaches.syncCatalogue()).toMatchObject({ added: ["Adobe"], removed: [] });
    expect((await world.stateOf()).generation).toBe(2);
    expect(await world.breaches.syncCatalogue()).toMatchObject({ added: [], changed: [] });
  });

  test("records a failure and leaves the catalogue unchanged; the next success clears it", async () => {
    const world = breachWorld({ breaches: [adobe, canva] });
    await world.breaches.syncCatalogue();
    const before = await world.stateOf();
    world.clock.pass(MINUTE);
    world.feed.withdraw("Adobe");
    world.feed.failNext("catalogue", OUTAGE);
    expect(await world.breaches.syncCatalogue()).toEqual(OUTAGE);
    expect(await world.stateOf()).toEqual({ ...before, trouble: "The source is down" });
    expect(world.reports).toEqual(["Cannot read the catalogue of memory: The source is down"]);
    expect((await world.transaction(({ breaches }) => breaches.hashes("memory"))).size).toBe(2);
    await world.breaches.syncCatalogue();
    expect(await world.stateOf()).toMatchObject({
      trouble: undefined,
      lookUpTrouble: undefined,
      leftOut: [],
      syncedAt: world.clock.now(),
    });
  });

  test("names what it leaves out in the log and in the source's state, once, and forgets it when it can be read", async () => {
    const world = breachWorld({ breaches: [adobe] });
    world.feed.breakEntries(2);
    for (let times = 0; times < 2; times++) expect(await world.breaches.syncCatalogue()).toMatchObject({ broken: 2 });
    expect(world.reports).toEqual(["Left out what cannot be read in the catalogue of memory: Broken0, Broken1"]);
    expect((await world.health())?.leftOut).toEqual(["Broken0", "Broken1"]);
    world.feed.publish(canva);
    await world.breaches.syncCatalogue();
    await world.watch(ALICE);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1 });
    expect((await world.health())?.leftOut).toEqual(["Broken0", "Broken1"]);
    world.feed.breakEntries(0);
    expect(await world.breaches.syncCatalogue()).toMatchObject({ broken: 0 });
    expect((await world.health())?.leftOut).toEqual([]);
  });
});
