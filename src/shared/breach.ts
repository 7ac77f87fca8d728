/** How a source marks an entry; each is shown and explained, none hides a breach. */
export const SOURCE_FLAGS = [
  "unverified",
  "fabricated",
  "sensitive",
  "retired",
  "spamList",
  "malware",
  "stealerLog",
  "subscriptionFree",
] as const;
export type SourceFlag = (typeof SOURCE_FLAGS)[number];
/** And ours: a breach that was made up to try everything out. */
export const BREACH_FLAGS = [...SOURCE_FLAGS, "drill"] as const;
export type BreachFlag = (typeof BREACH_FLAGS)[number];

/** Made up by its account: nothing of it is true of anybody. */
export function isDrill({ flags }: { flags: readonly BreachFlag[] }): boolean {
  return flags.includes("drill");
}

/** How the passwords were kept, as far as their source says: readable, easily or hardly computed back. */
export const PASSWORD_STORAGES = ["plain", "weak", "strong", "unknown"] as const;
export type PasswordStorage = (typeof PASSWORD_STORAGES)[number];

/** What people are shown and told of a breach. Dates are ISO 8601: `breachDate` YYYY-MM-DD, the others UTC instants. */
export type BreachFacts = {
  /** The source's stable identifier; never shown. */
  name: string;
  title: string;
  domain: string;
  breachDate: string;
  addedDate: string;
  /** The source's own English labels, such as "Email addresses". */
  dataClasses: string[];
  flags: BreachFlag[];
  /** Accounts concerned, as the source counts them. */
  pwnCount: number;
  /** Null where no passwords are among the data. */
  passwordStorage: PasswordStorage | null;
  /** It tells of many services, or of none that is known: then nothing can be done at "the" service. */
  manyServices: boolean;
  /** Where its logo is at our own origin; null where none is kept. */
  logo: string | null;
};

/** One alert as its message tells it. */
export type AlertFacts = {
  alertId: string;
  associationId: string;
  accountId: string;
  address: string;
  state: "pending" | "handled";
  /** Of this state: a change names the version it saw. */
  version: number;
  /** When it was found; ISO 8601. */
  raisedAt: string;
  /** Null where the owner of the address shares no more than that something happened. */
  breach: BreachFacts | null;
  /** Which sources found it; none without a breach. */
  sources: string[];
};

/** A label's key in `locales/<language>/data_classes.json`: lower case, apostrophes gone, the rest in hyphens. */
export function dataClassKey(label: string): string {
  return label
    .toLowerCase()
    .replaceAll(/['’]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
}

const LATE_DAYS = 90;
const DAY_MS = 24 * 3_600_000;

/** True when a breach became known so long after it happened that people ask why they hear of it only now. */
export function becameKnownLate({ breachDate, addedDate }: Pick<BreachFacts, "breachDate" | "addedDate">): boolean {
  return Math.floor((Date.parse(addedDate) - Date.parse(breachDate)) / DAY_MS) > LATE_DAYS;
}
