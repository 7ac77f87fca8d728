import { index, text, uuid } from "drizzle-orm/pg-core";
import type { SummaryEvery } from "../../inputs.ts";
import { notificationsSchema } from "./tables.ts";

/** Accounts that want a summary, how often, and the last month or year they received. */
export const summaryTable = notificationsSchema.table(
  "summary",
  {
    accountId: uuid("account_id").primaryKey(),
    through: text("through").notNull(),
    every: text("every").$type<SummaryEvery>().notNull().default("month"),
  },
  (table) => [index("summary_due").on(table.through, table.accountId)],
);
