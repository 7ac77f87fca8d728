import * as v from "valibot";
import { type BreachFlag, dataClassKey } from "../../../../shared/breach.ts";
import type { Breach } from "../../../catalogue/breach.ts";
import { type Entries, name, path, type Readable, readEach, readEntries, readName, text } from "../entries.ts";
import LABELS from "./data_classes.json";

/** XposedOrNot's labels, by key, that differ from HIBP's by more than spelling. */
const ALIASES: Record<string, string> = {
  address: "Physical addresses",
  addresses: "Physical addresses",
  "home address": "Physical addresses",
  "postal address": "Physical addresses",
  "credit card detail": "Credit cards",
  "credit card info": "Credit cards",
  "credit card information": "Credit cards",
  "credit card number": "Credit cards",
  "government id": "Government issued IDs",
  "spouses details": "Spouses names",
  "full name": "Names",
  phone: "Phone numbers",
  "telephone number": "Phone numbers",
  dob: "Dates of birth",
  birthdate: "Dates of birth",
  location: "Geographic locations",
  ssn: "Social security numbers",
  passport: "Passport numbers",
  "bank account": "Bank account numbers",
  "drivers licence": "Driver's licenses",
  "security question": "Security questions and answers",
  email: "Email addresses",
};

/** The words of a label without case, punctuation and plural. */
function wordsOf(label: string): string {
  const words = dataClassKey(label).split("-");
  return words
    .map((word) =>
      word
        .replace(/(ss|us|x|ch|sh)es$/, "$1")
        .replace(/ies$/, "y")
        .replace(/([^su])s$/, "$1"),
    )
    .join(" ");
}

const BY_WORDS = new Map(LABELS.map((label) => [wordsOf(label), label]));
for (const [words, label] of Object.entries(ALIASES)) BY_WORDS.set(wordsOf(words), label);

/** Maps XposedOrNot's label to HIBP's; unknown ones stay unchanged. */
export function labelOf(typed: string): string {
  return BY_WORDS.get(wordsOf(typed)) ?? typed.trim();
}

const instant = v.pipe(
  v.string(),
  v.check((typed) => /^\d{4}-\d\d-\d\d/.test(typed) && Number.isFinite(Date.parse(typed))),
);

const entrySchema = v.object({
  breachID: name,
  breachedDate: instant,
  addedDate: v.nullish(instant),
  domain: v.nullish(text, ""),
  exposedData: v.array(name),
  exposedRecords: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  exposureDescription: v.nullish(text, ""),
  referenceURL: v.nullish(text, ""),
  logo: v.nullish(path, ""),
  breachType: v.nullish(text, ""),
  passwordRisk: v.nullish(text, ""),
  sensitive: v.nullish(v.boolean(), false),
  verified: v.boolean(),
});

/** The storage of passwords in XposedOrNot's terms; all other values mean that it is unknown. */
const STORAGES: Record<string, NonNullable<Breach["storageSaid"]>> = {
  plaintext: "plain",
  easytocrack: "weak",
  hardtocrack: "strong",
};

/** An instant in UTC; without the time if the source has none. */
function utc(typed: string): string {
  return new Date(typed).toISOString().replace(/\.\d+Z$/, "Z");
}

function readEntry(body: unknown): Breach | undefined {
  const result = v.safeParse(entrySchema, body);
  if (!result.success) return undefined;
  const entry = result.output;
  const addedDate = utc(entry.addedDate ?? entry.breachedDate);
  const flags: [BreachFlag, boolean][] = [
    ["unverified", !entry.verified],
    ["sensitive", entry.sensitive],
    ["stealerLog", /stealer/i.test(entry.breachType)],
  ];
  const storageSaid = STORAGES[entry.passwordRisk.trim().toLowerCase()];
  return {
    name: entry.breachID,
    title: entry.breachID,
    domain: entry.domain,
    breachDate: entry.breachedDate.slice(0, 10),
    addedDate,
    modifiedDate: addedDate,
    dataClasses: [...new Set(entry.exposedData.map(labelOf))].toSorted(),
    flags: flags.flatMap(([flag, isSet]) => (isSet ? [flag] : [])),
    pwnCount: entry.exposedRecords,
    description: entry.exposureDescription,
    logoPath: entry.logo,
    attribution: undefined,
    disclosureUrl: entry.referenceURL.trim() || undefined,
    ...(storageSaid && { storageSaid }),
  };
}

const catalogueSchema = v.object({ status: v.literal("success"), exposedBreaches: v.array(v.unknown()) });

/** Parses each entry on its own; undefined when it is no catalogue. */
export function readCatalogue(body: unknown): Entries | undefined {
  const result = v.safeParse(catalogueSchema, body);
  return result.success ? readEntries(result.output.exposedBreaches, { read: readEntry, key: "breachID" }) : undefined;
}

const foundSchema = v.object({
  breaches: v.tuple([v.pipe(v.array(v.unknown()), v.minLength(1))]),
  email: v.string(),
  status: v.literal("success"),
});
const notFoundSchema = v.variant("Error", [
  v.object({ Error: v.literal("Not found"), email: v.null(), status: v.optional(v.undefined()) }),
  v.object({ Error: v.literal("No breaches found"), email: v.nullish(v.string()), status: v.literal("failed") }),
]);

/**
 * The names for our address. Accepts "none" only in its exact documented forms: errors of the API look similar, and must never be
 * reported as safe.
 */
export function readNames(status: number, body: unknown, address: string): Readable<string> | undefined {
  const found = v.safeParse(foundSchema, body);
  if (status !== 200 || !found.success) return v.is(notFoundSchema, body) ? { entries: [], leftOut: 0 } : undefined;
  if (found.output.email.toLowerCase() !== address) return undefined;
  return readEach(found.output.breaches[0], readName);
}
