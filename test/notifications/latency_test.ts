import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { BOUNDS_MS, bucketOf, histogramOf, merged, percentile } from "../../src/notifications/reporting/latency.ts";

const LONGEST = BOUNDS_MS.at(-1) ?? 0;
const durations = fc.array(fc.integer({ min: 0, max: LONGEST }), { minLength: 1, maxLength: 200 });
const shares = fc.constantFrom(0.5, 0.9, 0.95, 0.99, 1);

/** Nearest rank, computed from the durations. */
function exact(all: number[], share: number): number {
  const sorted = all.toSorted((one, other) => one - other);
  return sorted[Math.max(1, Math.ceil(all.length * share)) - 1] ?? 0;
}

const histogram = (all: number[]) => merged(all.map((ms) => histogramOf(bucketOf(ms))));

describe("latency histograms", () => {
  test("have increasing bounds", () => {
    expect(BOUNDS_MS.toSorted((one, other) => one - other)).toEqual([...BOUNDS_MS]);
    expect(new Set(BOUNDS_MS).size).toBe(BOUNDS_MS.length);
  });

  test("bucketOf() puts each duration below the next bound, and longer ones in the last bucket", () => {
    expect([0, 1000, 1001, 45_000, 45_001].map(bucketOf)).toEqual([0, 0, 1, 9, 10]);
    expect(bucketOf(-5)).toBe(0);
    expect(bucketOf(LONGEST * 2)).toBe(BOUNDS_MS.length - 1);
  });

  test("percentile() returns the bound of the bucket that contains the exact percentile", () => {
    fc.assert(
      fc.property(durations, shares, (all, share) => {
        expect(percentile(histogram(all), share)).toBe(BOUNDS_MS[bucketOf(exact(all, share))] ?? 0);
      }),
    );
  });

  test("merged() of any parts, in any order, is the histogram of the whole", () => {
    fc.assert(
      fc.property(fc.array(durations, { minLength: 1, maxLength: 6 }), shares, (parts, share) => {
        const whole = histogram(parts.flat());
        expect(merged(parts.map(histogram))).toEqual(whole);
        expect(merged(parts.map(histogram).toReversed())).toEqual(whole);
        expect(percentile(merged(parts.map(histogram)), share)).toBe(percentile(whole, share));
      }),
    );
  });

  test("a histogram with fewer buckets, from before one was added, can still be merged", () => {
    expect(merged([[1, 2], histogramOf(1)]).slice(0, 3)).toEqual([1, 3, 0]);
  });

  test("percentile() of an empty histogram is unknown", () => {
    expect(percentile(histogramOf(undefined), 0.5)).toBeUndefined();
  });
});
