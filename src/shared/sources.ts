import type { BreachFacts } from "./breach.ts";

/** Whose data it is, as its licence and fairness ask to be told wherever the data is shown or sent. */
export type Credit = {
  /** Undefined for a list of the operator's own: `locales/<language>/sources.json` has words for it. */
  name: string | undefined;
  url: string | undefined;
  licence: { name: string; url: string } | undefined;
};

const HIBP = {
  name: "Have I Been Pwned",
  url: "https://haveibeenpwned.com",
  licence: { name: "CC BY 4.0", url: "https://creativecommons.org/licenses/by/4.0/" },
};
const XPOSEDORNOT = { name: "XposedOrNot", url: "https://xposedornot.com", licence: undefined };
const OWN_LIST = { name: undefined, url: undefined, licence: undefined };

/** By source; what is bundled is a copy of HIBP's catalogue. */
const CREDITS: Record<string, Credit> = {
  hibp: HIBP,
  bundled: HIBP,
  xposedornot: XPOSEDORNOT,
  dataset: OWN_LIST,
  push: OWN_LIST,
};
const IN_ORDER: Credit[] = [HIBP, XPOSEDORNOT, OWN_LIST];

/** Stands between a source and its name of a breach; HIBP's names stand alone. */
export const SOURCE_MARK = ":";

/** Something that is shown: which sources found it, and in which breach, if that may be told. */
export type Found = { sources: string[]; breach: Pick<BreachFacts, "name"> | null };

/** The source whose catalogue describes a breach. */
function describedBy(name: string): string {
  const mark = name.indexOf(SOURCE_MARK);
  return mark < 0 ? "hibp" : name.slice(0, mark);
}

/**
 * Whom to credit for all that is shown together: those who found it and those whose catalogue describes it. Where
 * nothing shown says where it is from, the sources that were asked: `configured`.
 */
export function creditsOf(shown: Found[], configured: string[]): Credit[] {
  const told = shown.flatMap(({ sources, breach }) => [...sources, ...(breach ? [describedBy(breach.name)] : [])]);
  const credits = (told.length > 0 ? told : configured).map((source) => CREDITS[source]);
  return IN_ORDER.filter((credit) => credits.includes(credit));
}
