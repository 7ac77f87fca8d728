import { describe, expect, test } from "bun:test";
import { bundledCatalogue, FIRST_STATE, listedAt } from "../../src/breaches/adapters/sources/bundled/bundled.ts";
import { type Breach, compareCatalogues, contentOf } from "../../src/breaches/catalogue/breach.ts";
import { SOURCE_FLAGS } from "../../src/shared/breach.ts";
import { feedOn } from "../support/hibp_feed.ts";
import { startHibpPeer } from "../support/hibp_peer.ts";

const contents = (breaches: Breach[]) => new Map(breaches.map((breach) => [breach.name, contentOf(breach)]));
const catalogue = await bundledCatalogue();
const first = listedAt(catalogue, FIRST_STATE);
const last = listedAt(catalogue, "2026-07-20T19:49:51Z");

describe("the bundled catalogue", () => {
  test("listedAt() lists 920 breaches first and 1,017 at the end: 97 new, 4 changed, none removed", () => {
    expect([first.length, last.length]).toEqual([920, 1017]);
    const { added, changed, removed } = compareCatalogues(contents(first), contents(last));
    expect(added).toHaveLength(97);
    expect(changed.sort()).toEqual(["Adpost", "CDEK", "Chess", "OperationEndgame3"]);
    expect(removed).toEqual([]);
  });

  test("listedAt() lists entries exact to the second, with the corrections from the first step on", () => {
    expect(listedAt(catalogue, "2025-11-20T01:22:51Z").map(contentOf)).not.toEqual(first.map(contentOf));
    expect(listedAt(catalogue, "2025-11-20T01:22:51Z")).toHaveLength(920);
    expect(listedAt(catalogue, "2025-11-20T01:22:52Z")).toHaveLength(921);
    expect(listedAt(catalogue, "2013-11-01T00:00:00Z")).toEqual([]);
  });

  test("the four changes match the sources, including one whose modification date did not change", () => {
    const changes = ["Adpost", "CDEK", "Chess", "OperationEndgame3"].map((name) => {
      const [before, after] = [first, last].map((breaches) => breaches.find((breach) => breach.name === name));
      if (before === undefined || after === undefined) throw new Error(`Cannot find "${name}" in both states`);
      const keys = Object.keys(after) as (keyof Breach)[];
      return [name, keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key])).sort()];
    });
    expect(Object.fromEntries(changes)).toEqual({
      Adpost: ["description", "modifiedDate"],
      CDEK: ["description"],
      Chess: ["description", "modifiedDate", "pwnCount"],
      OperationEndgame3: ["breachDate", "modifiedDate"],
    });
  });

  test("real data keeps its peculiarities: flags, empty domains, foreign titles, counts", () => {
    const withFlag = SOURCE_FLAGS.map((flag) => [flag, last.filter((breach) => breach.flags.includes(flag)).length]);
    expect(Object.fromEntries(withFlag)).toEqual({
      unverified: 42,
      fabricated: 3,
      sensitive: 90,
      retired: 2,
      spamList: 16,
      malware: 9,
      stealerLog: 6,
      subscriptionFree: 10,
    });
    expect(last.filter((breach) => breach.domain === "")).toHaveLength(54);
    expect(last.find((breach) => breach.name === "Crunchyroll")?.domain).toBe("https://www.crunchyroll.com/");
    expect(new Set(last.map((breach) => breach.title)).size).toBe(1017);
    expect(last.reduce((sum, breach) => sum + breach.pwnCount, 0)).toBe(17_761_158_370);
    expect(last.filter((breach) => breach.attribution !== undefined)).toHaveLength(118);
    expect(last.filter((breach) => breach.disclosureUrl !== undefined)).toHaveLength(30);
    expect(new Set(last.flatMap((breach) => breach.dataClasses)).size).toBe(164);
  });

  test("the HIBP adapter reads the same two states from the peer", async () => {
    const peer = await startHibpPeer();
    const feed = feedOn(peer);
    const before = await feed.catalogue();
    peer.publish("2026-07-20");
    const after = await feed.catalogue();
    await peer.stop();
    expect(before.kind === "catalogue" && contents(before.breaches)).toEqual(contents(first));
    expect(after.kind === "catalogue" && contents(after.breaches)).toEqual(contents(last));
  });

  test("the data includes its attribution", async () => {
    const note = await Bun.file(
      `${import.meta.dir}/../../src/breaches/adapters/sources/bundled/bundled_catalogue.NOTE.md`,
    ).text();
    for (const part of [
      "Have I Been Pwned",
      "https://haveibeenpwned.com",
      "CC BY 4.0",
      "assembled from public copies",
      "SplitVPN",
    ]) {
      expect(note).toContain(part);
    }
  });
});
