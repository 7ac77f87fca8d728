/** Counts what happened within the last span of time. */
export type RollingCount = {
  add(at: Date): void;
  /** Within the span before `at`, to within a sixtieth of it. */
  countAt(at: Date): number;
};

const PARTS = 60;

/** Kept in memory, in sixty parts of `spanMs` milliseconds, however much happens. */
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
