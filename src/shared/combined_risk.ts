import { type BreachFacts, dataClassKey, isDrill } from "./breach.ts";
import { type Part, READINGS, type Reading, type Recipe, recipeOf } from "./combined_risk_readings.ts";

export { READINGS, type Reading } from "./combined_risk_readings.ts";

export type TogetherBreach = Pick<BreachFacts, "name" | "title" | "dataClasses" | "breachDate" | "flags" | "domain">;

/**
 * A risk that follows from the breaches of an address taken together. `breaches` are the smallest set that causes it (all of
 * them, where each further breach makes it worse); a single one causes it alone. `classes` are the keys of the data behind it.
 * Its texts: `title.<reading>` and `text.<reading>` in `locales/<language>/together.json`.
 */
export type TogetherReading = { reading: Reading; breaches: string[]; classes: string[] };

type Known = { name: string; keys: Set<string>; sensitive: boolean };

/** The risks that all these breaches cause together, the most severe first. */
export function togetherOf(breaches: readonly TogetherBreach[]): TogetherReading[] {
  const known = breaches.filter(isReal).toSorted(bestFirst).map(knownOf);
  return READINGS.flatMap((reading) => {
    const { parts, breaches: wanted } = recipeOf(reading);
    const named = wanted === undefined ? fewestFor(parts, known) : manyFor(parts, known, wanted);
    if (named === undefined) return [];
    return [{ reading, breaches: named.map(({ name }) => name), classes: classesOf(parts, named) }];
  });
}

/** Fire drills contain no real data. */
function isReal(breach: TogetherBreach): boolean {
  return !breach.flags.includes("fabricated") && !isDrill(breach);
}

/** Of two breaches with the same data, prefers the confirmed one, then the newer one. */
function bestFirst(one: TogetherBreach, other: TogetherBreach): number {
  const doubt = ({ flags }: TogetherBreach) => (flags.includes("unverified") || flags.includes("spamList") ? 1 : 0);
  return (
    doubt(one) - doubt(other) ||
    (other.breachDate ?? "").localeCompare(one.breachDate ?? "") ||
    (one.name < other.name ? -1 : Number(one.name > other.name))
  );
}

function knownOf({ name, dataClasses, flags }: TogetherBreach): Known {
  return { name, keys: new Set(dataClasses.map(dataClassKey)), sensitive: flags.includes("sensitive") };
}

function gives({ keys, sensitive }: Known, { any, orSensitive }: Part): boolean {
  return any.some((key) => keys.has(key)) || (orSensitive === true && sensitive);
}

/** All breaches that provide every part, if there are at least `wanted` of them. */
function manyFor(parts: Recipe["parts"], known: Known[], wanted: number): Known[] | undefined {
  const giving = known.filter((breach) => parts.every((part) => gives(breach, part)));
  return giving.length < wanted ? undefined : giving;
}

/** The smallest set of breaches that provides all parts. A recipe has few parts, so few breaches differ in what they provide. */
function fewestFor(parts: Recipe["parts"], known: Known[]): Known[] | undefined {
  const all = 2 ** parts.length - 1;
  const best = new Map<number, Known[]>([[0, []]]);
  for (const breach of known) {
    const mask = parts.reduce((sum, part, place) => sum + (gives(breach, part) ? 2 ** place : 0), 0);
    if (mask === 0) continue;
    for (const [covered, named] of [...best]) {
      const together = covered | mask;
      const before = best.get(together);
      if (before === undefined || before.length > named.length + 1) best.set(together, [...named, breach]);
    }
  }
  return best.get(all);
}

/** For each part the first category, in the recipe's order, that the named breaches provide. */
function classesOf(parts: Recipe["parts"], named: Known[]): string[] {
  const found = parts.flatMap(({ any }) => any.find((key) => named.some(({ keys }) => keys.has(key))) ?? []);
  return [...new Set(found)];
}
