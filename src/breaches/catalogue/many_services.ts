import { isInfected } from "../../shared/advice.ts";
import type { Breach } from "./breach.ts";

/**
 * Compilations that sources list under a domain of their own or describe too briefly, by normalised title (letters and digits
 * only).
 */
const KNOWN_LISTS = new Set(
  [
    ...[
      "2844 Separate Data Breaches",
      "Anti Public Combo List",
      "Cit0day",
      "Collection 1",
      "Combolists Posted to Telegram",
    ],
    ...["Exploit In", "Naz API", "Pemiblanc", "Synthient Credential Stuffing Threat Data"],
  ].map(lettersOf),
);

/** Phrases of descriptions for data that was compiled from elsewhere rather than lost by a service. */
const GATHERED = [
  /\b(?:credential stuffing|combo) ?lists?\b/i,
  /\bcollection of (?:more than |over )?\d[\d,.]*(?: \w+){0,3} (?:web)?sites\b/i,
  /\b(?:aggregated|collated|combined|compiled) from (?:\w+ ){0,4}(?:breaches|leaks)\b/i,
];

function lettersOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** Whether the data comes from no single service: stealer logs and compilations, for which there is no account to secure. */
export function isOfManyServices(breach: Pick<Breach, "title" | "domain" | "flags" | "description">): boolean {
  const { title, domain, description } = breach;
  if (domain === "" || isInfected(breach) || KNOWN_LISTS.has(lettersOf(title))) return true;
  const words = description.replaceAll(/<[^>]*>/g, "");
  return GATHERED.some((pattern) => pattern.test(words));
}
