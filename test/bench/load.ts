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

type About = { line: string; bound?: number; p99?: number } & Record<string, string | number | undefined>;

/**
 * One line: `figure` is the product's rate relative to the raw limit of the same round, the median of all rounds; it
 * must reach `bound`. 99 of 100 responses may take at most `p99` milliseconds, and `isKept` says whether the line's
 * other bounds are met.
 */
export function report({ bound, p99, ...about }: About, samples: Pair[], isKept = true): void {
  const ratios = samples.map((sample) => sample.product.rate / sample.raw.rate);
  const figure = median(ratios);
  const p99Ms = median(samples.map((sample) => sample.product.p99));
  const isQuick = p99 === undefined || p99Ms <= p99;
  tell({
    ...about,
    rate: Math.round(median(samples.map((sample) => sample.product.rate))),
    raw: Math.round(median(samples.map((sample) => sample.raw.rate))),
    figure: round(figure, 3),
    spread: round(spreadOf(ratios)),
    p99_ms: round(p99Ms, 1),
    ...(p99 !== undefined && { p99_bound_ms: p99 }),
    ...(bound !== undefined && { bound, pass: figure >= bound && isQuick && isKept }),
  });
}
