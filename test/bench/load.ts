import { median, round, spreadOf, tell } from "./figures.ts";

export type Sample = { rate: number; p99: number };
export type Pair = { product: Sample; raw: Sample };
export type Load = { callers: number; requests: number };

/** `callers` in parallel until `requests` were answered. */
export async function load({ callers, requests }: Load, ask: () => Promise<void>): Promise<Sample> {
  const times: number[] = [];
  let left = requests;
  const caller = async () => {
    while (left-- > 0) {
      const started = performance.now();
      await ask();
      times.push(performance.now() - started);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: callers }, caller));
  const seconds = (performance.now() - started) / 1000;
  times.sort((a, b) => a - b);
  return { rate: times.length / seconds, p99: times[Math.floor(times.length * 0.99)] ?? 0 };
}

/**
 * What a line must reach: `rate` in answers or items a second, `share` of the raw limit's rate, and `p99Ms`, within which 99 of
 * 100 answers must come.
 */
export type Bounds = { rate?: number; share?: number; p99Ms?: number };
type About = { line: string; bounds: Bounds } & Record<string, string | number | Bounds | undefined>;

/** One line, with medians of all rounds; `isKept` says whether the line's other bounds are met. */
export function report({ bounds, ...about }: About, samples: Pair[], isKept = true): void {
  const shares = samples.map((sample) => sample.product.rate / sample.raw.rate);
  const rate = median(samples.map((sample) => sample.product.rate));
  const [share, p99Ms] = [median(shares), median(samples.map((sample) => sample.product.p99))];
  const isFast = rate >= (bounds.rate ?? 0) && share >= (bounds.share ?? 0);
  tell({
    ...about,
    rate: Math.round(rate),
    raw: Math.round(median(samples.map((sample) => sample.raw.rate))),
    share: round(share, 3),
    spread: round(spreadOf(shares)),
    p99_ms: round(p99Ms, 1),
    bounds,
    pass: isFast && p99Ms <= (bounds.p99Ms ?? Number.POSITIVE_INFINITY) && isKept,
  });
}
