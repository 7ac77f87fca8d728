import type { Histogram } from "prom-client";

type Row = { labels: Record<string, string | number>; counts: number[]; sum: number };

/**
 * A histogram in prom-client's format with one precomputed key per observation: prom-client hashes every label, which takes
 * longer than answering with a page.
 */
export function keyedHistogram(
  registry: { registerMetric(metric: Histogram): void },
  { name, help, buckets }: { name: string; help: string; buckets: readonly number[] },
) {
  const rows = new Map<string, Row>();
  function valuesOf({ labels, counts, sum }: Row) {
    let below = 0;
    const bucket = (le: number | "+Inf", count: number) => {
      below += count;
      return { labels: { le, ...labels }, value: below, metricName: `${name}_bucket` };
    };
    const all = counts.map((count, place) => bucket(buckets[place] ?? "+Inf", count));
    const rest = [
      { labels, value: sum, metricName: `${name}_sum` },
      { labels, value: below, metricName: `${name}_count` },
    ];
    return [...all, ...rest];
  }
  const get = async () => ({ name, help, type: "histogram", values: [...rows.values()].flatMap(valuesOf) });
  registry.registerMetric({ name, get } as unknown as Histogram);
  return (key: string, labelsOf: () => Row["labels"], value: number): void => {
    let row = rows.get(key);
    if (row === undefined) {
      row = { labels: labelsOf(), counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 };
      rows.set(key, row);
    }
    let place = 0;
    while (place < buckets.length && value > (buckets[place] ?? 0)) place += 1;
    row.counts[place] = (row.counts[place] ?? 0) + 1;
    row.sum += value;
  };
}
