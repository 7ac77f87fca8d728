/** How many digits of a hash are compared: as many as a number holds exactly. */
export const PREFIX = 13;

/** The number that the first digits of a hash make. */
function prefixOf(hash: Uint8Array): number {
  let number = 0;
  for (let at = 0; at < PREFIX >> 1; at++) number = number * 256 + (hash[at] ?? 0);
  return number * 16 + ((hash[PREFIX >> 1] ?? 0) >> 4);
}

/** The index of the last of these ascending numbers that is at most `wanted`; -1 if there is none. */
function lastUpTo(wanted: number, numbers: ArrayLike<number>): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] ?? 0) <= wanted) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** The hashes of tracked addresses, in eight bytes each, looked up for each line of a file. */
export function watchedHashes() {
  const pages: Float64Array[] = [];
  const firsts: number[] = [];

  return {
    /** The first `PREFIX` digits of hashes, concatenated, that come after all hashes added before. */
    add(prefixes: string): void {
      const prefixAt = (place: number) => prefixes.slice(place * PREFIX, (place + 1) * PREFIX);
      const numbers = Float64Array.from({ length: prefixes.length / PREFIX }, (_, place) =>
        Number.parseInt(prefixAt(place), 16),
      );
      const [first] = numbers.sort();
      if (first === undefined) return;
      firsts.push(first);
      pages.push(numbers);
    },
    /** Whether there is a hash with the same prefix; the caller has to verify the full hash. */
    has(hash: Uint8Array): boolean {
      const wanted = prefixOf(hash);
      const page = pages[lastUpTo(wanted, firsts)];
      return page !== undefined && page[lastUpTo(wanted, page)] === wanted;
    },
  };
}
