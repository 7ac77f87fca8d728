const { HISTORIES, HISTORIES_SEED } = process.env;

/** The gate plays a few fixed histories so that it never fails by chance; longer runs generate new ones. */
const GATE_SEED = 20261126;

/**
 * How many random histories a test plays: `few` in the gate, `HISTORIES` where that is set, but at most `most` where
 * each one is slow. `HISTORIES_SEED` replays the same ones; a failure reports its seed.
 */
export function histories(few: number, most = Number.POSITIVE_INFINITY): { numRuns: number; seed?: number } {
  const numRuns = HISTORIES === undefined ? few : Math.min(Number(HISTORIES), most);
  if (HISTORIES !== undefined && HISTORIES_SEED === undefined) return { numRuns };
  return { numRuns, seed: Number(HISTORIES_SEED ?? GATE_SEED) };
}

/** The timeout of such a test, in milliseconds. */
export const HISTORIES_MS = HISTORIES === undefined ? 120_000 : 3_600_000;
