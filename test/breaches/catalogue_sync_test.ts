import { describe, expect, test } from "bun:test";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { SourceTrouble } from "../../src/breaches/ports.ts";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach, BOB } from "../support/builders.ts";
import { DAY, MINUTE } from "../support/clock.ts";

const OUTAGE: SourceTrouble = { kind: "later", afterMs: 30 * MINUTE, reason: "The source is down" };
const adobe = aBreach({ name: "Adobe", addedDate: "2013-12-04T00:00:00Z" });
const canva = aBreach({ name: "Canva", addedDate: "2019-08-09T14:24:01Z" });
const suno = aBreach({ name: "Suno", addedDate: "2026-07-20T19:49:51Z" });

describe("syncCatalogue()", () => {
  test("stores what the source lists", async () => {
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
    });
  });

  test("changes nothing and makes nobody due when it reads the same catalogue twice", async () => {
    const world = breachWorld({ breaches: [adobe, canva] });
    await world.breaches.syncCatalogue();
    expect(await world.breaches.syncCatalogue()).toEqual({ added: [], changed: [], removed: [], broken: 0 });
    expect((await world.stateOf()).generation).toBe(1);
  });

  test("takes a change of any content, also when the source's own date of change stands still", async () => {
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
    }
  });

  test("makes every address due by a new entry, and none by a corrected one", async () => {
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

  test("makes every address due by a new entry that one check has met before", async () => {
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

  test("marks what the source no longer lists, and keeps it for its alerts", async () => {
    const world = breachWorld({ breaches: [adobe, canva], exposures: { [ALICE.address]: ["Adobe"] } });
    await world.breaches.syncCatalogue();
    await world.watch(ALICE);
    await world.breaches.scanDue();
    world.feed.withdraw("Adobe");
    expect(await world.breaches.syncCatalogue()).toEqual({ added: [], changed: [], removed: ["Adobe"], broken: 0 });
    const listed = await world.transaction(({ breaches }) => breaches.hashes("memory"));
    expect([...listed.keys()]).toEqual(["Canva"]);
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending"]);
    const shown = await world.breaches.listAlerts(ALICE.accountId, { state: "all", search: "", page: 1 });
    expect(shown).toMatchObject({ value: { items: [{ breach: { domain: "adobe.example", pwnCount: 152_445_165 } }] } });
  });

  test("marks an entry once, not at every comparison", async () => {
    const world = breachWorld({ breaches: [adobe, canva] });
    await world.breaches.syncCatalogue();
    world.feed.withdraw("Adobe");
    await world.breaches.syncCatalogue();
    expect(await world.breaches.syncCatalogue()).toMatchObject({ removed: [] });
  });

  test("gives up nothing for lost while entries cannot be read, and still takes what is new", async () => {
    const world = breachWorld({ breaches: [adobe, canva] });
    await world.breaches.syncCatalogue();
    world.feed.withdraw("Adobe");
    world.feed.publish(suno);
    world.feed.breakEntries(1);
    expect(await world.breaches.syncCatalogue()).toEqual({ added: ["Suno"], changed: [], removed: [], broken: 1 });
    const listed = await world.transaction(({ breaches }) => breaches.hashes("memory"));
    expect([...listed.keys()].toSorted()).toEqual(["Adobe", "Canva", "Suno"]);
  });

  test("takes an entry back that was gone, as news", async () => {
    const world = breachWorld({ breaches: [adobe, canva] });
    await world.breaches.syncCatalogue();
    world.feed.withdraw("Adobe");
    await world.breaches.syncCatalogue();
    world.feed.publish(adobe);
    expect(await world.breaches.syncCatalogue()).toMatchObject({ added: ["Adobe"], removed: [] });
    expect((await world.stateOf()).generation).toBe(2);
    expect(await world.breaches.syncCatalogue()).toMatchObject({ added: [], changed: [] });
  });

  test("records trouble and leaves the catalogue as it was; the next answer clears it", async () => {
    const world = breachWorld({ breaches: [adobe, canva] });
    await world.breaches.syncCatalogue();
    const before = await world.stateOf();
    world.clock.pass(MINUTE);
    world.feed.withdraw("Adobe");
    world.feed.failNext("catalogue", OUTAGE);
    expect(await world.breaches.syncCatalogue()).toEqual(OUTAGE);
    expect(await world.stateOf()).toEqual({ ...before, trouble: "The source is down" });
    expect(world.reports).toEqual(["Breach source memory gave no answer: The source is down"]);
    expect((await world.transaction(({ breaches }) => breaches.hashes("memory"))).size).toBe(2);
    await world.breaches.syncCatalogue();
    expect(await world.stateOf()).toMatchObject({ trouble: undefined, syncedAt: world.clock.now() });
  });
});

describe("pollCatalogue()", () => {
  const called = (world: ReturnType<typeof breachWorld>) => world.feed.requests.map(({ call }) => call);

  test("reads the whole catalogue the first time, and asks nothing before its next turn", async () => {
    const world = breachWorld({ breaches: [adobe], pollEveryMs: MINUTE });
    expect(await world.breaches.pollCatalogue()).toMatchObject({ added: ["Adobe"] });
    world.clock.pass(MINUTE - 1);
    expect(await world.breaches.pollCatalogue()).toBeUndefined();
    expect(called(world)).toEqual(["catalogue"]);
  });

  test("asks for the newest entry only, as long as that is the one it knows", async () => {
    const world = breachWorld({ breaches: [adobe], pollEveryMs: MINUTE });
    await world.breaches.pollCatalogue();
    const synced = await world.stateOf();
    world.clock.pass(MINUTE);
    expect(await world.breaches.pollCatalogue()).toBeUndefined();
    expect(called(world)).toEqual(["catalogue", "latest"]);
    expect(await world.stateOf()).toEqual({ ...synced, checkedAt: world.clock.now() });
  });

  test("reads the whole catalogue when the newest entry is another, and finds all that came between", async () => {
    const world = breachWorld({ breaches: [adobe], pollEveryMs: MINUTE });
    await world.breaches.pollCatalogue();
    world.clock.pass(MINUTE);
    world.feed.publish(canva, suno);
    expect(await world.breaches.pollCatalogue()).toMatchObject({ added: ["Canva", "Suno"] });
    expect(called(world)).toEqual(["catalogue", "latest", "catalogue"]);
  });

  test("reads the whole catalogue when the newest entry was added again", async () => {
    const world = breachWorld({ breaches: [adobe], pollEveryMs: MINUTE });
    await world.breaches.pollCatalogue();
    world.clock.pass(MINUTE);
    world.feed.publish({ ...adobe, addedDate: "2014-01-01T00:00:00Z" });
    expect(await world.breaches.pollCatalogue()).toMatchObject({ changed: ["Adobe"] });
  });

  test("compares everything once a day, so that a correction of an old entry is taken", async () => {
    const world = breachWorld({ breaches: [adobe, canva], pollEveryMs: MINUTE });
    await world.breaches.pollCatalogue();
    world.feed.publish({ ...adobe, flags: ["retired"] });
    world.clock.pass(DAY - 1);
    expect(await world.breaches.pollCatalogue()).toBeUndefined();
    world.clock.pass(MINUTE);
    expect(await world.breaches.pollCatalogue()).toMatchObject({ changed: ["Adobe"] });
    world.clock.pass(MINUTE);
    expect(await world.breaches.pollCatalogue()).toBeUndefined();
  });

  test("records trouble with the newest entry, and clears it at the next answer", async () => {
    const world = breachWorld({ breaches: [adobe], pollEveryMs: MINUTE });
    await world.breaches.pollCatalogue();
    const synced = await world.stateOf();
    world.clock.pass(MINUTE);
    world.feed.failNext("latest", OUTAGE);
    expect(await world.breaches.pollCatalogue()).toEqual(OUTAGE);
    expect(await world.stateOf()).toEqual({ ...synced, trouble: "The source is down" });
    expect((await world.breaches.sourceHealth()).trouble).toBe("The source is down");
    world.clock.pass(MINUTE);
    await world.breaches.pollCatalogue();
    expect(await world.stateOf()).toEqual({ ...synced, checkedAt: world.clock.now() });
  });

  test("comes back to the whole catalogue when that gave no answer", async () => {
    const world = breachWorld({ breaches: [adobe], pollEveryMs: MINUTE });
    world.feed.failNext("catalogue", OUTAGE);
    expect(await world.breaches.pollCatalogue()).toEqual(OUTAGE);
    expect((await world.breaches.sourceHealth()).syncedAt).toBeNull();
    world.clock.pass(MINUTE);
    expect(await world.breaches.pollCatalogue()).toMatchObject({ added: ["Adobe"] });
  });

  test("is done by one of two processes that look at the same time", async () => {
    const world = breachWorld({ breaches: [adobe], pollEveryMs: MINUTE });
    const other = createBreaches(world.deps);
    const reports = await Promise.all([world.breaches.pollCatalogue(), other.pollCatalogue()]);
    expect(reports.filter((report) => report !== undefined)).toHaveLength(1);
    expect(called(world)).toEqual(["catalogue"]);
  });
});

describe("sourceHealth()", () => {
  test("tells how old the catalogue is and how long the queue of checks", async () => {
    const world = breachWorld({ breaches: [adobe, canva] });
    expect(await world.breaches.sourceHealth()).toEqual({
      ...{ source: "memory", breaches: 0, syncedAt: null, trouble: null, due: 0, oldestDue: null },
    });
    await world.breaches.pollCatalogue();
    await world.watch(ALICE);
    world.clock.pass(MINUTE);
    await world.watch(BOB);
    expect(await world.breaches.sourceHealth()).toEqual({
      source: "memory",
      breaches: 2,
      syncedAt: "2026-11-20T12:00:00.000Z",
      trouble: null,
      due: 2,
      oldestDue: "2026-11-20T12:00:00.000Z",
    });
    await world.breaches.scanDue();
    expect(await world.breaches.sourceHealth()).toMatchObject({ due: 0, oldestDue: null });
  });
});
