import { sql } from "drizzle-orm";
import { boolean, check, text, timestamp } from "drizzle-orm/pg-core";
import { operationsSchema } from "./tables.ts";

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

/** At most one row, which exists while maintenance mode is on. */
export const maintenanceTable = operationsSchema.table(
  "maintenance",
  {
    isOn: boolean("is_on").primaryKey().default(true),
    since: instant("since").notNull(),
    until: instant("until"),
    message: text("message"),
  },
  (table) => [check("maintenance_one_row", sql`${table.isOn}`)],
);

export const jobRunTable = operationsSchema.table("job_run", {
  name: text("name").primaryKey(),
  endedAt: instant("ended_at").notNull(),
  failedAt: instant("failed_at"),
});
