const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Upper bounds of the buckets, in milliseconds; the last one takes all that is longer too. Stored counts go by their
 * place in this list: it may grow at its end, and never change.
 */
export const BOUNDS_MS: readonly number[] = [
  ...[1, 2, 3, 5, 7, 10, 15, 20, 30, 45].map((seconds) => seconds * SECOND_MS),
  ...[1, 1.5, 2, 3, 5, 7, 10, 15, 20, 30, 45].map((minutes) => minutes * MINUTE_MS),
  ...[1, 1.5, 2, 3, 4, 6, 8, 12, 18, 24, 36, 48, 72, 168, 720].map((hours) => hours * HOUR_MS),
];

/** How many lasted how long: one count per bucket. */
export type Histogram = number[];

/** The bucket of a duration; clocks that disagree make none shorter than nothing. */
export function bucketOf(ms: number): number {
  const found = BOUNDS_MS.findIndex((bound) => ms <= bound);
  return found < 0 ? BOUNDS_MS.length - 1 : found;
}

export function emptyHistogram(): Histogram {
  return BOUNDS_MS.map(() => 0);
}

export function histogramOf(bucket: number | undefined): Histogram {
  return BOUNDS_MS.map((_, place) => (place === bucket ? 1 : 0));
}

/** Of days, channels and processes together: adding counts loses nothing. */
export function merged(histograms: readonly Histogram[]): Histogram {
  return BOUNDS_MS.map((_, place) => histograms.reduce((sum, histogram) => sum + (histogram[place] ?? 0), 0));
}

export function sizeOf(histogram: Histogram): number {
  return histogram.reduce((sum, count) => sum + count, 0);
}

/**
 * Within how many milliseconds the given share of all were done: the upper bound of the bucket that the exact percentile
 * (nearest rank) lies in. Undefined where there are none.
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
