import { pgSchema, text, timestamp } from "drizzle-orm/pg-core";

export const backupSchema = pgSchema("backup");

/** Keyed hashes of what was deleted for good, so that restoring an older backup does not bring it back. */
export const erasureTable = backupSchema.table("erasure", {
  mark: text("mark").primaryKey(),
  at: timestamp("at", { withTimezone: true, precision: 3, mode: "date" }).notNull().defaultNow(),
});
