import { text, timestamp } from "drizzle-orm/pg-core";
import type { Channel } from "../../../shared/contacts.ts";
import { notificationsSchema } from "./tables.ts";

/** When the next message of a channel with a limit per second may be sent. */
export const paceTable = notificationsSchema.table("pace", {
  channel: text("channel").$type<Channel>().primaryKey(),
  nextAt: timestamp("next_at", { withTimezone: true, mode: "date" }).notNull(),
});
