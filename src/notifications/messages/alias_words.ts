import type { AlertFacts } from "../../shared/breach.ts";
import { shownAddress } from "../../shared/shown_address.ts";
import { breachWords, type WordOptions } from "./breach_words.ts";
import type { Block, BreachItem } from "./content.ts";

/** How many aliases a message names; it counts the others. */
const MOST_NAMED = 5;

type Found = Pick<AlertFacts, "address" | "foundUnder">;

/** The address that is in the data: the tracked one, unless the breach was found under aliases only. */
export function addressFound({ address, foundUnder }: Found): string {
  const isIn = foundUnder.length === 0 || foundUnder.some((found) => found.address === address);
  return isIn ? address : (foundUnder[0]?.address ?? address);
}

/** Which aliases were found. */
export function foundUnderFacts({ foundUnder }: Found, options: WordOptions): BreachItem["facts"] {
  if (foundUnder.length === 0) return [];
  const named = foundUnder.slice(0, MOST_NAMED).map((found) => shownAddress(found.address));
  const more = foundUnder.length - named.length;
  const value = [...named, ...(more > 0 ? [`+${more}`] : [])].join(", ");
  return [{ label: breachWords(options).say("fact.found_under"), value, identifies: true }];
}

/** What the name of an alias tells: it was probably this service that lost the data. */
export function namedServiceNote({ foundUnder }: Found, options: WordOptions): Block[] {
  const { say } = breachWords(options);
  const named = foundUnder.find(({ namesService }) => namesService);
  if (named === undefined) return [];
  const text = say("fact.names_service", { address: shownAddress(named.address) });
  return [{ kind: "note", label: say("fact.names_service_label"), text }];
}
