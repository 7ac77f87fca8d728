/**
 * True in the nightly run (`bun run test:nightly`), which runs everything; otherwise only what fits into the gate runs.
 * A test file reads this only if both run it: whole files are assigned in `test/tiers.ts`.
 */
export const IS_NIGHTLY = process.env.TEST_TIER === "nightly";

/** In the gate the first of each kind; in the nightly run all of them. */
export function inGateOneOfEach<Case>(cases: Case[], kindOf: (each: Case) => string): Case[] {
  if (IS_NIGHTLY) return cases;
  const kinds = new Map<string, Case>();
  for (const each of cases) if (!kinds.has(kindOf(each))) kinds.set(kindOf(each), each);
  return [...kinds.values()];
}
