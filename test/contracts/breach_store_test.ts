import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { type Breach, NOT_LISTED_YET } from "../../src/breaches/catalogue/breach.ts";
import type { BreachStore, SourceState } from "../../src/breaches/ports.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { ALICE, aBreach } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";

const SOURCE = "hibp";
const at = (ms: number) => new Date(Date.UTC(2026, 10, 1) + ms);
const entry = (breach: Breach, hash = `hash of ${breach.name}`) => ({ breach, hash });

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("BreachStore's catalogue on %s", (_, open) => {
  async function storeOf(...breaches: Breach[]) {
    const opened = await open();
    const put = (source: string, ...list: Breach[]) =>
      opened.transaction((store) =>
        store.breaches.put(
          source,
          list.map((breach) => entry(breach)),
          at(0),
        ),
      );
    await put(SOURCE, ...breaches);
    return {
      ...opened,
      put,
      find: (name: string) => opened.transaction((store) => store.breaches.find(name)),
      hashes: (source: string) => opened.transaction((store) => store.breaches.hashes(source)),
      remove: (source: string, ...names: string[]) =>
        opened.transaction((store) => store.breaches.markRemoved(source, names, at(1))),
    };
  }

  test("find() returns what put() stored", async () => {
    const full = aBreach({
      name: "Full",
      title: "Größe “%_\\” 日本 'x'",
      flags: ["unverified", "stealerLog"],
      pwnCount: 8_000_000_000,
      description: '<a href="https://x.example">"quoted"</a> \\ {json}',
      attribution: "somebody@example.com",
      disclosureUrl: "https://full.example/notice",
    });
    const bare = aBreach({ name: "Bare", domain: "", dataClasses: [], pwnCount: 0 });
    const { find } = await storeOf(full, bare);
    expect(await find("Full")).toEqual(full);
    expect(await find("Bare")).toEqual(bare);
    expect(await find("Unknown")).toBeUndefined();
    expect(await find("full")).toBeUndefined();
  });

  test("listLabels() returns the labels of all listed entries, with any characters", async () => {
    const odd = 'Größe "\\%_ 日本';
    const { put, remove, transaction } = await storeOf(aBreach({ dataClasses: ["Names", odd] }));
    await put("other", aBreach({ name: "Gone", dataClasses: ["Gone kinds"] }));
    await remove("other", "Gone");
    await transaction((store) =>
      store.breaches.put(SOURCE, [entry(aBreach({ name: "Met", dataClasses: ["Met kinds"] }), NOT_LISTED_YET)], at(0)),
    );
    const asked = ["Met kinds", odd, "Gone kinds", "names", "Name", "Names"];
    const labels = (list: string[]) => transaction((store) => store.breaches.listLabels(list));
    expect((await labels(asked)).toSorted()).toEqual(["Gone kinds", odd, "Names"].toSorted());
    expect(await labels([])).toEqual([]);
  });

  test("a stored breach is a copy", async () => {
    const breach = aBreach();
    const { find } = await storeOf(breach);
    breach.dataClasses.push("Later");
    const found = await find("Adobe");
    expect(found).toEqual(aBreach());
    found?.dataClasses.push("Later");
    expect(await find("Adobe")).toEqual(aBreach());
  });

  test("listByNames() returns the existing ones", async () => {
    const [adobe, canva] = [aBreach({ name: "Adobe" }), aBreach({ name: "Canva" })];
    const { transaction } = await storeOf(adobe, canva, aBreach({ name: "Suno" }));
    const list = (names: string[]) => transaction(({ breaches }) => breaches.listByNames(names));
    const found = await list(["Canva", "Unknown", "Adobe"]);
    expect(found).toHaveLength(2);
    expect(found).toEqual(expect.arrayContaining([adobe, canva]));
    expect(await list([])).toEqual([]);
  });

  test("put() replaces by name, and stores a whole catalogue or nothing at all", async () => {
    const names = Array.from({ length: 450 }, (_, number) => `Breach${number}`);
    const { put, find, hashes, transaction } = await storeOf(...names.map((name) => aBreach({ name })));
    expect(await hashes(SOURCE)).toEqual(new Map(names.map((name) => [name, `hash of ${name}`])));
    await transaction(({ breaches }) =>
      breaches.put(SOURCE, [entry(aBreach({ name: "Breach7", title: "Changed" }), "other")], at(1)),
    );
    await put(SOURCE);
    expect(await find("Breach7")).toEqual(aBreach({ name: "Breach7", title: "Changed" }));
    expect((await hashes(SOURCE)).get("Breach7")).toBe("other");
    expect(await transaction(({ breaches }) => breaches.count())).toBe(450);
  });

  test("hashes() and markRemoved() affect one source only", async () => {
    const { put, hashes, remove } = await storeOf(aBreach({ name: "Adobe" }));
    await put("other", aBreach({ name: "Canva" }));
    await remove("other", "Adobe");
    expect([...(await hashes(SOURCE)).keys()]).toEqual(["Adobe"]);
    expect([...(await hashes("other")).keys()]).toEqual(["Canva"]);
    expect(await hashes("unknown")).toEqual(new Map());
  });

  test("markRemoved() keeps the entry available, and put() restores it", async () => {
    const { put, find, hashes, remove, transaction } = await storeOf(
      aBreach({ name: "Adobe" }),
      aBreach({ name: "Canva" }),
    );
    await remove(SOURCE, "Adobe", "Unknown");
    await remove(SOURCE);
    expect([...(await hashes(SOURCE)).keys()]).toEqual(["Canva"]);
    expect(await find("Adobe")).toEqual(aBreach());
    expect(await transaction(({ breaches }) => breaches.count())).toBe(2);
    await put(SOURCE, aBreach({ name: "Adobe" }));
    expect([...(await hashes(SOURCE)).keys()].toSorted()).toEqual(["Adobe", "Canva"]);
  });

  test("a rolled back transaction leaves nothing, events included", async () => {
    const { transaction, outbox, find, hashes } = await storeOf(aBreach({ name: "Adobe" }));
    const failing = transaction(async ({ breaches, sources, scans, watches, alerts, events }) => {
      await breaches.put(SOURCE, [entry(aBreach({ name: "Canva" }))], at(1));
      await breaches.markRemoved(SOURCE, ["Adobe"], at(1));
      await sources.claimPoll(SOURCE, at(1), at(2));
      await sources.raiseGenerations([SOURCE]);
      await scans.add(ALICE.address, [SOURCE], at(1));
      await watches.add({ associationId: crypto.randomUUID(), ...ALICE, ...FULL_SCOPE });
      await alerts.addMissing([{ address: ALICE.address, breachNames: ["Canva"] }], at(1));
      await events.publish({ type: "identity.deleted", accountId: ALICE.accountId });
      throw new Error("Cannot go on");
    });
    await expect(failing).rejects.toThrow("Cannot go on");
    expect(await find("Canva")).toBeUndefined();
    expect([...(await hashes(SOURCE)).keys()]).toEqual(["Adobe"]);
    await transaction(async ({ sources, scans, watches, alerts }) => {
      expect((await sources.find(SOURCE)).generation).toBe(0);
      expect(await sources.claimPoll(SOURCE, at(1), at(2))).toBe(true);
      expect(await scans.timesOf([ALICE.address], [SOURCE])).toEqual(new Map());
      expect(await watches.countAll(ALICE.address)).toBe(0);
      expect(await alerts.countNews(ALICE.accountId, undefined)).toEqual({ pending: 0, fresh: 0 });
    });
    expect(await takePublished(outbox)).toEqual([]);
  });

  test("a nested transaction is refused", async () => {
    const { transaction } = await storeOf();
    const nested = async () => transaction(() => transaction(({ breaches }) => breaches.count()));
    await expect(nested()).rejects.toThrow("Cannot open a transaction inside a transaction");
  });
});

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("BreachStore's sources on %s", (_, open) => {
  const unknown: SourceState = {
    source: SOURCE,
    latestName: undefined,
    latestAdded: undefined,
    generation: 0,
    syncedAt: undefined,
    checkedAt: undefined,
    trouble: undefined,
    lookUpTrouble: undefined,
    leftOut: [],
    pausedUntil: undefined,
  };
  const known: SourceState = {
    source: SOURCE,
    latestName: "Suno",
    latestAdded: "2026-07-20T19:49:51Z",
    generation: 1,
    syncedAt: new Date("2026-03-29T01:30:00.987Z"),
    checkedAt: new Date("2026-03-29T01:30:00.987Z"),
    trouble: "The source is “down”",
    lookUpTrouble: "The key was refused",
    leftOut: ["Broken"],
    pausedUntil: at(700),
  };
  const noted = (reason: string, keepsCause = false) => ({ reason, keepsCause });

  async function openSources() {
    const { transaction } = await open();
    const note = <Outcome>(work: (sources: BreachStore["sources"]) => Promise<Outcome>) =>
      transaction(({ sources }) => work(sources));
    return {
      note,
      find: (source: string) => note((sources) => sources.find(source)),
      claim: (now: Date, next: Date, source = SOURCE) => note((sources) => sources.claimPoll(source, now, next)),
      /** Notes everything that is `known`. */
      fill: () =>
        note(async (sources) => {
          const newest = { name: "Suno", addedDate: "2026-07-20T19:49:51Z" };
          const syncedAt = new Date("2026-03-29T01:30:00.987Z");
          await sources.noteSynced(SOURCE, { newest, grows: true, leftOut: ["Broken"] }, syncedAt);
          await sources.noteCatalogueTrouble(SOURCE, noted("The source is “down”"));
          await sources.noteLookUpTrouble(SOURCE, noted("The key was refused"));
          await sources.pause(SOURCE, at(700));
        }),
    };
  }

  const NOTES: [string, (sources: BreachStore["sources"]) => Promise<unknown>, Partial<SourceState>][] = [
    ["notePolled()", (sources) => sources.notePolled(SOURCE, at(9)), { checkedAt: at(9), trouble: undefined }],
    ["raiseGenerations()", (sources) => sources.raiseGenerations([SOURCE]), { generation: 2 }],
    ["endLookUpTrouble()", (sources) => sources.endLookUpTrouble(SOURCE), { lookUpTrouble: undefined }],
    ["pause()", (sources) => sources.pause(SOURCE, at(800)), { pausedUntil: at(800) }],
    [
      "noteCatalogueTrouble()",
      (sources) => sources.noteCatalogueTrouble(SOURCE, noted("Blocked")),
      { trouble: "Blocked" },
    ],
    [
      "noteLookUpTrouble()",
      (sources) => sources.noteLookUpTrouble(SOURCE, noted("Blocked")),
      { lookUpTrouble: "Blocked" },
    ],
    ["noteCatalogueTrouble() of a pause", (sources) => sources.noteCatalogueTrouble(SOURCE, noted("Slow", true)), {}],
    ["noteLookUpTrouble() of a pause", (sources) => sources.noteLookUpTrouble(SOURCE, noted("Slow", true)), {}],
  ];

  test("find() returns every source, and one of which nothing is noted as new", async () => {
    const { find, fill } = await openSources();
    expect(await find(SOURCE)).toEqual(unknown);
    await fill();
    expect(await find(SOURCE)).toEqual(known);
    expect(await find("other")).toEqual({ ...unknown, source: "other" });
  });

  test.each(NOTES)("%s changes only what it is about", async (_, change, changed) => {
    const { note, find, fill, claim } = await openSources();
    await fill();
    expect(await claim(at(0), at(100))).toBe(true);
    await note(change);
    expect(await find(SOURCE)).toEqual({ ...known, ...changed });
    expect(await claim(at(99), at(200))).toBe(false);
    expect(await find("other")).toEqual({ ...unknown, source: "other" });
  });

  test("everything can be noted of a source of which nothing was noted before", async () => {
    const { note, find } = await openSources();
    await note((sources) => sources.noteCatalogueTrouble("a", noted("Slow", true)));
    await note((sources) => sources.noteLookUpTrouble("b", noted("Slow", true)));
    await note((sources) => sources.notePolled("c", at(9)));
    await note((sources) => sources.raiseGenerations(["d"]));
    expect(await find("a")).toEqual({ ...unknown, source: "a", trouble: "Slow" });
    expect(await find("b")).toEqual({ ...unknown, source: "b", lookUpTrouble: "Slow" });
    expect(await find("c")).toEqual({ ...unknown, source: "c", checkedAt: at(9) });
    expect(await find("d")).toEqual({ ...unknown, source: "d", generation: 1 });
  });

  test("endLookUpTrouble() returns true once for each trouble", async () => {
    const { note } = await openSources();
    const end = () => note((sources) => sources.endLookUpTrouble(SOURCE));
    expect(await end()).toBe(false);
    await note((sources) => sources.noteLookUpTrouble(SOURCE, noted("Away")));
    expect((await Promise.all([end(), end(), end()])).toSorted()).toEqual([false, false, true]);
  });

  test("raiseGenerations() loses no concurrent call, in whichever order the sources are named", async () => {
    const { note, find } = await openSources();
    const orders = Array.from({ length: 10 }, (_, turn) => (turn % 2 ? ["a", "b"] : ["b", "a"]));
    await Promise.all(orders.map((order) => note((sources) => sources.raiseGenerations(order))));
    await note((sources) => sources.raiseGenerations([]));
    expect([(await find("a")).generation, (await find("b")).generation]).toEqual([10, 10]);
  });

  test("claimPoll() succeeds for one of ten concurrent callers, and again when the next poll is due, per source", async () => {
    const { claim } = await openSources();
    const race = async (now: Date, next: Date) =>
      (await Promise.all(Array.from({ length: 10 }, () => claim(now, next)))).filter((isWon) => isWon).length;
    expect(await race(at(0), at(100))).toBe(1);
    expect(await race(at(99), at(199))).toBe(0);
    expect(await claim(at(0), at(100), "other")).toBe(true);
    expect(await race(at(100), at(200))).toBe(1);
    expect(await race(at(199), at(300))).toBe(0);
  });

  test("claimPoll() claims the first poll of a source that was noted before", async () => {
    const { claim, fill, find } = await openSources();
    await fill();
    expect(await claim(at(0), at(100))).toBe(true);
    expect(await claim(at(0), at(100))).toBe(false);
    expect(await find(SOURCE)).toEqual(known);
  });
});
