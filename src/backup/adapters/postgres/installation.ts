import { sql } from "drizzle-orm";
import { boolean, check, text } from "drizzle-orm/pg-core";
import { backupSchema } from "./erasures.ts";

/** Which secret the data belongs to, as a keyed hash of a random value. At most one row. */
export const installationTable = backupSchema.table(
  "installation",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    value: text("value").notNull(),
    mac: text("mac").notNull(),
  },
  (table) => [check("installation_one_row", sql`${table.isOnly}`)],
);
