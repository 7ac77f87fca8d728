import { sql } from "drizzle-orm";
import { boolean, check, text } from "drizzle-orm/pg-core";
import { notificationsSchema } from "./tables.ts";

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
