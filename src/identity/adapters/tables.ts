import { isNull } from "drizzle-orm";
import { index, integer, pgSchema, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { Language } from "../../shared/language.ts";
import type { Session } from "../ports.ts";

export const identitySchema = pgSchema("identity");

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

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
    createdAt: instant("created_at").notNull(),
    verifiedAt: instant("verified_at"),
  },
  (table) => [index("users_unverified").on(table.createdAt).where(isNull(table.verifiedAt))],
);

export const loginCodesTable = identitySchema.table(
  "login_codes",
  {
    id: uuid("id").primaryKey(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => usersTable.id, { onDelete: "cascade" }),
    mac: text("mac"),
    tries: integer("tries").notNull(),
    createdAt: instant("created_at").notNull(),
    sentAt: instant("sent_at"),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("login_codes_account").on(table.accountId, table.createdAt)],
);

export const sessionsTable = identitySchema.table(
  "sessions",
  {
    id: uuid("id").primaryKey(),
    tokenHash: text("token_hash").notNull().unique(),
    accountId: uuid("account_id")
      .notNull()
      .references(() => usersTable.id, { onDelete: "cascade" }),
    level: text("level").$type<Session["level"]>().notNull(),
    challengeId: uuid("challenge_id").references(() => loginCodesTable.id, { onDelete: "cascade" }),
    createdAt: instant("created_at").notNull(),
    lastSeenAt: instant("last_seen_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [
    index("sessions_account").on(table.accountId, table.level, table.createdAt),
    index("sessions_challenge").on(table.challengeId),
    index("sessions_expires_at").on(table.expiresAt),
  ],
);

/** One of each account: a new link replaces the former. */
export const resetTokensTable = identitySchema.table(
  "reset_tokens",
  {
    accountId: uuid("account_id")
      .primaryKey()
      .references(() => usersTable.id, { onDelete: "cascade" }),
    tokenHash: text("token_hash").notNull().unique(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
  },
  (table) => [index("reset_tokens_expires_at").on(table.expiresAt)],
);

export const attemptsTable = identitySchema.table("attempts", {
  key: text("key").primaryKey(),
  tries: integer("tries").notNull(),
  until: instant("until").notNull(),
});
