import { median, round } from "./figures.ts";

export type Sample = { rate: number; p99: number };
type Load = { callers: number; requests: number };

/** `callers` at once until `requests` were answered. */
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

/** One line: the product's rate as a ratio to the raw limit of the same round. */
export function report(about: Record<string, string | number>, samples: { product: Sample; raw: Sample }[]): void {
  const ratios = samples.map((sample) => sample.product.rate / sample.raw.rate);
  console.log(
    JSON.stringify({
      ...about,
      rate: Math.round(median(samples.map((sample) => sample.product.rate))),
      raw: Math.round(median(samples.map((sample) => sample.raw.rate))),
      ratio: round(median(ratios)),
      spread: round(Math.max(...ratios) - Math.min(...ratios)),
      p99_ms: round(median(samples.map((sample) => sample.product.p99)), 1),
    }),
  );
}
