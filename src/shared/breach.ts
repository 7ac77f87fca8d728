import type { FoundUnder } from "./aliases.ts";
import { remembered } from "./remembered.ts";

/** The flags that a source can set on a breach; each is shown and explained, none hides the breach. */
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
/** The sources' flags and our own: a fire drill's made-up breach. */
export const BREACH_FLAGS = [...SOURCE_FLAGS, "drill"] as const;
export type BreachFlag = (typeof BREACH_FLAGS)[number];

/** Whether an account made this breach up for a fire drill; its data is not real. */
export function isDrill({ flags }: { flags: readonly BreachFlag[] }): boolean {
  return flags.includes("drill");
}

/** How the passwords were stored according to the source: in plain text, with a weak or a strong hash. */
export const PASSWORD_STORAGES = ["plain", "weak", "strong", "unknown"] as const;
export type PasswordStorage = (typeof PASSWORD_STORAGES)[number];

/** What people are shown of a breach. Dates are ISO 8601: `breachDate` is YYYY-MM-DD, the others are UTC instants. */
export type BreachFacts = {
  /** The source's stable identifier; never shown. */
  name: string;
  title: string;
  domain: string;
  /** When it happened; null while no source has said it. */
  breachDate: string | null;
  addedDate: string;
  /** The source's own English labels, such as "Email addresses". */
  dataClasses: string[];
  flags: BreachFlag[];
  /** Number of accounts affected, as the source counts them. */
  pwnCount: number;
  /** Null where no passwords are among the data. */
  passwordStorage: PasswordStorage | null;
  /** The data comes from many services or from no known one, so no step can refer to "the" service. */
  manyServices: boolean;
  /** Path of the logo on our own origin; null where there is none. */
  logo: string | null;
};

/** The facts of one alert as its message states them. */
export type AlertFacts = {
  alertId: string;
  associationId: string;
  accountId: string;
  address: string;
  state: "pending" | "handled";
  /** Version of this state, for optimistic locking: a change names the version that it is based on. */
  version: number;
  /** When the alert was raised; ISO 8601. */
  raisedAt: string;
  /** Null where the owner of the address shares only that something happened. */
  breach: BreachFacts | null;
  /** The sources that reported it; empty where `breach` is null. */
  sources: string[];
  /** The aliases, or addresses among them, under which it was found; empty if that is `address` alone. */
  foundUnder: FoundUnder[];
};

/**
 * A label's key in `locales/<language>/data_classes.json`: lower case, without apostrophes, everything else joined by hyphens.
 */
export const dataClassKey = remembered((label) =>
  label
    .toLowerCase()
    .replaceAll(/['’]/g, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, ""),
);

const LATE_DAYS = 90;
const DAY_MS = 24 * 3_600_000;

/** Whether the breach became known so long after it happened that the delay needs an explanation. */
export function becameKnownLate({ breachDate, addedDate }: Pick<BreachFacts, "breachDate" | "addedDate">): boolean {
  if (breachDate === null) return false;
  return Math.floor((Date.parse(addedDate) - Date.parse(breachDate)) / DAY_MS) > LATE_DAYS;
}
