import { pgSchema, text, timestamp } from "drizzle-orm/pg-core";

export const backupSchema = pgSchema("backup");

/** Who and what has ended for good, as keyed hashes: a backup from before brings nobody back. */
export const erasureTable = backupSchema.table("erasure", {
  mark: text("mark").primaryKey(),
  at: timestamp("at", { withTimezone: true, precision: 3, mode: "date" }).notNull().defaultNow(),
});
