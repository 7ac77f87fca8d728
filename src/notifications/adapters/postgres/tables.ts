import { sql } from "drizzle-orm";
import { boolean, index, integer, jsonb, pgSchema, smallint, text, timestamp, unique, uuid } from "drizzle-orm/pg-core";
import type { Channel } from "../../../shared/contacts.ts";
import type { Language } from "../../../shared/language.ts";
import type { About, ContactSettings, ContactState, Delivery, DeliveryState, Outcome } from "../../ports.ts";

export const notificationsSchema = pgSchema("notifications");

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

export const contactTable = notificationsSchema.table(
  "contact",
  {
    id: uuid("id").primaryKey(),
    accountId: uuid("account_id").notNull(),
    channel: text("channel").$type<Channel>().notNull(),
    value: text("value").notNull(),
    language: text("language").$type<Language>().notNull(),
    state: text("state").$type<ContactState>().notNull(),
    confirmHash: text("confirm_hash").unique("contact_confirm_hash"),
    confirmExpiresAt: instant("confirm_expires_at"),
    confirmedAt: instant("confirmed_at"),
    refusedAt: instant("refused_at"),
    createdAt: instant("created_at").notNull(),
    settings: jsonb("settings").$type<ContactSettings>().notNull().default({}),
    label: text("label"),
    chatId: text("chat_id"),
    version: integer("version").notNull(),
  },
  (table) => [
    unique("contact_account_place").on(table.accountId, table.channel, table.value),
    index("contact_chat").on(table.chatId).where(sql`chat_id is not null`),
  ],
);

/** Confirmation mails by an HMAC of their recipient, as it outlives accounts. */
export const confirmationTable = notificationsSchema.table(
  "confirmation",
  { mark: text("mark").notNull(), sentAt: instant("sent_at").notNull() },
  (table) => [index("confirmation_mark").on(table.mark, table.sentAt), index("confirmation_sent_at").on(table.sentAt)],
);

export const deliveryTable = notificationsSchema.table(
  "delivery",
  {
    id: uuid("id").primaryKey(),
    subject: text("subject").notNull(),
    channel: text("channel").$type<Channel>().notNull(),
    value: text("value").notNull(),
    contactId: uuid("contact_id"),
    accountId: uuid("account_id"),
    language: text("language").$type<Language>().notNull(),
    about: jsonb("about").$type<About>().notNull(),
    sealed: text("sealed"),
    notAfter: instant("not_after"),
    lane: smallint("lane").notNull(),
    messageId: text("message_id").notNull(),
    state: text("state").$type<DeliveryState>().notNull(),
    reason: text("reason").$type<NonNullable<Delivery["reason"]>>(),
    runAt: instant("run_at").notNull(),
    turn: instant("turn").notNull().defaultNow(),
    createdAt: instant("created_at").notNull(),
    endedAt: instant("ended_at"),
    claims: integer("claims").notNull(),
    attempts: integer("attempts").notNull(),
    failingSince: instant("failing_since"),
    inDoubt: boolean("in_doubt").notNull(),
    providerId: text("provider_id"),
    receipt: text("receipt"),
    acknowledgedAt: instant("acknowledged_at"),
    wantedAt: instant("wanted_at"),
    gatheredIn: uuid("gathered_in"),
    leaseToken: uuid("lease_token"),
    leaseUntil: instant("lease_until"),
  },
  (table) => [
    unique("delivery_subject_place").on(table.subject, table.channel, table.value),
    // A partial index, as the queue is a small part of a table that only grows.
    index("delivery_due").on(table.lane, table.turn).where(sql`state = 'due'`),
    index("delivery_leased").on(table.leaseUntil).where(sql`state = 'sending'`),
    index("delivery_waiting").on(table.runAt).where(sql`state = 'held' and reason in ('digest', 'quiet')`),
    index("delivery_held").on(table.reason).where(sql`state = 'held'`),
    index("delivery_not_after").on(table.notAfter).where(sql`not_after is not null and state in ('due', 'held')`),
    index("delivery_ended").on(table.endedAt).where(sql`ended_at is not null`),
    index("delivery_dead").on(table.endedAt).where(sql`state = 'dead'`),
    index("delivery_in_doubt").on(table.createdAt).where(sql`in_doubt`),
    // An account's rows, and the last position of those that are queued at a priority.
    index("delivery_account_queue").on(table.accountId, table.state, table.lane, table.turn),
    index("delivery_contact").on(table.contactId),
    index("delivery_alert").on(sql`(about ->> 'alertId')`),
  ],
);

export const attemptTable = notificationsSchema.table(
  "attempt",
  {
    id: uuid("id").primaryKey(),
    deliveryId: uuid("delivery_id")
      .notNull()
      .references(() => deliveryTable.id, { onDelete: "cascade" }),
    startedAt: instant("started_at").notNull(),
    endedAt: instant("ended_at"),
    outcome: text("outcome").$type<Outcome["kind"]>(),
    detail: text("detail"),
  },
  (table) => [index("attempt_delivery").on(table.deliveryId, table.startedAt)],
);

export const channelTable = notificationsSchema.table("channel", {
  channel: text("channel").$type<Channel>().primaryKey(),
  failures: integer("failures").notNull(),
  pausedUntil: instant("paused_until"),
  reason: text("reason"),
});
