const { HISTORIES, HISTORIES_SEED } = process.env;

/**
 * How many random histories a test plays: `few` where many tests run, `HISTORIES` of them where that is set, but never more
 * than `most`, where each takes long. `HISTORIES_SEED` plays the same ones again; a failure names its own.
 */
export function histories(few: number, most = Number.POSITIVE_INFINITY): { numRuns: number; seed?: number } {
  const numRuns = HISTORIES === undefined ? few : Math.min(Number(HISTORIES), most);
  return { numRuns, ...(HISTORIES_SEED !== undefined && { seed: Number(HISTORIES_SEED) }) };
}

/** The time that such a test has, in milliseconds. */
export const HISTORIES_MS = HISTORIES === undefined ? 120_000 : 3_600_000;
