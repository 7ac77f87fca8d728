import * as v from "valibot";
import { SOURCE_FLAGS, type SourceFlag } from "../../../../shared/breach.ts";
import type { Breach } from "../../../catalogue/breach.ts";

/** HIBP writes instants with or without seconds; the result has seconds. Undefined for anything but an instant in UTC. */
function utcInstant(typed: string): string | undefined {
  const [, minute, second = "00"] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?Z$/.exec(typed) ?? [];
  if (minute === undefined) return undefined;
  const instant = `${minute}:${second}Z`;
  const time = Date.parse(instant);
  // `Date` accepts 30 February, as 1 or 2 March.
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(instant.slice(0, -1)) ? instant : undefined;
}

// Postgres cannot store NUL in text.
const text = v.pipe(v.string(), v.excludes("\0"));
const name = v.pipe(text, v.nonEmpty());
const instant = v.pipe(v.string(), v.transform(utcInstant), v.string());
const day = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\d$/),
  v.check((date) => utcInstant(`${date}T00:00Z`) !== undefined),
);
/** Flags that HIBP has added over the years, and older copies lack. */
const laterFlag = v.nullish(v.boolean(), false);

const entrySchema = v.object({
  Name: name,
  Title: name,
  Domain: text,
  BreachDate: day,
  AddedDate: instant,
  ModifiedDate: instant,
  PwnCount: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  Description: text,
  LogoPath: text,
  Attribution: v.nullish(text),
  DisclosureUrl: v.nullish(text),
  DataClasses: v.array(name),
  IsVerified: v.boolean(),
  IsFabricated: v.boolean(),
  IsSensitive: v.boolean(),
  IsRetired: v.boolean(),
  IsSpamList: v.boolean(),
  IsMalware: laterFlag,
  IsStealerLog: laterFlag,
  IsSubscriptionFree: laterFlag,
});
type Entry = v.InferOutput<typeof entrySchema>;

const FLAGS: Record<SourceFlag, (entry: Entry) => boolean> = {
  unverified: (entry) => !entry.IsVerified,
  fabricated: (entry) => entry.IsFabricated,
  sensitive: (entry) => entry.IsSensitive,
  retired: (entry) => entry.IsRetired,
  spamList: (entry) => entry.IsSpamList,
  malware: (entry) => entry.IsMalware,
  stealerLog: (entry) => entry.IsStealerLog,
  subscriptionFree: (entry) => entry.IsSubscriptionFree,
};

function read<Schema extends v.GenericSchema>(schema: Schema, body: unknown): v.InferOutput<Schema> | undefined {
  const result = v.safeParse(schema, body);
  return result.success ? result.output : undefined;
}

/** Parses an entry of HIBP's catalogue; undefined when invalid. Unknown keys and data classes are accepted. */
export function readBreach(body: unknown): Breach | undefined {
  const entry = read(entrySchema, body);
  if (entry === undefined) return undefined;
  return {
    name: entry.Name,
    title: entry.Title,
    domain: entry.Domain,
    breachDate: entry.BreachDate,
    addedDate: entry.AddedDate,
    modifiedDate: entry.ModifiedDate,
    pwnCount: entry.PwnCount,
    description: entry.Description,
    logoPath: entry.LogoPath,
    attribution: entry.Attribution ?? undefined,
    disclosureUrl: entry.DisclosureUrl ?? undefined,
    dataClasses: entry.DataClasses,
    flags: SOURCE_FLAGS.filter((flag) => FLAGS[flag](entry)),
  };
}

/** Parses each entry on its own and counts the invalid ones; undefined when it is no list. */
export function readCatalogue(body: unknown): { breaches: Breach[]; broken: number } | undefined {
  const entries = read(v.array(v.unknown()), body);
  if (entries === undefined) return undefined;
  const byName = new Map<string, Breach>();
  for (const entry of entries) {
    const breach = readBreach(entry);
    if (breach !== undefined && !byName.has(breach.name)) byName.set(breach.name, breach);
  }
  return { breaches: [...byName.values()], broken: entries.length - byName.size };
}

const latestSchema = v.object({ Name: name, AddedDate: instant });

export function readLatest(body: unknown): { name: string; addedDate: string } | undefined {
  const latest = read(latestSchema, body);
  return latest && { name: latest.Name, addedDate: latest.AddedDate };
}

const namesSchema = v.pipe(v.array(v.object({ Name: name })), v.minLength(1));

/** The names of a truncated account response. For "none" HIBP answers 404 and never an empty list, which is therefore invalid. */
export function readNames(body: unknown): string[] | undefined {
  return read(namesSchema, body)?.map((breach) => breach.Name);
}

const HASH_SUFFIX = /^[0-9a-f]{34}$/i;
const websitesSchema = v.object({ websites: v.array(name) });

function isRow(row: unknown): row is { hashSuffix: string } {
  if (typeof row !== "object" || row === null || !("hashSuffix" in row)) return false;
  return typeof row.hashSuffix === "string" && HASH_SUFFIX.test(row.hashSuffix);
}

/** The names for our own suffix. HIBP's terms forbid any use of the other rows: nothing of them leaves this function. */
export function readRange(body: unknown, suffix: string): string[] | undefined {
  // Hand-written, as a schema for hundreds of rows, of which at most one is needed, would dominate the cost of a check.
  if (!Array.isArray(body) || body.length === 0 || !body.every(isRow)) return undefined;
  const own = suffix.toLowerCase();
  const ours = body.filter((row) => row.hashSuffix.toLowerCase() === own);
  return read(v.array(websitesSchema), ours)?.flatMap((row) => row.websites);
}

const WORD = String.raw`"[^"\\\x00-\x1f]+"`;
const WORDS = String.raw`\[(?:${WORD}(?:,${WORD})*)?\]`;
const ROW = String.raw`\{"hashSuffix":"[0-9A-F]{34}","websites":${WORDS}\}(?:,(?=\{)|\]$)`;

/** `readRange` on the unparsed text; undefined when a row deviates from HIBP's format. Several times faster than parsing. */
export function glanceAtRange(text: string, suffix: string): string[] | undefined {
  const [row, words] = [new RegExp(ROW, "y"), new RegExp(WORDS, "y")];
  row.lastIndex = 1;
  let end = 0;
  while (row.test(text)) end = row.lastIndex;
  if (!text.startsWith("[") || end !== text.length) return undefined;
  const own = `{"hashSuffix":"${suffix.toUpperCase()}","websites":`;
  const names: string[] = [];
  for (let at = text.indexOf(own); at >= 0; at = text.indexOf(own, at + 1)) {
    words.lastIndex = at + own.length;
    names.push(...(JSON.parse(words.exec(text)?.[0] ?? "[]") as string[]));
  }
  return names;
}

const subscriptionSchema = v.object({
  Rpm: v.pipe(v.number(), v.integer(), v.minValue(1)),
  IncludesKAnon: v.boolean(),
});

export function readSubscription(body: unknown): { rpm: number; kAnonymity: boolean } | undefined {
  const subscription = read(subscriptionSchema, body);
  return subscription && { rpm: subscription.Rpm, kAnonymity: subscription.IncludesKAnon };
}
