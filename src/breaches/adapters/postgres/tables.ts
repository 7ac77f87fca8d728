import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  customType,
  date,
  index,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "../../../database/columns.ts";
import type { HandleReason, PasswordChange } from "../../../shared/alert.ts";
import type { BreachChange } from "../../../shared/breach_change.ts";
import type { DisclosureForm } from "../../../shared/disclosure.ts";
import type { Language } from "../../../shared/language.ts";
import type { LetterAsk, LetterCountry } from "../../../shared/letters.ts";
import type { Breach } from "../../catalogue/breach.ts";
import type { ImageType } from "../../catalogue/logo_image.ts";
import type { Alert, Paste } from "../../ports.ts";

export const breachesSchema = pgSchema("breaches");

export const bytes = customType<{ data: Uint8Array<ArrayBuffer>; driverData: Uint8Array }>({
  dataType: () => "bytea",
  fromDriver: (value) => new Uint8Array(value),
});

export const breachTable = breachesSchema.table(
  "breach",
  {
    name: text("name").primaryKey(),
    source: text("source").notNull(),
    // For searching; lowered in code, as SQL's lower() depends on the server's locale.
    titleLower: text("title_lower").notNull(),
    // Earlier titles, lowered as well, in one text: a renamed breach is found by them, too.
    formerLower: text("former_lower").notNull().default(""),
    addedDate: text("added_date").notNull(),
    pwnCount: bigint("pwn_count", { mode: "number" }).notNull(),
    breach: jsonb("breach").$type<Breach>().notNull(),
    // A generated column: extracting it from the long entry for each alert would dominate a page's time.
    sensitive: boolean("sensitive").generatedAlwaysAs(sql`breach->'flags' @> '["sensitive"]'::jsonb`),
    hash: text("hash").notNull(),
    changedAt: instant("changed_at").notNull(),
    removedAt: instant("removed_at"),
    // Until then its alerts wait for its facts; only in entries that no source has explained.
    awaitedUntil: instant("awaited_until"),
    // The canonical entry, where two sources list the same breach.
    sameAs: text("same_as"),
  },
  (table) => [
    index("breach_source").on(table.source),
    index("breach_same_as").on(table.sameAs),
    index("breach_awaited").on(table.awaitedUntil).where(sql`awaited_until is not null`),
  ],
);

export const sourceTable = breachesSchema.table("source", {
  source: text("source").primaryKey(),
  latestName: text("latest_name"),
  latestAdded: text("latest_added"),
  generation: integer("generation").notNull().default(0),
  syncedAt: instant("synced_at"),
  checkedAt: instant("checked_at"),
  trouble: text("trouble"),
  lookUpTrouble: text("look_up_trouble"),
  // The entries of its catalogue that could not be read when it was last read.
  leftOut: text("left_out").array().notNull().default([]),
  pausedUntil: instant("paused_until"),
  nextPollAt: instant("next_poll_at").notNull(),
});

/** Logos by the path in the catalogue; `file` is null until fetched. */
export const logoTable = breachesSchema.table(
  "logo",
  {
    path: text("path").primaryKey(),
    // The name it is served under: content hash and type.
    file: text("file"),
    type: text("type").$type<ImageType>(),
    bytes: bytes("bytes"),
    etag: text("etag"),
    fetchedAt: instant("fetched_at"),
    failures: integer("failures").notNull().default(0),
    nextAt: instant("next_at").notNull(),
  },
  (table) => [index("logo_file").on(table.file)],
);

/** The domains of breached services, and whether they have a page for changing passwords. */
export const servicePageTable = breachesSchema.table("service_page", {
  domain: text("domain").primaryKey(),
  hasPage: boolean("has_page").notNull().default(false),
  failures: integer("failures").notNull().default(0),
  nextAt: instant("next_at").notNull(),
});

/** The next free slot of each source's rate limit, shared by all processes. */
export const budgetTable = breachesSchema.table("rate_budget", {
  source: text("source").primaryKey(),
  /** To the microsecond: rounded to milliseconds, the intervals of fast sources would be longer than they need to be. */
  nextSlotAt: timestamp("next_slot_at", { withTimezone: true, mode: "date" }).notNull(),
});

export const scanTable = breachesSchema.table(
  "scan",
  {
    address: text("address").notNull(),
    source: text("source").notNull(),
    dueAt: instant("due_at").notNull(),
    checkedAt: instant("checked_at"),
    generation: integer("generation").notNull().default(0),
    request: integer("request").notNull().default(1),
    failures: integer("failures").notNull().default(0),
    retryAt: instant("retry_at"),
    leaseToken: uuid("lease_token"),
    leaseUntil: instant("lease_until"),
    // The source cannot look up such an address.
    unsupported: boolean("unsupported").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.address, table.source] }),
    // One index for each priority of `claimDue`.
    index("scan_new").on(table.source, table.dueAt, table.address).where(sql`checked_at is null and not unsupported`),
    index("scan_generation").on(table.source, table.generation, table.checkedAt.asc().nullsFirst(), table.address),
    index("scan_due").on(table.source, table.dueAt, table.address),
  ],
);

export const watchTable = breachesSchema.table(
  "watch",
  {
    associationId: uuid("association_id").primaryKey(),
    accountId: uuid("account_id").notNull(),
    address: text("address").notNull(),
    baselineAt: instant("baseline_at"),
    suspended: boolean("suspended").notNull().default(false),
    // Kept while suspended; the scans themselves are removed when nobody tracks the address.
    lastCheckedAt: instant("last_checked_at"),
    details: boolean("details").notNull().default(true),
    sensitive: boolean("sensitive").notNull().default(true),
    // Of the address, in lower-case hex, for matching with sets of hashes; null in rows that are older than these columns.
    sha1: text("sha1"),
    sha256: text("sha256"),
    aliasOf: uuid("alias_of"),
  },
  (table) => [
    index("watch_address").on(table.address),
    index("watch_account").on(table.accountId),
    index("watch_sha1").on(table.sha1),
    index("watch_sha256").on(table.sha256),
    index("watch_alias_of").on(table.aliasOf).where(sql`alias_of is not null`),
    // Watches without their first report; queried every second.
    index("watch_unreported").on(table.address).where(sql`baseline_at is null and not suspended`),
  ],
);

export const exposureTable = breachesSchema.table(
  "exposure",
  {
    address: text("address").notNull(),
    breachName: text("breach_name").notNull(),
    foundAt: instant("found_at").notNull(),
    sources: text("sources").array().notNull().default([]),
  },
  (table) => [
    primaryKey({ columns: [table.address, table.breachName] }),
    index("exposure_breach_name").on(table.breachName),
  ],
);

export const alertTable = breachesSchema.table(
  "alert",
  {
    id: uuid("id").primaryKey(),
    associationId: uuid("association_id").notNull(),
    accountId: uuid("account_id").notNull(),
    address: text("address").notNull(),
    breachName: text("breach_name").notNull(),
    state: text("state").$type<Alert["state"]>().notNull(),
    baseline: boolean("baseline").notNull(),
    raisedAt: instant("raised_at").notNull(),
    handledAt: instant("handled_at"),
    reason: text("reason").$type<HandleReason>(),
    note: text("note"),
    steps: text("steps").array().notNull().default([]),
    version: integer("version").notNull(),
    // When its breach was last seen to have become worse.
    worsenedAt: instant("worsened_at"),
    // When the person last changed the password, if they were asked and answered.
    changedSince: text("changed_since").$type<PasswordChange>(),
    variants: text("variants").array().notNull().default([]),
  },
  (table) => [
    uniqueIndex("alert_once").on(table.associationId, table.breachName),
    // Alerts of one breach in the order of notification when it becomes more severe.
    index("alert_breach_name").on(table.breachName, table.id),
    index("alert_account").on(table.accountId, table.raisedAt.desc()),
  ],
);

/** The version of each association's count of pending alerts; its row lock serialises counting. */
export const alertCountTable = breachesSchema.table("alert_count", {
  associationId: uuid("association_id").primaryKey(),
  version: integer("version").notNull(),
});

/** Changes of known breaches, as they were detected. */
export const changeTable = breachesSchema.table(
  "change",
  {
    id: uuid("id").primaryKey(),
    breachName: text("breach_name").notNull(),
    at: instant("at").notNull(),
    change: jsonb("change").$type<Omit<BreachChange, "at" | "worse">>().notNull(),
    worse: boolean("worse").notNull(),
    // The last notified alert, while there may be more; the next batch starts after it.
    toldThrough: uuid("told_through"),
    toldAt: instant("told_at"),
  },
  (table) => [
    index("change_breach_name").on(table.breachName, table.at),
    index("change_untold").on(table.at).where(sql`worse and told_at is null`),
  ],
);

/** When each account last opened its notifications. */
export const seenTable = breachesSchema.table("seen", {
  accountId: uuid("account_id").primaryKey(),
  seenAt: instant("seen_at").notNull(),
});

/** Accounts with overdue checks: one row per incident. */
export const staleTable = breachesSchema.table("stale_notice", {
  accountId: uuid("account_id").primaryKey(),
  seenAt: instant("seen_at").notNull(),
  toldAt: instant("told_at"),
  since: instant("since").notNull(),
  addresses: integer("addresses").notNull(),
});

/** Fire drills under way. */
export const drillTable = breachesSchema.table(
  "drill",
  {
    accountId: uuid("account_id").primaryKey(),
    id: uuid("id").notNull(),
    associationId: uuid("association_id").notNull(),
    address: text("address").notNull(),
    breachName: text("breach_name").notNull(),
    alertId: uuid("alert_id").notNull(),
    startedAt: instant("started_at").notNull(),
  },
  (table) => [index("drill_started_at").on(table.startedAt)],
);

/** Letters that people say to have sent to companies. */
export const letterTable = breachesSchema.table(
  "letter",
  {
    id: uuid("id").primaryKey(),
    accountId: uuid("account_id").notNull(),
    associationId: uuid("association_id").notNull(),
    alertId: uuid("alert_id").notNull(),
    address: text("address").notNull(),
    company: text("company").notNull(),
    asks: text("asks").array().$type<LetterAsk[]>().notNull(),
    country: text("country").$type<LetterCountry>().notNull(),
    language: text("language").$type<Language>().notNull(),
    sentOn: date("sent_on").notNull(),
    dueOn: date("due_on"),
    answered: boolean("answered").notNull().default(false),
    remindedAt: instant("reminded_at"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    index("letter_account").on(table.accountId, table.createdAt),
    index("letter_due").on(table.dueOn).where(sql`not answered and reminded_at is null`),
  ],
);

/** What each source was told about each tracked address. */
export const disclosureTable = breachesSchema.table(
  "disclosure",
  {
    address: text("address").notNull(),
    source: text("source").notNull(),
    form: text("form").$type<DisclosureForm>().notNull(),
    firstAt: instant("first_at").notNull(),
    lastAt: instant("last_at").notNull(),
    times: integer("times").notNull(),
  },
  (table) => [primaryKey({ columns: [table.address, table.source, table.form] })],
);

/** Pastes and stealer logs of the accounts' own addresses, as they were asked for. */
export const traceTable = breachesSchema.table(
  "trace",
  {
    accountId: uuid("account_id").notNull(),
    address: text("address").notNull(),
    againAt: instant("again_at").notNull(),
    // Null until there is an answer.
    askedAt: instant("asked_at"),
    pastes: jsonb("pastes").$type<Paste[]>(),
    sites: text("sites").array(),
    sitesRefused: boolean("sites_refused").notNull().default(false),
    // The sites whose password was changed.
    done: text("done").array().notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.address] }), index("trace_address").on(table.address)],
);
