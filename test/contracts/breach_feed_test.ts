import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundledCatalogue, bundledFeed, listedAt } from "../../src/breaches/adapters/sources/bundled/bundled.ts";
import { addressHashes } from "../../src/breaches/adapters/sources/dataset/address_hashes.ts";
import { datasetFeed } from "../../src/breaches/adapters/sources/dataset/dataset.ts";
import { bucketOf } from "../../src/breaches/datasets/hash_blocks.ts";
import type { BreachFeed } from "../../src/breaches/ports.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { memoryDatabase } from "../memory/database.ts";
import { feedOn } from "../support/hibp_feed.ts";
import { startHibpPeer } from "../support/hibp_peer.ts";
import { startXposedOrNotPeer, xposedOrNotOn } from "../support/xposedornot_peer.ts";

/** A feed and the controls of its source. In every source `ADA` is in BEFORE, and in CSDN once that is published. */
type Source = { feed: BreachFeed; publish(): void | Promise<void>; fail(): void; close(): Promise<void> };

const ADA = "ada@example.com";
const BEFORE = ["Adobe", "Canva", "Dropbox", "LinkedIn"];

async function bundledSource(): Promise<Source> {
  const directory = mkdtempSync(join(tmpdir(), "breachbell-feed-"));
  const stateFile = join(directory, "state.json");
  return {
    feed: bundledFeed({ stateFile }),
    publish: () => writeFileSync(stateFile, JSON.stringify({ published: "2026-07-20T19:49:51Z" })),
    fail: () => writeFileSync(stateFile, "{"),
    close: async () => rmSync(directory, { recursive: true }),
  };
}

async function hibpSource(kAnonymity: boolean): Promise<Source> {
  const peer = await startHibpPeer({ subscription: { IncludesKAnon: kAnonymity } });
  peer.addAccount(ADA, [...BEFORE, "CSDN", "AshleyMadison", "VTech"]);
  return {
    feed: feedOn(peer),
    publish: () => peer.publish("2026-07-20"),
    fail: () => peer.failNext("500", 10),
    close: () => peer.stop(),
  };
}

async function xposedOrNotSource(): Promise<Source> {
  const peer = await startXposedOrNotPeer();
  peer.addAccount(ADA, [...BEFORE, "CSDN", "AshleyMadison"]);
  return {
    feed: xposedOrNotOn(peer),
    publish: () => peer.publish("2026-07-20"),
    fail: () => peer.failNext("500", 10),
    close: () => peer.stop(),
  };
}

/** As if datasets of all breaches had been imported, with the hash of her address. */
async function datasetSource(): Promise<Source> {
  const transaction = memoryDatabase().transactionOf(memoryBreaches);
  const catalogue = await bundledCatalogue();
  let isBroken = false;
  const importAt = (instant: string, names: string[]) =>
    transaction(async ({ breaches, datasets }) => {
      const listed = listedAt(catalogue, instant).map((breach) => ({ breach, hash: breach.name }));
      await breaches.put("dataset", listed, new Date(0));
      const { sha1, sha256 } = addressHashes(ADA);
      await datasets.add(
        names.map((breachName, index) => {
          const hash = index % 2 === 0 ? sha1 : sha256;
          return { bucket: bucketOf(Uint8Array.fromHex(hash)), breachName, hashes: Uint8Array.fromHex(hash) };
        }),
      );
    });
  await importAt("2025-11-14T00:00:00Z", BEFORE);
  const reading: typeof transaction = (work) =>
    isBroken ? Promise.reject(new Error("The database is away")) : transaction(work);
  return {
    feed: datasetFeed(reading, () => new Date()),
    publish: () => importAt("2026-07-20T23:59:59Z", ["CSDN"]),
    fail() {
      isBroken = true;
    },
    close: async () => {},
  };
}

const sources: Record<string, () => Promise<Source>> = {
  bundled: bundledSource,
  "hibp direct": () => hibpSource(false),
  "hibp range": () => hibpSource(true),
  xposedornot: xposedOrNotSource,
  dataset: datasetSource,
};

describe.each(Object.keys(sources))("BreachFeed on %s", (name) => {
  const opened: Source[] = [];
  async function open(): Promise<Source> {
    const source = await sources[name]?.();
    if (source === undefined) throw new Error(`Cannot find the source "${name}"`);
    opened.push(source);
    return source;
  }
  async function catalogueOf(feed: BreachFeed) {
    const catalogue = await feed.catalogue();
    if (catalogue.kind !== "catalogue") throw new Error(catalogue.reason);
    return catalogue;
  }

  afterEach(async () => {
    for (const source of opened.splice(0)) await source.close();
  });

  test("catalogue() lists each breach once, in the internal format", async () => {
    const { feed } = await open();
    const { breaches, leftOut } = await catalogueOf(feed);
    expect(leftOut).toEqual([]);
    expect(breaches).toHaveLength(920);
    expect(new Set(breaches.map((breach) => breach.name)).size).toBe(920);
    for (const breach of breaches) {
      expect(breach.breachDate).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(breach.addedDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      expect(breach.modifiedDate >= breach.addedDate).toBe(true);
    }
  });

  test("latest() returns the newest breach of the catalogue, and another one once that is published", async () => {
    const { feed, publish } = await open();
    expect(await feed.latest()).toEqual({
      kind: "latest",
      name: "OperationEndgame3",
      addedDate: "2025-11-13T10:23:12Z",
    });
    await publish();
    expect(await feed.latest()).toEqual({ kind: "latest", name: "Suno", addedDate: "2026-07-20T19:49:51Z" });
  });

  test("catalogue() lists what was published since", async () => {
    const { feed, publish } = await open();
    await publish();
    expect((await catalogueOf(feed)).breaches).toHaveLength(1017);
  });

  test("breach() returns the catalogue's entry, and undefined for an unknown name", async () => {
    const { feed } = await open();
    const { breaches } = await catalogueOf(feed);
    const adobe = breaches.find((breach) => breach.name === "Adobe");
    expect(adobe).toBeDefined();
    expect(await feed.breach("Adobe")).toEqual({ kind: "breach", breach: adobe });
    for (const unknown of ["NoSuchBreach", "Adobe/2026", "..", "."]) {
      expect(await feed.breach(unknown)).toEqual({ kind: "breach", breach: undefined });
    }
  });

  test("breach() does not return unpublished breaches", async () => {
    const { feed, publish } = await open();
    expect(await feed.breach("Suno")).toEqual({ kind: "breach", breach: undefined });
    await publish();
    expect(await feed.breach("Suno")).toMatchObject({ kind: "breach", breach: { name: "Suno", title: "Suno" } });
  });

  test("lookUp() returns the visible breaches of an address, and new ones once they are published", async () => {
    const { feed, publish } = await open();
    const before = await feed.lookUp(ADA);
    expect(before.kind === "found" && before.breaches.toSorted()).toEqual(BEFORE);
    await publish();
    const after = await feed.lookUp(ADA);
    expect(after.kind === "found" && after.breaches).toContain("CSDN");
  });

  test("lookUp() finds nothing for an address that is in no breach", async () => {
    const { feed } = await open();
    for (const address of ["nobody@example.com", "ada+tag@example.com", "constructor@example.com"]) {
      expect(await feed.lookUp(address)).toEqual({ kind: "found", breaches: [] });
    }
    const unfit = name === "xposedornot" ? { kind: "unsupported" as const } : { kind: "found" as const, breaches: [] };
    expect(await feed.lookUp("__proto__")).toEqual(unfit);
  });

  test("every call returns a retry time and a reason when the source is failing", async () => {
    const { feed, fail } = await open();
    fail();
    const answers = [await feed.latest(), await feed.catalogue(), await feed.breach("Adobe"), await feed.lookUp(ADA)];
    for (const answer of answers) {
      expect(answer).toEqual({ kind: "later", afterMs: expect.any(Number), reason: expect.any(String) });
      expect(answer.kind === "later" && answer.afterMs).toBeGreaterThan(0);
    }
  });

  test("results are copies: changing one does not change later ones", async () => {
    const { feed } = await open();
    const { breaches } = await catalogueOf(feed);
    for (const breach of breaches) breach.dataClasses.push("Changed");
    breaches.length = 0;
    const again = await catalogueOf(feed);
    expect(again.breaches).toHaveLength(920);
    expect(again.breaches.some((breach) => breach.dataClasses.includes("Changed"))).toBe(false);
  });

  test("a source returns its name, whether it is a demonstration, and its rate limit", async () => {
    const { feed } = await open();
    expect(feed.source).toBe(name.split(" ")[0] ?? "");
    expect(feed.demonstration).toBe(name === "bundled");
    expect(feed.pollEveryMs).toBeGreaterThan(0);
  });
});
