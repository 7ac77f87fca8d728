import { type Domain, isHeld } from "./domain.ts";
import type { Allowance } from "./ports.ts";

/** `suspended`: the plan has ended, or covers fewer domains. */
export type Coverage = "covered" | "suspended";

/** The domains that a plan covers: the oldest ones, as many as it allows. */
export function coveredIds(all: readonly Domain[], { active, domains }: Allowance): Set<string> {
  if (!active) return new Set();
  const oldestFirst = all.toSorted(
    (one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1),
  );
  return new Set(oldestFirst.slice(0, domains ?? oldestFirst.length).map(({ id }) => id));
}

export function coverageOf({ id }: Domain, covered: ReadonlySet<string>): Coverage {
  return covered.has(id) ? "covered" : "suspended";
}

/** Those whose claim is in effect. */
export function holdersIn(all: readonly Domain[]): Domain[] {
  return all.filter(isHeld);
}
