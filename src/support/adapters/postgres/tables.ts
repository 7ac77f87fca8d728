import { sql } from "drizzle-orm";
import { index, integer, pgSchema, text, unique, uuid } from "drizzle-orm/pg-core";
import { instant } from "../../../database/columns.ts";
import type { Language } from "../../../shared/language.ts";
import type { Post, Priority, TicketKind, TicketState, TicketType } from "../../ticket.ts";

export const supportSchema = pgSchema("support");

export const ticketTable = supportSchema.table(
  "ticket",
  {
    id: uuid("id").primaryKey(),
    reference: text("reference").notNull().unique("ticket_reference"),
    accountId: uuid("account_id").notNull(),
    key: uuid("key").notNull(),
    kind: text("kind").$type<TicketKind>().notNull(),
    type: text("type").$type<TicketType>().notNull(),
    priority: text("priority").$type<Priority>(),
    subject: text("subject"),
    description: text("description").notNull(),
    firstName: text("first_name").notNull(),
    lastName: text("last_name").notNull(),
    email: text("email").notNull(),
    company: text("company"),
    language: text("language").$type<Language>().notNull(),
    state: text("state").$type<TicketState>().notNull(),
    createdAt: instant("created_at").notNull(),
    changedAt: instant("changed_at").notNull(),
    closedAt: instant("closed_at"),
    consentedAt: instant("consented_at").notNull(),
  },
  (table) => [
    unique("ticket_sent_once").on(table.accountId, table.key),
    index("ticket_own").on(table.accountId, table.kind, table.changedAt),
    index("ticket_state").on(table.state, table.changedAt),
    index("ticket_closed").on(table.closedAt).where(sql`${table.closedAt} is not null`),
  ],
);

export const postTable = supportSchema.table(
  "post",
  {
    id: uuid("id").primaryKey(),
    ticketId: uuid("ticket_id")
      .notNull()
      .references(() => ticketTable.id, { onDelete: "cascade" }),
    key: uuid("key").notNull(),
    by: text("by").$type<Post["by"]>().notNull(),
    text: text("text").notNull(),
    at: instant("at").notNull(),
  },
  (table) => [unique("post_sent_once").on(table.ticketId, table.key), index("post_order").on(table.ticketId, table.at)],
);

/** Counters for rate limits, by HMACs of accounts and network addresses. */
export const limitTable = supportSchema.table(
  "sent",
  { key: text("key").primaryKey(), count: integer("count").notNull(), until: instant("until").notNull() },
  (table) => [index("sent_until").on(table.until)],
);
