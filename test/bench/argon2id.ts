// The cost of a password hash: today's parameters and neighbouring ones in rotation, so that a busy machine slows all
// of them, sequentially and two at a time as the hasher runs them.
import { median, round } from "./figures.ts";

const TODAY = { m: 19_456, t: 2 };
const CANDIDATES = [
  TODAY,
  { m: 12_288, t: 3 },
  { m: 47_104, t: 1 },
  // Bun's own default.
  { m: 65_536, t: 2 },
];
const ROUNDS = 25;
const AT_ONCE = 2;

async function timed({ m, t }: typeof TODAY): Promise<number> {
  const started = performance.now();
  await Bun.password.hash("Tranquil-Harbour-42", { algorithm: "argon2id", memoryCost: m, timeCost: t });
  return performance.now() - started;
}

async function timedTogether(parameters: typeof TODAY): Promise<number> {
  const started = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, () => timed(parameters)));
  return performance.now() - started;
}

export async function argon2id(): Promise<void> {
  const samples = CANDIDATES.map((parameters) => ({ parameters, alone: [] as number[], together: [] as number[] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { parameters, alone, together } of samples) {
      alone.push(await timed(parameters));
      together.push(await timedTogether(parameters));
    }
  }
  for (const { parameters, alone, together } of samples) {
    const speed = { median_ms: round(median(alone), 1), per_second: round((AT_ONCE * 1000) / median(together), 1) };
    console.log(JSON.stringify({ line: "argon2id", ...parameters, p: 1, today: parameters === TODAY, ...speed }));
  }
}

if (import.meta.main) await argon2id();
