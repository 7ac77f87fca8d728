import { primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import { identitySchema, usersTable } from "./tables.ts";

/** Accepted versions of the terms; append-only. Accounts older than this table may have no row. */
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
