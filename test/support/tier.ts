/**
 * Everything, however long it takes (`bun run test:nightly`); else what fits into the gate. A test file asks here only where both
 * run it: whole files have their place in `test/tiers.ts`.
 */
export const IS_NIGHTLY = process.env.TEST_TIER === "nightly";

/** In the gate the first of each kind; at night all of them. */
export function inGateOneOfEach<Case>(cases: Case[], kindOf: (each: Case) => string): Case[] {
  if (IS_NIGHTLY) return cases;
  const kinds = new Map<string, Case>();
  for (const each of cases) if (!kinds.has(kindOf(each))) kinds.set(kindOf(each), each);
  return [...kinds.values()];
}
