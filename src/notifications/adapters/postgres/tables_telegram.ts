import { sql } from "drizzle-orm";
import { bigint, index, jsonb, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { TelegramChat } from "../../telegram/telegram_ports.ts";
import { notificationsSchema } from "./tables.ts";

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

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
