import * as v from "valibot";
import { SOURCE_FLAGS, type SourceFlag } from "../../../../shared/breach.ts";
import type { Breach } from "../../../catalogue/breach.ts";
import type { Paste, Subscription } from "../../../ports.ts";
import { type Entries, name, path, type Readable, readEach, readEntries, readName, text } from "../entries.ts";

/** HIBP writes instants with or without seconds; the result has seconds. Undefined for anything but an instant in UTC. */
function utcInstant(typed: string): string | undefined {
  const [, minute, second = "00"] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.\d+)?)?Z$/.exec(typed) ?? [];
  if (minute === undefined) return undefined;
  const instant = `${minute}:${second}Z`;
  const time = Date.parse(instant);
  // `Date` accepts 30 February, as 1 or 2 March.
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(instant.slice(0, -1)) ? instant : undefined;
}

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
  LogoPath: path,
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

/** Parses each entry on its own; undefined when it is no list. */
export function readCatalogue(body: unknown): Entries | undefined {
  return Array.isArray(body) ? readEntries(body, { read: readBreach, key: "Name" }) : undefined;
}

/** Whether it is an entry at all, readable or not. */
export function isEntry(body: unknown): boolean {
  return typeof body === "object" && body !== null && "Name" in body;
}

const latestSchema = v.object({ Name: name, AddedDate: instant });

/** An entry that cannot be read has an empty name, which no other has. Undefined for anything but an entry. */
export function readLatest(body: unknown): { name: string; addedDate: string } | undefined {
  if (!isEntry(body)) return undefined;
  const latest = read(latestSchema, body);
  return { name: latest?.Name ?? "", addedDate: latest?.AddedDate ?? "" };
}

const nameSchema = v.object({ Name: name });

/** The names of a truncated account response. For "none" HIBP answers 404 and never an empty list, which is therefore invalid. */
export function readNames(body: unknown): Readable<string> | undefined {
  if (!Array.isArray(body) || body.length === 0) return undefined;
  return readEach(body, (entry) => read(nameSchema, entry)?.Name);
}

const HASH_SUFFIX = /^[0-9a-f]{34}$/i;
const websitesSchema = v.object({ websites: v.array(v.unknown()) });

function isRow(row: unknown): row is { hashSuffix: string } {
  if (typeof row !== "object" || row === null || !("hashSuffix" in row)) return false;
  return typeof row.hashSuffix === "string" && HASH_SUFFIX.test(row.hashSuffix);
}

/**
 * The names for our own suffix. HIBP's terms forbid any use of the other rows: nothing of them leaves this function. Rows that
 * cannot be read are left out, although they may be ours.
 */
export function readRange(body: unknown, suffix: string): Readable<string> | undefined {
  // Hand-written, as a schema for hundreds of rows, of which at most one is needed, would dominate the cost of a check.
  if (!Array.isArray(body) || body.length === 0) return undefined;
  const own = suffix.toLowerCase();
  const websites = body.flatMap((row): unknown[] => {
    if (!isRow(row)) return [undefined];
    if (row.hashSuffix.toLowerCase() !== own) return [];
    return read(websitesSchema, row)?.websites ?? [undefined];
  });
  return readEach(websites, readName);
}

const WORD = String.raw`"[^"\\\x00-\x1f]+"`;
const WORDS = String.raw`\[(?:${WORD}(?:,${WORD})*)?\]`;
const ROW = String.raw`\{"hashSuffix":"[0-9A-F]{34}","websites":${WORDS}\}(?:,(?=\{)|\]$)`;

/** `readRange` on the unparsed text; undefined when a row deviates from HIBP's format. Several times faster than parsing. */
export function glanceAtRange(text: string, suffix: string): Readable<string> | undefined {
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
  return { entries: names, leftOut: 0 };
}

const LONGEST_PASTE_ID = 2000;
const LONGEST_TITLE = 300;
const pasteSchema = v.pipe(
  v.object({
    Source: name,
    Id: v.pipe(text, v.trim(), v.nonEmpty(), v.maxLength(LONGEST_PASTE_ID)),
    Title: v.nullish(text),
    Date: v.fallback(v.nullish(instant), null),
    EmailCount: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
  }),
  v.transform((entry): Paste => {
    const title = entry.Title?.trim().slice(0, LONGEST_TITLE).toWellFormed();
    const { Source: source, Id: id, EmailCount: addresses } = entry;
    return { source, id, title: title || undefined, date: entry.Date ?? undefined, addresses };
  }),
);

/** As for names, an empty list is invalid: for "none" HIBP answers 404. */
export function readPastes(body: unknown): Readable<Paste> | undefined {
  if (!Array.isArray(body) || body.length === 0) return undefined;
  return readEach(body, (entry) => read(pasteSchema, entry));
}

const LONGEST_SITE = 253;
/** Letters of any script, as nothing else may become part of a page. */
const siteSchema = v.pipe(
  text,
  v.trim(),
  v.toLowerCase(),
  v.maxLength(LONGEST_SITE),
  v.regex(/^[\p{L}\p{M}\p{N}._:-]+$/u),
);

/** The websites of a stealer log, each once. */
export function readSites(body: unknown): Readable<string> | undefined {
  if (!Array.isArray(body) || body.length === 0) return undefined;
  const sites = readEach(body, (entry) => read(siteSchema, entry));
  return sites && { ...sites, entries: [...new Set(sites.entries)] };
}

/** A website of a stealer log; undefined when it is none. */
export function readSite(typed: unknown): string | undefined {
  return read(siteSchema, typed);
}

/** The text to publish in a TXT record: printable ASCII of at most one string. */
const recordSchema = v.object({ txtRecordValue: v.pipe(text, v.trim(), v.regex(/^[\x20-\x7e]{1,255}$/)) });

export function readRecord(body: unknown): string | undefined {
  return read(recordSchema, body)?.txtRecordValue;
}

const subscribedSchema = v.array(v.object({ DomainName: text }));

/** The domains that are verified for the key, in lower case. */
export function readSubscribed(body: unknown): string[] | undefined {
  return read(subscribedSchema, body)?.map(({ DomainName }) => DomainName.trim().toLowerCase());
}

const messageSchema = v.object({ message: v.string() });

/** Whether an error says that a domain is verified already. */
export function isAlreadyVerified(body: unknown): boolean {
  return /^domain has already been verified\b/i.test(read(messageSchema, body)?.message ?? "");
}

const subscriptionSchema = v.object({
  Rpm: v.pipe(v.number(), v.integer(), v.minValue(1)),
  IncludesKAnon: v.boolean(),
  // Look-ups do without the following, so they must not fail for lack of them.
  SubscriptionName: v.fallback(v.optional(name), undefined),
  SubscribedUntil: v.fallback(v.optional(instant), undefined),
  IncludesStealerLogs: v.fallback(v.boolean(), false),
});

export function readSubscription(body: unknown): Subscription | undefined {
  const subscription = read(subscriptionSchema, body);
  return (
    subscription && {
      name: subscription.SubscriptionName,
      until: subscription.SubscribedUntil,
      perMinute: subscription.Rpm,
      kAnonymity: subscription.IncludesKAnon,
      stealerLogs: subscription.IncludesStealerLogs,
    }
  );
}
