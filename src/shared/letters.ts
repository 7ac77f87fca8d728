/** What a letter to a company can ask for: a copy of the data, a statement about the breach, deletion. */
export const LETTER_ASKS = ["access", "incident", "erasure"] as const;
export type LetterAsk = (typeof LETTER_ASKS)[number];

/** The law that a letter refers to: the GDPR, the Swiss FADP, the UK GDPR, or none. */
export const LAWS = ["eu", "ch", "gb", "none"] as const;
export type Law = (typeof LAWS)[number];

/** The countries of the European Economic Area, where the GDPR applies. */
const EEA = [
  ...(["AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IS"] as const),
  ...(["IT", "LI", "LT", "LU", "LV", "MT", "NL", "NO", "PL", "PT", "RO", "SE", "SI", "SK"] as const),
] as const;
/** The countries that a reader can choose for a letter. */
export const LETTER_COUNTRIES = [...EEA, "CH", "GB", "US"] as const;
export type LetterCountry = (typeof LETTER_COUNTRIES)[number];

/** The law of the reader's country. The United States have no general right of this kind. */
export function lawOf(country: LetterCountry): Law {
  if (country === "CH") return "ch";
  if (country === "GB") return "gb";
  return country === "US" ? "none" : "eu";
}

const SWISS_DAYS = 30;

/**
 * Until when a company has to answer a letter that it got on this day; both as YYYY-MM-DD. One month (GDPR and UK GDPR, Art. 12(3)), or
 * 30 days (Swiss FADP, Art. 25(7)). A month ends on the same day of the next one, or on its last day (Regulation (EEC) 1182/71,
 * Art. 3). Undefined where no law sets a deadline.
 */
export function answerDue(sentOn: string, law: Law): string | undefined {
  const [year = 0, month = 0, day = 0] = sentOn.split("-").map(Number);
  const dayOf = (date: number) => new Date(date).toISOString().slice(0, 10);
  if (law === "none") return undefined;
  if (law === "ch") return dayOf(Date.UTC(year, month - 1, day + SWISS_DAYS));
  const lastOfNext = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month, Math.min(day, lastOfNext)));
}

/** Length limits of what people type, in characters. */
export const LONGEST_COMPANY = 200;

/** Where a company takes such letters, as a public directory has it; links are https. */
export type CompanyContact = {
  name: string;
  /** Lines of its postal address. */
  address: string;
  email: string | null;
  webform: string | null;
  /** ISO 639-1; null if the directory does not say. */
  language: string | null;
};

/** A supervisory authority, to which a person can complain. */
export type Authority = CompanyContact & { website: string | null };
