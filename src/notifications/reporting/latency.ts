const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Upper bounds of the buckets in milliseconds; the last one is open-ended. Stored counts refer to positions in this list, so it
 * may only be extended at its end.
 */
export const BOUNDS_MS: readonly number[] = [
  ...[1, 2, 3, 5, 7, 10, 15, 20, 30, 45].map((seconds) => seconds * SECOND_MS),
  ...[1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 45].map((minutes) => minutes * MINUTE_MS),
  ...[1, 1.5, 2, 3, 4, 6, 8, 12, 18, 24, 36, 48, 72, 168, 720].map((hours) => hours * HOUR_MS),
];

/** A histogram: one count per bucket. */
export type Histogram = number[];

/** The bucket of a duration; negative ones, due to clock skew, count as 0. */
export function bucketOf(ms: number): number {
  const found = BOUNDS_MS.findIndex((bound) => ms <= bound);
  return found < 0 ? BOUNDS_MS.length - 1 : found;
}

/** Empty without a bucket. */
export function histogramOf(bucket: number | undefined): Histogram {
  return BOUNDS_MS.map((_, place) => (place === bucket ? 1 : 0));
}

/** Merges the histograms of days, channels or processes. */
export function merged(histograms: readonly Histogram[]): Histogram {
  return BOUNDS_MS.map((_, place) => histograms.reduce((sum, histogram) => sum + (histogram[place] ?? 0), 0));
}

export function sizeOf(histogram: Histogram): number {
  return histogram.reduce((sum, count) => sum + count, 0);
}

/**
 * The upper bound, in milliseconds, of the bucket that contains the percentile (nearest rank). Undefined for an empty histogram.
 */
export function percentile(histogram: Histogram, share: number): number | undefined {
  const total = sizeOf(histogram);
  if (total === 0) return undefined;
  const rank = Math.max(1, Math.ceil(total * share));
  let seen = 0;
  for (const [place, count] of histogram.entries()) {
    seen += count;
    if (seen >= rank) return BOUNDS_MS[place];
  }
  return undefined;
}
