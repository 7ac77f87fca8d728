import { sql } from "drizzle-orm";
import {
  boolean,
  customType,
  index,
  integer,
  pgSchema,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "../../../database/columns.ts";
import type { Language } from "../../../shared/language.ts";
import type { Digest, DomainState, Proof, ProofMailbox } from "../../domain.ts";
import type { FindingKind, MailboxKind, Say } from "../../finding.ts";
import type { LookKind, SourceState } from "../../ports.ts";

export const domainsSchema = pgSchema("domains");

/** Ordered by its bytes, whatever the database's locale is: pages continue after the last one. */
const ascii = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

/** The claims of accounts to mail domains. */
export const domainTable = domainsSchema.table(
  "domain",
  {
    id: uuid("id").primaryKey(),
    accountId: uuid("account_id").notNull(),
    name: text("name").notNull(),
    proof: text("proof").$type<Proof>().notNull(),
    mailbox: text("mailbox").$type<ProofMailbox>(),
    token: text("token").notNull(),
    codeHash: text("code_hash"),
    codeExpiresAt: instant("code_expires_at"),
    codeTries: integer("code_tries").notNull(),
    state: text("state").$type<DomainState>().notNull(),
    catchAll: boolean("catch_all").notNull(),
    roleSensitive: boolean("role_sensitive").notNull(),
    digest: text("digest").$type<Digest>().notNull(),
    tellPeople: boolean("tell_people").notNull(),
    language: text("language").$type<Language>().notNull(),
    createdAt: instant("created_at").notNull(),
    lookedAt: instant("looked_at"),
    seenAt: instant("seen_at"),
    provenAt: instant("proven_at"),
    effectiveAt: instant("effective_at"),
    failingSince: instant("failing_since"),
    dueAt: instant("due_at"),
    toldAt: instant("told_at"),
    version: integer("version").notNull(),
    // When the jobs next look for messages to the people and to the administrator; null when there is nothing to send.
    peopleDueAt: instant("people_due_at"),
    tellingDueAt: instant("telling_due_at"),
  },
  (table) => [
    index("domain_people").on(table.peopleDueAt).where(sql`people_due_at is not null`),
    index("domain_telling").on(table.tellingDueAt).where(sql`telling_due_at is not null`),
    uniqueIndex("domain_once").on(table.accountId, table.name),
    index("domain_name").on(table.name, table.createdAt),
    index("domain_due").on(table.dueAt).where(sql`due_at is not null`),
  ],
);

/** What was found at a domain, whoever holds it. Deleted when the last claim ends. */
export const findingTable = domainsSchema.table(
  "finding",
  {
    domain: text("domain").notNull(),
    alias: ascii("alias").notNull(),
    kind: text("kind").$type<FindingKind>().notNull(),
    name: text("name").notNull(),
    sensitive: boolean("sensitive").notNull(),
    foundAt: instant("found_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.alias, table.kind, table.name] }),
    index("finding_name").on(table.domain, table.kind, table.name, table.alias),
    index("finding_found").on(table.domain, table.foundAt),
  ],
);

/** The addresses in which something was found, and what their people have said. */
export const mailboxTable = domainsSchema.table(
  "mailbox",
  {
    domain: text("domain").notNull(),
    alias: ascii("alias").notNull(),
    kind: text("kind").$type<MailboxKind>().notNull(),
    plain: integer("plain").notNull(),
    sensitive: integer("sensitive").notNull(),
    latestAt: instant("latest_at").notNull(),
    toldAt: instant("told_at"),
    newsAt: instant("news_at"),
    putOffAt: instant("put_off_at"),
    language: text("language").$type<Language>(),
    say: text("say").$type<Say>().notNull(),
    takenAt: instant("taken_at"),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.alias] }),
    index("mailbox_told").on(table.domain, table.toldAt),
  ],
);

/** How many addresses of a domain are shown for each breach: counted when something changes, as pages are read more often. */
export const breachTotalTable = domainsSchema.table(
  "breach_total",
  {
    domain: text("domain").notNull(),
    name: text("name").notNull(),
    addresses: integer("addresses").notNull(),
    // Role mailboxes whose sensitive findings the administrator may choose to see.
    roleSensitive: integer("role_sensitive").notNull(),
    latestAt: instant("latest_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.domain, table.name] })],
);

/** The looks of administrators; an empty alias stands for all addresses at once. */
export const lookTable = domainsSchema.table(
  "look",
  {
    domain: text("domain").notNull(),
    accountId: uuid("account_id").notNull(),
    what: text("what").$type<LookKind>().notNull(),
    alias: text("alias").notNull(),
    // Looks of the same hour are one.
    hour: instant("hour").notNull(),
    at: instant("at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.domain, table.accountId, table.what, table.alias, table.hour] }),
    index("look_account").on(table.accountId, table.at),
    index("look_alias").on(table.domain, table.alias, table.at),
    index("look_at").on(table.at),
  ],
);

/** What each source knows of a domain. */
export const domainSourceTable = domainsSchema.table(
  "source",
  {
    domain: text("domain").notNull(),
    source: text("source").notNull(),
    state: text("state").$type<SourceState["state"]>().notNull(),
    generation: integer("generation"),
    askedAt: instant("asked_at"),
    dueAt: instant("due_at").notNull(),
    reason: text("reason"),
    record: text("record"),
  },
  (table) => [primaryKey({ columns: [table.domain, table.source] }), index("source_due").on(table.source, table.dueAt)],
);
