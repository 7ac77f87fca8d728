import { index, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { Channel } from "../../../shared/contacts.ts";
import { notificationsSchema } from "./tables.ts";

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

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
