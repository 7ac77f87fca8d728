import { afterEach, describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { breachWorld } from "../support/breaches.ts";
import { feedOn } from "../support/hibp_feed.ts";
import { type HibpPeer, startHibpPeer } from "../support/hibp_peer.ts";
import { eachDatabase } from "../support/postgres.ts";

const peers: HibpPeer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.stop();
});

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("HIBP's catalogue on %s", (_, open) => {
  async function opened() {
    const { transaction } = await open();
    const peer = await startHibpPeer();
    peers.push(peer);
    const { deps, reports } = breachWorld();
    const breaches = createBreaches({ ...deps, transaction, feeds: [feedOn(peer)] });
    return {
      peer,
      breaches,
      reports,
      find: (name: string) => transaction((store) => store.breaches.find(name)),
      changes: (...names: string[]) => transaction((store) => store.changes.listByBreaches(names)),
    };
  }

  test("12.34 11.2 goes from 920 to 1,017 entries: 97 new, 4 changed, none removed, and a second time unchanged", async () => {
    const { peer, breaches, changes } = await opened();
    expect(await breaches.syncCatalogue()).toMatchObject({ changed: [], removed: [], broken: 0 });
    peer.publish("2026-07-20");
    const report = await breaches.syncCatalogue();
    if (!("added" in report)) throw new Error("The catalogue could not be read");
    const { added, changed, removed } = report;
    expect([added.length, changed.toSorted(), removed]).toEqual([
      ...[97, ["Adpost", "CDEK", "Chess", "OperationEndgame3"], []],
    ]);
    const different = await changes(...added, ...changed);
    expect(await breaches.syncCatalogue()).toEqual({ added: [], changed: [], removed: [], broken: 0 });
    expect(await changes(...added, ...changed)).toEqual(different);
    // The others only differ in description and modification date.
    expect(different.map(({ breachName }) => breachName).toSorted()).toEqual(["Chess", "OperationEndgame3"]);
    const byName = Object.fromEntries(different.map((change) => [change.breachName, change]));
    const same = { addedClasses: [], removedClasses: [], addedFlags: [], removedFlags: [], known: null, title: null };
    expect(byName).toMatchObject({
      Chess: { ...same, count: { from: 827_620, to: 1_274_077 }, happened: null, retired: null, worse: false },
      OperationEndgame3: { ...same, count: null, happened: { from: "2025-11-14", to: "2025-11-13" }, worse: false },
    });
  });

  test("12.34 keeps the stored entry while the source sends a broken one, and stores all other changes", async () => {
    const { peer, breaches, find, changes } = await opened();
    await breaches.syncCatalogue();
    const before = await find("Adobe");
    peer.publish([
      { Name: "Adobe", PwnCount: "many", DataClasses: ["Passwords", "Credit cards"] },
      { Name: "Canva", PwnCount: 7 },
    ]);
    peer.withdraw("Dropbox");
    const report = await breaches.syncCatalogue();
    expect(report).toEqual({ added: [], changed: ["Canva"], removed: [], broken: 1 });
    expect(await find("Adobe")).toEqual(before);
    expect((await find("Canva"))?.pwnCount).toBe(7);
    expect(await changes("Adobe", "Dropbox")).toEqual([]);
    expect(await changes("Canva")).toMatchObject([{ count: { to: 7 }, worse: false }]);

    const dataClasses = [...(before?.dataClasses ?? []), "Credit cards"];
    peer.publish({ Name: "Adobe", PwnCount: before?.pwnCount ?? 0, DataClasses: dataClasses });
    expect(await breaches.syncCatalogue()).toMatchObject({ changed: ["Adobe"], removed: ["Dropbox"], broken: 0 });
    expect(await changes("Adobe")).toMatchObject([{ addedClasses: ["Credit cards"], worse: true }]);
    expect(await changes("Dropbox")).toMatchObject([{ retired: true, worse: false }]);
  });

  test("12.34 stores what is published beside entries that cannot be read, the newest among them", async () => {
    const { peer, breaches, find, reports } = await opened();
    await breaches.syncCatalogue();
    const now = (second: number) => ({ AddedDate: `2026-11-20T11:00:0${second}Z` });
    peer.publish([
      { Name: "Half", Title: "Half \ud83d a smile\0", Description: "\udc00", DataClasses: ["Pass\0words"], ...now(1) },
      { Name: "Beside", ...now(2) },
      { Name: "Torn", Title: 7, ...now(3) },
      { Name: "Newest", AddedDate: "tomorrow" },
    ]);
    expect(await breaches.syncCatalogue()).toMatchObject({ added: ["Beside", "Half"], broken: 2 });
    expect(await find("Half")).toMatchObject({ title: "Half \ufffd a smile", dataClasses: ["Passwords"] });
    expect(await find("Torn")).toBeUndefined();
    expect(reports).toEqual(["Left out what cannot be read in the catalogue of hibp: Torn, Newest"]);
    expect((await breaches.sourcesHealth())[0]).toMatchObject({ leftOut: ["Torn", "Newest"], trouble: null });
  });
});
