import type { HashBlock } from "./dataset_ports.ts";

/** By their first 12 bits; those of SHA-256 are counted on. */
export const BUCKETS = 4096;
/** More hashes of one breach than this are never stored together. */
const MOST = 2 ** 20;
const VALUES = new Uint8Array(256).fill(255);
for (const [value, digit] of [..."0123456789abcdef"].entries()) VALUES[digit.charCodeAt(0)] = value;

/** Bytes of hashes of one kind, one behind the other. */
type Bucket = { width: number; bytes: Uint8Array<ArrayBuffer>; count: number };

/** The first 12 bits, and the 32 behind the first byte. */
const bucketAt = (bytes: Uint8Array, at: number) => ((bytes[at] ?? 0) << 4) | ((bytes[at + 1] ?? 0) >> 4);
const keyAt = (bytes: Uint8Array, at: number) =>
  (((bytes[at + 1] ?? 0) << 24) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 8) | (bytes[at + 4] ?? 0)) >>>
  0;

export const widthOf = (bucket: number) => (bucket < BUCKETS ? 20 : 32);

/** Where a hash lies: by its kind, and how it begins. */
export const bucketOf = (hash: Uint8Array) => bucketAt(hash, 0) + (hash.length === 32 ? BUCKETS : 0);

/** In hex, one by one. */
export function hashesOf({ bucket, hashes }: Pick<HashBlock, "bucket" | "hashes">): string[] {
  const width = widthOf(bucket);
  return Array.from({ length: hashes.length / width }, (_, place) =>
    hashes.subarray(place * width, (place + 1) * width).toHex(),
  );
}

/** In lower-case hex digits, how many bytes `text` begins with at `from` that fill `into`; false for anything else. */
export function readHex(text: Uint8Array, from: number, into: Uint8Array): boolean {
  for (let at = 0; at < into.length; at++) {
    const high = VALUES[text[from + 2 * at] ?? 0] ?? 255;
    const low = VALUES[text[from + 2 * at + 1] ?? 0] ?? 255;
    if ((high | low) > 15) return false;
    into[at] = (high << 4) | low;
  }
  return true;
}

/** The hashes of one pile by bucket, in order, each once. */
function* blocksOf({ width, bytes, count }: Bucket, breachName: string): Generator<HashBlock> {
  const ends = new Uint32Array(BUCKETS + 1);
  for (let at = 0; at < count * width; at += width) {
    const next = bucketAt(bytes, at) + 1;
    ends[next] = (ends[next] ?? 0) + 1;
  }
  for (let bucket = 1; bucket <= BUCKETS; bucket++) ends[bucket] = (ends[bucket] ?? 0) + (ends[bucket - 1] ?? 0);
  // What orders a hash within its bucket, and which one it is.
  const keys = new Float64Array(count);
  const free = ends.slice();
  for (let index = 0; index < count; index++) {
    const bucket = bucketAt(bytes, index * width);
    const place = free[bucket] ?? 0;
    free[bucket] = place + 1;
    keys[place] = keyAt(bytes, index * width) * MOST + index;
  }
  // Four bytes at a time, and all blocks in one piece of memory: both take a fraction of the time.
  const [length, words] = [width / 4, new Uint32Array(bytes.buffer)];
  const all = new Uint32Array(count * length);
  const isSame = (one: number, other: number) => {
    for (let at = 0; at < length; at++) if (words[one + at] !== words[other + at]) return false;
    return true;
  };
  let to = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const [start = 0, end = 0] = [ends[bucket], ends[bucket + 1]];
    if (start === end) continue;
    if (end - start > 1) keys.subarray(start, end).sort();
    const begin = to;
    let before = -1;
    for (let place = start; place < end; place++) {
      const key = keys[place] ?? 0;
      // The rest of the division, which takes a hundred times as long by itself.
      const from = ((key - Math.floor(key / MOST) * MOST) | 0) * length;
      if (before >= 0 && isSame(before, from)) continue;
      for (let at = 0; at < length; at++) all[to + at] = words[from + at] ?? 0;
      to += length;
      before = from;
    }
    const hashes = new Uint8Array(all.buffer, 4 * begin, 4 * (to - begin));
    yield { bucket: bucket + (width === 32 ? BUCKETS : 0), breachName, hashes };
  }
}

/** Gathers hashes in the blocks in which they are stored: a row for each would take many times as long. */
export function hashBlocks() {
  const piles = new Map<string, [Bucket, Bucket]>();
  let [last, lastPiles]: [string | undefined, [Bucket, Bucket] | undefined] = [undefined, undefined];

  function pilesOf(breach: string): [Bucket, Bucket] {
    if (lastPiles && last === breach) return lastPiles;
    const found = piles.get(breach) ?? [
      { width: 20, bytes: new Uint8Array(20), count: 0 },
      { width: 32, bytes: new Uint8Array(32), count: 0 },
    ];
    piles.set(breach, found);
    [last, lastPiles] = [breach, found];
    return found;
  }

  return {
    add(hash: Uint8Array, breach: string): void {
      const pile = pilesOf(breach)[hash.length === 32 ? 1 : 0];
      const end = pile.count * pile.width;
      // Frees what it was at once; left to the collector, it would be as much again as all that is kept.
      if (end === pile.bytes.length) pile.bytes = new Uint8Array(pile.bytes.buffer.transfer(2 * end));
      pile.bytes.set(hash, end);
      pile.count += 1;
    },
    names: () => [...piles.keys()],
    /** Each hash of a breach once, in order: the same ones make the same blocks. They are not kept any longer here. */
    *blocks(): Generator<HashBlock> {
      for (const [breachName, kinds] of piles)
        for (const pile of kinds) {
          if (pile.count > 0) yield* blocksOf(pile, breachName);
          pile.bytes.buffer.transfer(0);
        }
    },
  };
}
