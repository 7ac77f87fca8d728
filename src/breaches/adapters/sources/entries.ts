import * as v from "valibot";
import { storable } from "../../../shared/unicode.ts";
import { type Breach, newestOf } from "../../catalogue/breach.ts";
import type { Latest } from "../../ports.ts";

/** Names are keys of the database, whose indexes limit their length. */
const LONGEST_NAME = 200;
const LONGEST_PATH = 1000;
/** With more unreadable entries than this, and a larger share, a list is rejected: its format has probably changed. */
const FEW_LEFT_OUT = 10;
const LARGEST_SHARE_LEFT_OUT = 0.05;

/** Text as a source writes it, made fit for the database and for JSON. */
export const text = v.pipe(v.string(), v.transform(storable));
export const name = v.pipe(text, v.trim(), v.nonEmpty(), v.maxLength(LONGEST_NAME));
/** A name of a breach; undefined when it is none. */
export function readName(typed: unknown): string | undefined {
  const read = v.safeParse(name, typed);
  return read.success ? read.output : undefined;
}
/** The path of a logo; none rather than one that is too long for a key. */
export const path = v.pipe(
  text,
  v.transform((typed) => (typed.length > LONGEST_PATH ? "" : typed)),
);

export type Entries = { breaches: Breach[]; leftOut: string[] };

/** How the operator finds an entry that could not be read. */
function labelOf(entry: unknown, key: string, place: number): string {
  const named = typeof entry === "object" && entry !== null ? (entry as Record<string, unknown>)[key] : undefined;
  const label = typeof named === "string" ? storable(named).trim().slice(0, LONGEST_NAME).toWellFormed() : "";
  return label === "" ? `entry ${place + 1}` : label;
}

/** Reads each entry on its own; unreadable ones, and those whose name was there before, are left out. */
export function readEntries(
  list: unknown[],
  { read, key }: { read: (entry: unknown) => Breach | undefined; key: string },
): Entries {
  const byName = new Map<string, Breach>();
  const leftOut: string[] = [];
  for (const [place, entry] of list.entries()) {
    const breach = read(entry);
    if (breach === undefined || byName.has(breach.name)) leftOut.push(labelOf(entry, key, place));
    else byName.set(breach.name, breach);
  }
  return { breaches: [...byName.values()], leftOut };
}

/** An unreadable list must never replace the stored catalogue; single unreadable entries stop nothing. */
export function isReadable({ breaches, leftOut }: Entries): boolean {
  const most = Math.max(FEW_LEFT_OUT, LARGEST_SHARE_LEFT_OUT * (breaches.length + leftOut.length));
  return breaches.length > 0 && leftOut.length <= most;
}

/** The newest of these entries; without a name when there is none. */
export function latestOf(breaches: Breach[]): Latest {
  const { name = "", addedDate = "" } = newestOf(breaches) ?? {};
  return { kind: "latest", name, addedDate };
}

/** The readable entries of an answer for an address, and how many could not be read. */
export type Readable<Entry> = { entries: Entry[]; leftOut: number };

/** Undefined if entries are left out and none is readable, as an address must not seem safe then. */
export function readEach<Entry>(
  list: unknown[],
  read: (entry: unknown) => Entry | undefined,
): Readable<Entry> | undefined {
  const all = list.map(read);
  const entries = all.filter((entry) => entry !== undefined);
  const leftOut = all.length - entries.length;
  return entries.length === 0 && leftOut > 0 ? undefined : { entries, leftOut };
}

/** Whether a request was sent, rather than held back by our own rate limit. */
export function wasSent(answer: object): boolean {
  return !("isRateLimit" in answer && answer.isRateLimit === true);
}
