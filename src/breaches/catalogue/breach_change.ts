import { isGrave } from "../../shared/advice.ts";
import { type BreachFacts, type BreachFlag, dataClassKey } from "../../shared/breach.ts";
import type { BreachChange } from "../../shared/breach_change.ts";
import { rankOf, severityOf } from "../../shared/severity.ts";
import { type Breach, contentOf, isStandIn } from "./breach.ts";

/** The result of a comparison, before it is stored. */
export type Difference = Omit<BreachChange, "at" | "retired" | "worse">;

export const NO_DIFFERENCE: Difference = {
  addedClasses: [],
  removedClasses: [],
  addedFlags: [],
  removedFlags: [],
  count: null,
  happened: null,
  known: null,
  title: null,
};

const DOUBTS: BreachFlag[] = ["unverified", "fabricated"];
const INFECTIONS: BreachFlag[] = ["malware", "stealerLog"];
/** Sources leave such entries out of their answers, or may do so. */
const WITHHELD: BreachFlag[] = ["retired", ...DOUBTS];

/** The labels of `list` that are missing in `others`, compared regardless of spelling. */
function missingIn(others: string[], list: string[]): string[] {
  const known = new Set(others.map(dataClassKey));
  const fresh = new Map(list.map((label) => [dataClassKey(label), label]));
  return [...fresh].flatMap(([key, label]) => (known.has(key) ? [] : label));
}

function corrected<Value>(from: Value, to: Value): { from: Value; to: Value } | null {
  return from === to ? null : { from, to };
}

/**
 * The relevant difference between two versions of an entry. Undefined if they differ only in the order or spelling of categories,
 * the domain, the description, the logo, or the source's modification date.
 */
export function changeBetween(before: Breach, after: Breach): Difference | undefined {
  const difference: Difference = {
    ...NO_DIFFERENCE,
    addedClasses: missingIn(before.dataClasses, after.dataClasses),
    removedClasses: missingIn(after.dataClasses, before.dataClasses),
    addedFlags: after.flags.filter((flag) => !before.flags.includes(flag)),
    // Nothing was known of a stand-in: it is not corrected, nor was it in doubt.
    ...(isStandIn(before) ? {} : corrections(before, after)),
  };
  return isEmpty(difference) ? undefined : difference;
}

function corrections(before: Breach, after: Breach): Partial<Difference> {
  return {
    removedFlags: before.flags.filter((flag) => !after.flags.includes(flag)),
    count: corrected(before.pwnCount, after.pwnCount),
    happened: before.breachDate && after.breachDate ? corrected(before.breachDate, after.breachDate) : null,
    known: corrected(before.addedDate, after.addedDate),
    title: corrected(before.title, after.title),
  };
}

function isEmpty(difference: Difference): boolean {
  return Object.values(difference).every((part) => part === null || (Array.isArray(part) && part.length === 0));
}

/**
 * Whether addresses may be found in this entry that were not before, or by others: its number of accounts or its data grew, it
 * was added again, or it is no longer withheld. So does a modification date that moves while nothing else explains it.
 */
export function mayFindMore(before: Breach, after: Breach): boolean {
  const isSensitive = ({ flags }: Breach) => flags.includes("sensitive");
  return (
    before.pwnCount !== after.pwnCount ||
    before.addedDate !== after.addedDate ||
    isSensitive(before) !== isSensitive(after) ||
    missingIn(before.dataClasses, after.dataClasses).length > 0 ||
    WITHHELD.some((flag) => before.flags.includes(flag) && !after.flags.includes(flag)) ||
    contentOf({ ...after, modifiedDate: "" }) === contentOf({ ...before, modifiedDate: "" })
  );
}

type Readings = {
  before: SeriousBreach;
  after: SeriousBreach;
  /** Earlier changes, in any order. */
  earlier: Pick<BreachChange, "removedClasses" | "removedFlags">[];
  now: Date;
};
type SeriousBreach = Pick<BreachFacts, "dataClasses" | "flags" | "breachDate" | "passwordStorage">;

/**
 * Whether a change escalates a breach, so that accounts are notified again. A breach that is less severe for its reader than
 * before never does; otherwise it does when
 * - it turned out to come from malware,
 * - more critical kinds of data were added than withdrawn: replacing one with another is only a correction,
 * - other data raises the severity,
 * - its data, some of it critical, no longer counts as unverified or fabricated, which raises the severity.
 * Anything that was known before does not count again after the source has withdrawn and restored it.
 */
export function isWorse({ before, after, earlier, now }: Readings): boolean {
  const rank = (breach: SeriousBreach) => rankOf(severityOf(breach, now).level);
  const [was, is] = [rank(before), rank(after)];
  if (is < was) return false;
  const knownFlags = [before.flags, ...earlier.map(({ removedFlags }) => removedFlags)].flat();
  const isFromMalware = after.flags.some((flag) => INFECTIONS.includes(flag) && !knownFlags.includes(flag));
  if (isFromMalware && !before.flags.some((flag) => INFECTIONS.includes(flag))) return true;
  const knownClasses = [before.dataClasses, ...earlier.map(({ removedClasses }) => removedClasses)].flat();
  const added = missingIn(knownClasses, after.dataClasses);
  const weights = (labels: string[]) => labels.map((label) => rank({ ...after, dataClasses: [label] }));
  const withdrawn = weights(missingIn(after.dataClasses, before.dataClasses));
  const grave = weights(added.filter((label) => isGrave({ dataClasses: [label] }))).filter((weight) => weight > 0);
  if (!isMadeUpBy(withdrawn, grave)) return true;
  if (is === was) return false;
  const former = { ...after, dataClasses: missingIn(added, after.dataClasses) };
  if (is > rank(former)) return true;
  const settled = (flag: BreachFlag) =>
    before.flags.includes(flag) &&
    !after.flags.includes(flag) &&
    !earlier.some(({ removedFlags }) => removedFlags.includes(flag));
  return DOUBTS.some(settled) && isGrave(after);
}

/** Whether each of `gained` has one of `lost` of its own that weighs as much. */
function isMadeUpBy(lost: number[], gained: number[]): boolean {
  const heaviest = lost.toSorted((one, other) => other - one);
  return gained.toSorted((one, other) => other - one).every((weight, at) => (heaviest[at] ?? -1) >= weight);
}
