import type { HashBlock } from "./dataset_ports.ts";

/** By the first 12 bits; the buckets of SHA-256 follow those of SHA-1. */
export const BUCKETS = 4096;
/** Upper limit of hashes of one breach that are stored together. */
const MOST = 2 ** 20;
const VALUES = new Uint8Array(256).fill(255);
for (const [value, digit] of [..."0123456789abcdef"].entries()) VALUES[digit.charCodeAt(0)] = value;

/** Concatenated hashes of one kind. */
type Bucket = { width: number; bytes: Uint8Array<ArrayBuffer>; count: number };

/** The first 12 bits, and the 32 bits after the first byte. */
const bucketAt = (bytes: Uint8Array, at: number) => ((bytes[at] ?? 0) << 4) | ((bytes[at + 1] ?? 0) >> 4);
const keyAt = (bytes: Uint8Array, at: number) =>
  (((bytes[at + 1] ?? 0) << 24) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 8) | (bytes[at + 4] ?? 0)) >>>
  0;

export const widthOf = (bucket: number) => (bucket < BUCKETS ? 20 : 32);

/** The bucket of a hash, by its kind and prefix. */
export const bucketOf = (hash: Uint8Array) => bucketAt(hash, 0) + (hash.length === 32 ? BUCKETS : 0);

/** The single hashes, in hex. */
export function hashesOf({ bucket, hashes }: Pick<HashBlock, "bucket" | "hashes">): string[] {
  const width = widthOf(bucket);
  return Array.from({ length: hashes.length / width }, (_, place) =>
    hashes.subarray(place * width, (place + 1) * width).toHex(),
  );
}

/** Decodes lower-case hex at `from` until `into` is full; false for any other character. */
export function readHex(text: Uint8Array, from: number, into: Uint8Array): boolean {
  for (let at = 0; at < into.length; at++) {
    const high = VALUES[text[from + 2 * at] ?? 0] ?? 255;
    const low = VALUES[text[from + 2 * at + 1] ?? 0] ?? 255;
    if ((high | low) > 15) return false;
    into[at] = (high << 4) | low;
  }
  return true;
}

/** The blocks of one bucketed list, sorted, without duplicates. */
function* blocksOf({ width, bytes, count }: Bucket, breachName: string): Generator<HashBlock> {
  const ends = new Uint32Array(BUCKETS + 1);
  for (let at = 0; at < count * width; at += width) {
    const next = bucketAt(bytes, at) + 1;
    ends[next] = (ends[next] ?? 0) + 1;
  }
  for (let bucket = 1; bucket <= BUCKETS; bucket++) ends[bucket] = (ends[bucket] ?? 0) + (ends[bucket - 1] ?? 0);
  // Sort key: order within the bucket, and the index of the hash.
  const keys = new Float64Array(count);
  const free = ends.slice();
  for (let index = 0; index < count; index++) {
    const bucket = bucketAt(bytes, index * width);
    const place = free[bucket] ?? 0;
    free[bucket] = place + 1;
    keys[place] = keyAt(bytes, index * width) * MOST + index;
  }
  // Four bytes at a time, and all blocks in one buffer: both are several times faster.
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
      // The remainder without `%`, which is a hundred times slower here.
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

/**
 * Collects hashes into blocks for storage, as one row per hash would be many times slower. Bytes, as texts would take an import of
 * 10,000,000 hashes to more than the 300 MB that we promise.
 */
export function hashBlocks() {
  const buckets = new Map<string, [Bucket, Bucket]>();
  let [last, lastPiles]: [string | undefined, [Bucket, Bucket] | undefined] = [undefined, undefined];

  function pilesOf(breach: string): [Bucket, Bucket] {
    if (lastPiles && last === breach) return lastPiles;
    const found = buckets.get(breach) ?? [
      { width: 20, bytes: new Uint8Array(20), count: 0 },
      { width: 32, bytes: new Uint8Array(32), count: 0 },
    ];
    buckets.set(breach, found);
    [last, lastPiles] = [breach, found];
    return found;
  }

  return {
    add(hash: Uint8Array, breach: string): void {
      const pile = pilesOf(breach)[hash.length === 32 ? 1 : 0];
      const end = pile.count * pile.width;
      // `transfer` frees the old buffer at once; garbage collection would double the memory in use.
      if (end === pile.bytes.length) pile.bytes = new Uint8Array(pile.bytes.buffer.transfer(2 * end));
      pile.bytes.set(hash, end);
      pile.count += 1;
    },
    names: () => [...buckets.keys()],
    /** Returns sorted blocks without duplicates and clears them; the same hashes always make the same blocks. */
    *blocks(): Generator<HashBlock> {
      for (const [breachName, kinds] of buckets)
        for (const pile of kinds) {
          if (pile.count > 0) yield* blocksOf(pile, breachName);
          pile.bytes.buffer.transfer(0);
        }
    },
  };
}
