import { index, text, uuid } from "drizzle-orm/pg-core";
import { notificationsSchema } from "./tables.ts";

/** Accounts that want the monthly summary, and the last month they received. */
export const summaryTable = notificationsSchema.table(
  "summary",
  { accountId: uuid("account_id").primaryKey(), through: text("through").notNull() },
  (table) => [index("summary_due").on(table.through, table.accountId)],
);
