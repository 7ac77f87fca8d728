import { sql } from "drizzle-orm";
import { bigint, boolean, check, integer, text } from "drizzle-orm/pg-core";
import { instant } from "../../../database/columns.ts";
import { backupSchema } from "./erasures.ts";

/** What is known of the installation's backups. At most one row. */
export const scheduleTable = backupSchema.table(
  "schedule",
  {
    isOnly: boolean("is_only").primaryKey().default(true),
    since: instant("since").notNull(),
    claimedUntil: instant("claimed_until"),
    lastAt: instant("last_at"),
    machine: text("machine"),
    file: text("file"),
    bytes: bigint("bytes", { mode: "number" }),
    rows: integer("rows"),
    seconds: integer("seconds"),
    trouble: text("trouble"),
    troubleAt: instant("trouble_at"),
  },
  (table) => [check("schedule_one_row", sql`${table.isOnly}`)],
);
