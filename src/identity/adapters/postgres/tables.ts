import { eq, isNotNull, isNull, sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "../../../database/columns.ts";
import type { ContactAddress } from "../../../shared/contacts.ts";
import type { FormerAddress } from "../../../shared/former_address.ts";
import type { Language } from "../../../shared/language.ts";
import type { AuditEvent } from "../../account/audit_ports.ts";
import type { ApiToken } from "../../api_tokens/api_token.ts";
import type { Passkey, ProviderIdentity } from "../../factors/factor_ports.ts";
import type { Session } from "../../ports.ts";
import type { Device } from "../../sign_in/device.ts";
import type { ProviderSession } from "../../sign_in/session_ports.ts";
import type { StaffActRecord } from "../../staff/staff_ports.ts";

export const identitySchema = pgSchema("identity");

export const usersTable = identitySchema.table(
  "users",
  {
    id: uuid("id").primaryKey(),
    email: text("email").notNull().unique(),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    companyName: text("company_name"),
    language: text("language").$type<Language>().notNull(),
    passwordHash: text("password_hash").notNull(),
    defaultContacts: jsonb("default_contacts").$type<ContactAddress[]>().notNull().default([]),
    wrongCodes: integer("wrong_codes").notNull().default(0),
    deviceEpoch: integer("device_epoch").notNull().default(0),
    network: text("network"),
    staff: boolean("staff").notNull().default(false),
    staffBy: text("staff_by"),
    lockedAt: instant("locked_at"),
    createdAt: instant("created_at").notNull(),
    verifiedAt: instant("verified_at"),
  },
  (table) => [
    index("users_unverified").on(table.createdAt).where(isNull(table.verifiedAt)),
    // For the staff's list: newest first, searched by name, and filtered by the rare states.
    index("users_created").on(table.createdAt, table.id),
    index("users_email_prefix").using("btree", sql`${table.email} text_pattern_ops`),
    index("users_last_name_prefix").using("btree", sql`lower(${table.lastName}) text_pattern_ops`),
    index("users_full_name_prefix").using(
      "btree",
      sql`lower(${table.firstName} || ' ' || ${table.lastName}) text_pattern_ops`,
    ),
    index("users_staff").on(table.createdAt, table.id).where(eq(table.staff, sql`true`)),
    index("users_locked").on(table.createdAt, table.id).where(isNotNull(table.lockedAt)),
  ],
);

/** Rows of an account, which are deleted with it. */
const accountId = () => uuid("account_id").references(() => usersTable.id, { onDelete: "cascade" });

export const loginCodesTable = identitySchema.table(
  "login_codes",
  {
    id: uuid("id").primaryKey(),
    accountId: accountId().notNull(),
    mac: text("mac"),
    tries: integer("tries").notNull(),
    createdAt: instant("created_at").notNull(),
    sentAt: instant("sent_at"),
    expiresAt: instant("expires_at").notNull(),
  },
  (t) => [index("login_codes_account").on(t.accountId, t.createdAt), index("login_codes_expires_at").on(t.expiresAt)],
);

export const sessionsTable = identitySchema.table(
  "sessions",
  {
    id: uuid("id").primaryKey(),
    tokenHash: text("token_hash").notNull().unique(),
    accountId: accountId().notNull(),
    level: text("level").$type<Session["level"]>().notNull(),
    challengeId: uuid("challenge_id").references(() => loginCodesTable.id, { onDelete: "cascade" }),
    device: jsonb("device").$type<Device>().notNull().default({}),
    ipPrefix: text("ip_prefix").notNull().default(""),
    confirmedAt: instant("confirmed_at"),
    link: jsonb("link").$type<ProviderIdentity>(),
    provider: jsonb("provider").$type<ProviderSession>(),
    passkeyChallenge: text("passkey_challenge"),
    createdAt: instant("created_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    index("sessions_account").on(table.accountId, table.level, table.createdAt),
    index("sessions_challenge").on(table.challengeId),
    index("sessions_expires_at").on(table.expiresAt),
    index("sessions_provider_subject").on(sql`(provider->>'subject')`).where(isNotNull(table.provider)),
    index("sessions_provider_sid").on(sql`(provider->>'sid')`).where(isNotNull(table.provider)),
  ],
);

/** One per account: a new link replaces the former. */
export const resetTokensTable = identitySchema.table(
  "reset_tokens",
  {
    accountId: accountId().primaryKey(),
    tokenHash: text("token_hash").notNull().unique(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("reset_tokens_expires_at").on(table.expiresAt)],
);

/** One per account: a new request replaces the former. */
export const emailChangesTable = identitySchema.table(
  "email_changes",
  {
    accountId: accountId().primaryKey(),
    email: text("email").notNull(),
    formerAddress: text("former_address").$type<FormerAddress>().notNull().default("ask"),
    tokenHash: text("token_hash").notNull().unique(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("email_changes_expires_at").on(table.expiresAt)],
);

export const authenticatorsTable = identitySchema.table("authenticators", {
  accountId: accountId().primaryKey(),
  sealedSecret: text("sealed_secret").notNull(),
  createdAt: instant("created_at").notNull(),
  confirmedAt: instant("confirmed_at"),
  lastStep: bigint("last_step", { mode: "number" }).notNull(),
});

export const passkeysTable = identitySchema.table(
  "passkeys",
  {
    id: text("id").primaryKey(),
    accountId: accountId().notNull(),
    publicKey: text("public_key").notNull(),
    counter: bigint("counter", { mode: "number" }).notNull(),
    transports: jsonb("transports").$type<Passkey["transports"]>().notNull(),
    name: text("name").notNull(),
    createdAt: instant("created_at").notNull(),
    lastUsedAt: instant("last_used_at"),
  },
  (table) => [index("passkeys_account").on(table.accountId, table.createdAt)],
);

export const recoveryCodesTable = identitySchema.table(
  "recovery_codes",
  {
    accountId: accountId().notNull(),
    mac: text("mac").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.mac] })],
);

export const providerLinksTable = identitySchema.table(
  "provider_links",
  {
    provider: text("provider").notNull(),
    subject: text("subject").notNull(),
    accountId: accountId().notNull(),
    email: text("email").notNull(),
    linkedAt: instant("linked_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.subject] }),
    uniqueIndex("provider_links_account").on(table.accountId, table.provider),
  ],
);

/** No foreign key to the account: events outlive it, anonymised. */
export const auditEventsTable = identitySchema.table(
  "audit_events",
  {
    id: uuid("id").primaryKey(),
    at: instant("at").notNull(),
    accountId: uuid("account_id"),
    event: text("event").$type<AuditEvent["event"]>().notNull(),
    sessionMark: text("session_mark"),
    ipPrefix: text("ip_prefix"),
    device: jsonb("device").$type<Device>().notNull(),
    detail: jsonb("detail").$type<AuditEvent["detail"]>().notNull(),
  },
  (table) => [index("audit_events_account").on(table.accountId, table.at), index("audit_events_at").on(table.at)],
);

/** Append-only. No foreign keys to accounts: entries outlive them, anonymised. */
export const staffActsTable = identitySchema.table(
  "staff_acts",
  {
    id: uuid("id").primaryKey(),
    at: instant("at").notNull(),
    by: text("by").$type<StaffActRecord["by"]>().notNull(),
    actorId: uuid("actor_id"),
    act: text("act").$type<StaffActRecord["act"]>().notNull(),
    objectKind: text("object_kind").$type<StaffActRecord["objectKind"]>().notNull(),
    objectId: text("object_id"),
    reason: text("reason"),
    detail: jsonb("detail").$type<StaffActRecord["detail"]>().notNull(),
  },
  (table) => [
    index("staff_acts_at").on(table.at, table.id),
    index("staff_acts_actor").on(table.actorId, table.at, table.id),
    index("staff_acts_object").on(table.objectId, table.at),
  ],
);

export const apiTokensTable = identitySchema.table(
  "api_tokens",
  {
    id: uuid("id").primaryKey(),
    accountId: accountId().notNull(),
    tokenHash: text("token_hash").notNull().unique(),
    name: text("name").notNull(),
    scopes: jsonb("scopes").$type<ApiToken["scopes"]>().notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at"),
    lastUsedAt: instant("last_used_at"),
    lastIpPrefix: text("last_ip_prefix"),
    busyUntil: instant("busy_until").notNull(),
  },
  (table) => [
    index("api_tokens_account").on(table.accountId, table.createdAt),
    index("api_tokens_expires_at").on(table.expiresAt),
  ],
);

/** Counters of wrong guesses and other attempts. `reserved`: reservations of guesses that are being checked. */
export const attemptsTable = identitySchema.table(
  "attempts",
  {
    key: text("key").primaryKey(),
    tries: integer("tries").notNull(),
    until: instant("until").notNull(),
    reserved: text("reserved").array().notNull().default([]),
  },
  (table) => [index("attempts_until").on(table.until)],
);

/** Accepted versions of the terms; append-only. Accounts older than this table may have no row. */
export const termsAcceptancesTable = identitySchema.table(
  "terms_acceptances",
  {
    accountId: accountId().notNull(),
    version: text("version").notNull(),
    acceptedAt: instant("accepted_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.version] })],
);
