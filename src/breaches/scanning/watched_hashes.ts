const PREFIX = 16;
/** Load factor at which slots are still found within a few probes. */
const FULL = 0.7;

/** Half of a hash's first 64 bits; two zeros mark an empty slot. */
function halfAt(hash: string, from: number): number {
  let half = 0;
  for (let at = from; at < from + PREFIX / 2; at++) {
    const code = hash.charCodeAt(at);
    half = (half << 4) | (code < 58 ? code - 48 : code - 87);
  }
  return half;
}

const wordAt = (bytes: Uint8Array, at: number) =>
  ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);

/** A compact set of hash prefixes: a few megabytes for very many tracked addresses, looked up for each line of a file. */
export function hashTable() {
  let places = new Int32Array(2 * 1024);
  let count = 0;

  function put(high: number, low: number): void {
    const mask = places.length - 1;
    let at = (low << 1) & mask;
    for (; places[at] !== 0 || places[at + 1] !== 0; at = (at + 2) & mask)
      if (places[at] === high && places[at + 1] === low) return;
    places[at] = high;
    places[at + 1] = low;
    count += 1;
  }

  function grow(): void {
    const before = places;
    places = new Int32Array(2 * before.length);
    count = 0;
    for (let at = 0; at < before.length; at += 2)
      if (before[at] !== 0 || before[at + 1] !== 0) put(before[at] ?? 0, before[at + 1] ?? 0);
  }

  return {
    /** Hashes, or the first 16 digits of each, concatenated. */
    add(prefixes: string): void {
      for (let at = 0; at < prefixes.length; at += PREFIX) {
        if (2 * count >= FULL * places.length) grow();
        put(halfAt(prefixes, at), halfAt(prefixes, at + PREFIX / 2));
      }
    },
    /** Whether a hash with this prefix is in the set; the caller has to verify the full hash. */
    has(hash: Uint8Array): boolean {
      const [high, low] = [wordAt(hash, 0), wordAt(hash, 4)];
      // Indistinguishable from an empty slot.
      if (high === 0 && low === 0) return true;
      const mask = places.length - 1;
      for (let at = (low << 1) & mask; places[at] !== 0 || places[at + 1] !== 0; at = (at + 2) & mask)
        if (places[at] === high && places[at + 1] === low) return true;
      return false;
    },
  };
}
