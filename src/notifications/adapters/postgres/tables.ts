import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "../../../database/columns.ts";
import type { Channel } from "../../../shared/contacts.ts";
import type { Language } from "../../../shared/language.ts";
import type { SummaryEvery } from "../../inputs.ts";
import type { About, ContactSettings, ContactState, Delivery, DeliveryState, Outcome } from "../../ports.ts";
import type { TelegramChat } from "../../telegram/telegram_ports.ts";

export const notificationsSchema = pgSchema("notifications");

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

export const telegramLinkTable = notificationsSchema.table(
  "telegram_link",
  {
    contactId: uuid("contact_id").primaryKey(),
    accountId: uuid("account_id").notNull(),
    tokenHash: text("token_hash").notNull().unique("telegram_link_token_hash"),
    expiresAt: instant("expires_at").notNull(),
    usedAt: instant("used_at"),
    candidate: jsonb("candidate").$type<TelegramChat>(),
  },
  (table) => [
    index("telegram_link_account").on(table.accountId),
    index("telegram_link_unused").on(table.expiresAt).where(sql`${table.usedAt} is null`),
  ],
);

export const telegramUpdateTable = notificationsSchema.table(
  "telegram_update",
  { id: bigint("id", { mode: "number" }).primaryKey(), seenAt: instant("seen_at").notNull() },
  (table) => [index("telegram_update_seen_at").on(table.seenAt)],
);

/** The process that polls for updates, as Telegram allows only one. */
export const telegramLeaseTable = notificationsSchema.table("telegram_lease", {
  name: text("name").primaryKey(),
  holder: uuid("holder").notNull(),
  until: instant("until").notNull(),
});

/** Emergencies that may still repeat. They outlive their delivery, so that they can be cancelled after their alert is gone. */
export const openReceiptTable = notificationsSchema.table(
  "open_receipt",
  {
    receipt: text("receipt").primaryKey(),
    channel: text("channel").$type<Channel>().notNull(),
    deliveryId: uuid("delivery_id").notNull(),
    sentAt: instant("sent_at").notNull(),
    lookAt: instant("look_at").notNull(),
  },
  (table) => [index("open_receipt_look_at").on(table.lookAt)],
);

/** Accounts that want a summary, how often, and the last month or year they received. */
export const summaryTable = notificationsSchema.table(
  "summary",
  {
    accountId: uuid("account_id").primaryKey(),
    through: text("through").notNull(),
    every: text("every").$type<SummaryEvery>().notNull().default("month"),
  },
  (table) => [index("summary_due").on(table.through, table.accountId)],
);

/** Statistics of ended messages by day and channel, without personal data. */
export const deliveryDayTable = notificationsSchema.table(
  "delivery_day",
  {
    day: date("day", { mode: "string" }).notNull(),
    channel: text("channel").$type<Channel>().notNull(),
    slot: smallint("slot").notNull(),
    accepted: integer("accepted").notNull(),
    failed: integer("failed").notNull(),
    refused: integer("refused").notNull(),
    inDoubt: integer("in_doubt").notNull(),
    latencies: integer("latencies").array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.channel, table.slot] })],
);

/** When the next message of a channel with a limit per second may be sent. */
export const paceTable = notificationsSchema.table("pace", {
  channel: text("channel").$type<Channel>().primaryKey(),
  nextAt: timestamp("next_at", { withTimezone: true, mode: "date" }).notNull(),
});

/** The one key pair of Web Push, for all processes. */
export const pushKeyTable = notificationsSchema.table(
  "push_key",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    publicKey: text("public_key").notNull(),
    sealed: text("sealed").notNull(),
  },
  (table) => [check("push_key_one_row", sql`${table.isOnly}`)],
);
