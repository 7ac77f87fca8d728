import { describe, expect, test } from "bun:test";
import { bucketOf, hashBlocks, hashesOf, readHex } from "../../src/breaches/datasets/hash_blocks.ts";
import { PREFIX, watchedHashes } from "../../src/breaches/scanning/watched_hashes.ts";

const sha1 = (text: string) => Bun.SHA1.hash(text, "hex");
const sha256 = (text: string) => Bun.SHA256.hash(text, "hex");
const bytes = (hex: string) => Uint8Array.fromHex(hex);
const MANY = Array.from({ length: 5000 }, (_, number) => `person${number}@example.org`);

function blocksOf(list: [hash: string, breach: string][]) {
  const all = hashBlocks();
  for (const [hash, breach] of list) all.add(bytes(hash), breach);
  return [...all.blocks()];
}
const found = (blocks: ReturnType<typeof blocksOf>, breach: string) =>
  blocks.filter(({ breachName }) => breachName === breach).flatMap(hashesOf);

describe("hashBlocks()", () => {
  test("stores every hash of every breach once, by kind and prefix, in order", () => {
    const both = MANY.flatMap((address) => [sha1(address), sha256(address)]);
    const blocks = blocksOf([...both, ...both.slice(0, 99)].map((hash, place) => [hash, place % 2 ? "Shop" : "Forum"]));
    for (const [breach, kind] of [["Forum", sha1] as const, ["Shop", sha256] as const]) {
      const hashes = found(blocks, breach);
      expect(hashes).toHaveLength(new Set(hashes).size);
      expect(hashes).toEqual(expect.arrayContaining(MANY.slice(0, 50).map(kind)));
    }
    expect(new Set(blocks.flatMap(hashesOf))).toEqual(new Set(both));
    for (const block of blocks) {
      const hashes = hashesOf(block);
      expect(hashes).toEqual(hashes.toSorted());
      for (const hash of hashes) expect(bucketOf(bytes(hash))).toBe(block.bucket);
    }
    const places = blocks.map(({ bucket, breachName }) => `${bucket} ${breachName}`);
    expect(new Set(places).size).toBe(places.length);
  });

  test("creates the same blocks for the same hashes in any order", () => {
    const list = MANY.map((address): [string, string] => [sha1(address), "Shop"]);
    expect(blocksOf(list.toReversed())).toEqual(blocksOf(list));
    expect(blocksOf([...list, ...list])).toEqual(blocksOf(list));
    expect(blocksOf([])).toEqual([]);
  });

  test("distinguishes hashes that differ in their last digit only", () => {
    const alike = ["0", "1", "f"].map((last) => `${sha1("x").slice(0, 39)}${last}`);
    expect(found(blocksOf(alike.map((hash) => [hash, "Shop"])), "Shop").toSorted()).toEqual(alike);
  });
});

describe("readHex()", () => {
  const read = (text: string, from = 0) => {
    const into = new Uint8Array(20);
    return readHex(new TextEncoder().encode(text), from, into) ? into.toHex() : undefined;
  };

  test("reads a hash at its offset", () => {
    expect(read(sha1("x"))).toBe(sha1("x"));
    expect(read(`${sha1("y")}\n${sha1("x")}\n`, 41)).toBe(sha1("x"));
  });

  test.each([
    ["capitals", sha1("x").toUpperCase()],
    ["too few digits", sha1("x").slice(1)],
    ["another character", sha1("x").replace(/.$/, "g")],
    ["a character beyond ASCII", sha1("x").replace(/^../, "é")],
    ["nothing", ""],
  ])("rejects %s", (_, text) => {
    expect(read(text)).toBeUndefined();
  });
});

describe("watchedHashes()", () => {
  const prefixesOf = (hashes: string[]) => hashes.map((hash) => hash.slice(0, PREFIX)).join("");

  test("contains what was added to it, and nothing else", () => {
    const watched = watchedHashes();
    const known = MANY.map(sha1).toSorted();
    const strangers = MANY.map((address) => sha1(`stranger ${address}`));
    expect(watched.has(bytes(sha1("nothing was added")))).toBe(false);
    for (let from = 0; from < known.length; from += 999) watched.add(prefixesOf(known.slice(from, from + 999)));
    watched.add("");
    expect(known.filter((hash) => !watched.has(bytes(hash)))).toEqual([]);
    expect(strangers.filter((hash) => watched.has(bytes(hash)))).toEqual([]);
  });

  test.each(["0", "f"])("knows a hash whose digits are all %s, and none that differs in the first ones", (digit) => {
    const watched = watchedHashes();
    watched.add(prefixesOf(["0".repeat(40), sha1("x"), "f".repeat(40)]));
    expect(watched.has(bytes(digit.repeat(40)))).toBe(true);
    expect(watched.has(bytes(`${digit.repeat(39)}1`))).toBe(true);
    expect(watched.has(bytes(`${digit.repeat(PREFIX - 1)}1${digit.repeat(40 - PREFIX)}`))).toBe(false);
  });
});
