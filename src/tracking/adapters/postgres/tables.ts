import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgSchema, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "../../../database/columns.ts";
import type { AliasOrigin, AliasState } from "../../../shared/aliases.ts";
import { type ConsentScope, FULL_SCOPE } from "../../../shared/consent.ts";
import type { ContactAddress } from "../../../shared/contacts.ts";
import type { Language } from "../../../shared/language.ts";
import type { Association } from "../../association.ts";

export const trackingSchema = pgSchema("tracking");

export const associationTable = trackingSchema.table(
  "association",
  {
    id: uuid("id").primaryKey(),
    accountId: uuid("account_id").notNull(),
    address: text("address").notNull(),
    owner: boolean("owner").notNull(),
    consent: text("consent").$type<Association["consent"]>().notNull().default("own"),
    scope: jsonb("scope").$type<ConsentScope>().notNull().default(FULL_SCOPE),
    scopeVersion: integer("scope_version").notNull().default(0),
    language: text("language").$type<Language>().notNull(),
    contacts: jsonb("contacts").$type<ContactAddress[]>().notNull(),
    paused: boolean("paused").notNull(),
    suspended: boolean("suspended").notNull(),
    preferred: boolean("preferred").notNull().default(false),
    openAlerts: integer("open_alerts").notNull(),
    openVersion: integer("open_version").notNull(),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("association_once").on(table.accountId, table.address),
    index("association_account").on(table.accountId, table.createdAt),
    // Finds who tracks an address, for an owner with an account.
    index("association_address").on(table.address),
    // For the job that revalidates them, page by page.
    index("association_own").on(table.id).where(sql`consent = 'own'`),
  ],
);

/** One row per account: the lock for its writers, and the last plan change that was processed. */
export const accountTable = trackingSchema.table("account", {
  accountId: uuid("account_id").primaryKey(),
  planChangedAt: instant("plan_changed_at"),
});

/** Further addresses of those who track their own. */
export const aliasTable = trackingSchema.table(
  "alias",
  {
    id: uuid("id").primaryKey(),
    associationId: uuid("association_id").notNull(),
    accountId: uuid("account_id").notNull(),
    address: text("address").notNull(),
    origin: text("origin").$type<AliasOrigin>().notNull(),
    state: text("state").$type<AliasState>().notNull(),
    tokenHash: text("token_hash"),
    mailAt: instant("mail_at"),
    expiresAt: instant("expires_at"),
    createdAt: instant("created_at").notNull(),
  },
  (table) => [
    uniqueIndex("alias_once").on(table.associationId, table.address),
    index("alias_account").on(table.accountId),
    index("alias_address").on(table.address),
    uniqueIndex("alias_token").on(table.tokenHash),
    index("alias_mail").on(table.mailAt).where(sql`mail_at is not null`),
    index("alias_expiry").on(table.expiresAt).where(sql`expires_at is not null`),
  ],
);
