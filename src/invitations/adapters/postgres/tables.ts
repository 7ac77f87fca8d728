import { isNull, sql } from "drizzle-orm";
import { index, integer, jsonb, pgSchema, primaryKey, text, uniqueIndex, uuid } from "drizzle-orm/pg-core";
import { instant } from "../../../database/columns.ts";
import type { ConsentKind, ConsentScope } from "../../../shared/consent.ts";
import type { Language } from "../../../shared/language.ts";
import type { ConsentRecord, InvitationState } from "../../invitation.ts";

export const invitationsSchema = pgSchema("invitations");

export const invitationTable = invitationsSchema.table(
  "invitation",
  {
    id: uuid("id").primaryKey(),
    associationId: uuid("association_id").notNull(),
    inviterId: uuid("inviter_id").notNull(),
    address: text("address").notNull(),
    kind: text("kind").$type<ConsentKind>().notNull(),
    language: text("language").$type<Language>().notNull(),
    state: text("state").$type<InvitationState>().notNull(),
    scope: jsonb("scope").$type<ConsentScope>(),
    tokenHash: text("token_hash").unique(),
    createdAt: instant("created_at").notNull(),
    sentAt: instant("sent_at"),
    reminders: integer("reminders").notNull(),
    nextMailAt: instant("next_mail_at"),
    expiresAt: instant("expires_at").notNull(),
    answeredAt: instant("answered_at"),
    endedAt: instant("ended_at"),
    version: integer("version").notNull(),
  },
  (table) => [
    uniqueIndex("invitation_once").on(table.associationId),
    index("invitation_inviter").on(table.inviterId, table.state, table.createdAt),
    index("invitation_address").on(table.address, table.state, table.createdAt),
    index("invitation_next_mail").on(table.nextMailAt).where(sql`${table.nextMailAt} is not null`),
    index("invitation_expires").on(table.expiresAt).where(sql`${table.state} = 'pending'`),
    index("invitation_ended").on(table.endedAt).where(sql`${table.endedAt} is not null`),
  ],
);

/** The consent record, which both sides can read; append-only. */
export const consentRecordTable = invitationsSchema.table(
  "consent_record",
  {
    id: uuid("id").primaryKey(),
    invitationId: uuid("invitation_id")
      .notNull()
      .references(() => invitationTable.id, { onDelete: "cascade" }),
    at: instant("at").notNull(),
    act: text("act").$type<ConsentRecord["act"]>().notNull(),
    by: text("by").$type<ConsentRecord["by"]>().notNull(),
    scope: jsonb("scope").$type<ConsentScope>(),
    language: text("language").$type<Language>().notNull(),
    wording: text("wording").notNull(),
  },
  (table) => [index("consent_record_invitation").on(table.invitationId, table.at)],
);

/** Owners who have blocked an inviter; addresses are HMACs, as they may belong to no account. */
export const blockTable = invitationsSchema.table(
  "block",
  { addressMark: text("address_mark").notNull(), inviterId: uuid("inviter_id").notNull(), at: instant("at").notNull() },
  (table) => [primaryKey({ columns: [table.addressMark, table.inviterId] })],
);

/** Refusals and blocks by HMACs of both mailboxes, so that they outlive both accounts. */
export const refusalTable = invitationsSchema.table(
  "refusal",
  {
    ownerMark: text("owner_mark").notNull(),
    askerMark: text("asker_mark").notNull(),
    blockedAt: instant("blocked_at"),
    declinedAt: instant("declined_at"),
  },
  (table) => [
    primaryKey({ columns: [table.ownerMark, table.askerMark] }),
    index("refusal_asker").on(table.askerMark),
    index("refusal_declined").on(table.declinedAt).where(isNull(table.blockedAt)),
  ],
);

/** Obsolete counter of mails, since replaced by the common one for all kinds of mail; no longer written. */
export const addressMailTable = invitationsSchema.table(
  "address_mail",
  { id: uuid("id").primaryKey(), mark: text("mark").notNull(), at: instant("at").notNull() },
  (table) => [index("address_mail_mark").on(table.mark, table.at)],
);
