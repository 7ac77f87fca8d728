/** Counts events within a sliding window. */
export type RollingCount = {
  add(at: Date): void;
  /** The count within the window before `at`, accurate to a sixtieth of the window. */
  countAt(at: Date): number;
};

const PARTS = 60;

/** In-memory window of `spanMs` milliseconds in sixty buckets, so that memory does not grow with the number of events. */
export function rollingCount(spanMs: number): RollingCount {
  const counts = new Map<number, number>();
  const partOf = (at: Date) => Math.floor((at.getTime() * PARTS) / spanMs);
  function forgetBefore(first: number): void {
    for (const part of counts.keys()) if (part < first) counts.delete(part);
  }
  return {
    add(at) {
      const part = partOf(at);
      const count = counts.get(part);
      if (count === undefined) forgetBefore(part - PARTS + 1);
      counts.set(part, (count ?? 0) + 1);
    },
    countAt(at) {
      forgetBefore(partOf(at) - PARTS + 1);
      return counts.values().reduce((sum, count) => sum + count, 0);
    },
  };
}
