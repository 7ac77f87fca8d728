import type { BreachFacts } from "./breach.ts";

/** The attribution of a source, required by its licence wherever the data is shown or sent. */
export type Credit = {
  /** Undefined for the operator's own dataset: `locales/<language>/sources.json` has a text for it. */
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

/** By source; the bundled catalogue is a copy of HIBP's. */
const CREDITS: Record<string, Credit> = {
  hibp: HIBP,
  bundled: HIBP,
  xposedornot: XPOSEDORNOT,
  dataset: OWN_LIST,
  push: OWN_LIST,
};
const IN_ORDER: Credit[] = [HIBP, XPOSEDORNOT, OWN_LIST];

/** Part of the reason why a source gives no answer when it does not accept the installation's key. */
export const KEY_REFUSED = "refused the API key";

export function isKeyRefused(reason: string): boolean {
  return reason.includes(KEY_REFUSED);
}

/** Separates a source's name from its name of a breach; HIBP's names have no prefix. */
export const SOURCE_MARK = ":";

/** Something shown to a reader: the sources that reported it, and its breach if the reader may know it. */
export type Found = { sources: string[]; breach: Pick<BreachFacts, "name"> | null };

/** The source whose catalogue describes a breach. */
function describedBy(name: string): string {
  const mark = name.indexOf(SOURCE_MARK);
  return mark < 0 ? "hibp" : name.slice(0, mark);
}

/**
 * The attributions for everything on one page: the sources that reported it and those whose catalogue describes it. Where
 * nothing shown names a source, those that were asked: `configured`.
 */
export function creditsOf(shown: Found[], configured: string[]): Credit[] {
  const told = shown.flatMap(({ sources, breach }) => [...sources, ...(breach ? [describedBy(breach.name)] : [])]);
  const credits = (told.length > 0 ? told : configured).map((source) => CREDITS[source]);
  return IN_ORDER.filter((credit) => credits.includes(credit));
}
