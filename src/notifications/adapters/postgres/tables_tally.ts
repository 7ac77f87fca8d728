import { date, integer, primaryKey, smallint, text } from "drizzle-orm/pg-core";
import type { Channel } from "../../../shared/contacts.ts";
import { notificationsSchema } from "./tables.ts";

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
