const { HISTORIES, HISTORIES_SEED } = process.env;

/** The few of the gate are the same every time, so that a gate never fails by chance; where many are played, they are new ones. */
const GATE_SEED = 20261126;

/**
 * How many random histories a test plays: `few` where many tests run, `HISTORIES` of them where that is set, but never more
 * than `most`, where each takes long. `HISTORIES_SEED` plays the same ones again; a failure names its own.
 */
export function histories(few: number, most = Number.POSITIVE_INFINITY): { numRuns: number; seed?: number } {
  const numRuns = HISTORIES === undefined ? few : Math.min(Number(HISTORIES), most);
  if (HISTORIES !== undefined && HISTORIES_SEED === undefined) return { numRuns };
  return { numRuns, seed: Number(HISTORIES_SEED ?? GATE_SEED) };
}

/** The time that such a test has, in milliseconds. */
export const HISTORIES_MS = HISTORIES === undefined ? 120_000 : 3_600_000;
