import { index, integer, text, timestamp } from "drizzle-orm/pg-core";
import { identitySchema } from "./tables.ts";

/** Counters of wrong guesses and other attempts. `reserved`: reservations of guesses that are being checked. */
export const attemptsTable = identitySchema.table(
  "attempts",
  {
    key: text("key").primaryKey(),
    tries: integer("tries").notNull(),
    until: timestamp("until", { withTimezone: true, precision: 3, mode: "date" }).notNull(),
    reserved: text("reserved").array().notNull().default([]),
  },
  (table) => [index("attempts_until").on(table.until)],
);
