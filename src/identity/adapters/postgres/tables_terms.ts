import { primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { identitySchema, usersTable } from "./tables.ts";

/** Which terms an account has agreed to; rows are only added. None: not known, as of accounts that are older than this table. */
export const termsAcceptancesTable = identitySchema.table(
  "terms_acceptances",
  {
    accountId: uuid("account_id")
      .notNull()
      .references(() => usersTable.id, { onDelete: "cascade" }),
    version: text("version").notNull(),
    acceptedAt: timestamp("accepted_at", { withTimezone: true, precision: 3, mode: "date" }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.version] })],
);
