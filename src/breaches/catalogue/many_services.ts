import { isInfected } from "../../shared/advice.ts";
import { remembered } from "../../shared/remembered.ts";
import type { Breach } from "./breach.ts";

/** Lists that sources give a domain of their own or describe too briefly. */
const LISTS = [
  ...[
    "2844 Separate Data Breaches",
    "Anti Public Combo List",
    "Cit0day",
    "Collection 1",
    "Combolists Posted to Telegram",
  ],
  ...["Exploit In", "Naz API", "Pemiblanc", "Synthient Credential Stuffing Threat Data"],
];

/** Data of several services, or found without anybody knowing whose it was. */
const OF_NOBODY_KNOWN = [
  ...["Coupon Mom / Armor Games", "CrimeAgency vBulletin Hacks", "SuperVPN & GeckoVPN", "Master Deeds", "Lead Hunter"],
  ...["Data Enrichment Exposure From PDL Customer", "Data Enrichment Records", "Hopamedia", "Exposed VINs"],
  ...["Elasticsearch Instance of Sales Leads on AWS", "Estonian Citizens (via Estonian Cybercrime Bureau)"],
  ...["French Citizens", "Salvadoran Citizens", "Phished Data via CERT Poland", "You've Been Scraped"],
  ...["Misattributed Flipkart Data", "Not Acxiom", "Not SOCRadar"],
];

/** Compared by letters and digits only. */
const KNOWN = new Set([...LISTS, ...OF_NOBODY_KNOWN].map(lettersOf));

/** Phrases of descriptions for data that was compiled from elsewhere rather than lost by a service. */
const GATHERED = [
  /\b(?:credential stuffing|combo) ?lists?\b/i,
  /\bcollection of (?:more than |over )?\d[\d,.]*(?: \w+){0,3} (?:web)?sites\b/i,
  /\b(?:aggregated|collated|combined|compiled) from (?:\w+ ){0,4}(?:breaches|leaks)\b/i,
];

function lettersOf(title: string): string {
  return title.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}

/**
 * Whether the data comes from no single service that is known: stealer logs, spam lists, compilations and finds of unknown origin,
 * for which there is no account to secure. A missing domain alone does not mean that: services are listed without one, too.
 */
export function isOfManyServices(breach: Pick<Breach, "title" | "domain" | "flags" | "description">): boolean {
  const { title, domain, flags, description } = breach;
  if (isInfected(breach) || KNOWN.has(lettersOf(title))) return true;
  // Only a title, such as the name of an imported file, or a spam list, which has no single origin.
  if (domain === "" && (description === "" || flags.includes("spamList"))) return true;
  return isGathered(description);
}

const isGathered = remembered((description) => {
  const words = description.replaceAll(/<[^>]*>/g, "");
  return GATHERED.some((pattern) => pattern.test(words));
});
