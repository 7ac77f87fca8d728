import { isInfected } from "../../shared/advice.ts";
import type { Breach } from "./breach.ts";

/** Lists that sources know by a domain of their own, or tell too little of: by their titles without anything but letters and digits. */
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

/** How descriptions speak of what was gathered from elsewhere, not of what a service lost. */
const GATHERED = [
  /\b(?:credential stuffing|combo) ?lists?\b/i,
  /\bcollection of (?:more than |over )?\d[\d,.]*(?: \w+){0,3} (?:web)?sites\b/i,
  /\b(?:aggregated|collated|combined|compiled) from (?:\w+ ){0,4}(?:breaches|leaks)\b/i,
];

function lettersOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/** It has no one service at which something could be done: collected on people's devices, or gathered from many places. */
export function isOfManyServices(breach: Pick<Breach, "title" | "domain" | "flags" | "description">): boolean {
  const { title, domain, description } = breach;
  if (domain === "" || isInfected(breach) || KNOWN_LISTS.has(lettersOf(title))) return true;
  const words = description.replaceAll(/<[^>]*>/g, "");
  return GATHERED.some((pattern) => pattern.test(words));
}
