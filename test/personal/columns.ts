import type { Columns, Table } from "./classes.ts";
import { ACCOUNT_COLUMNS } from "./columns_account.ts";
import { DOMAIN_COLUMNS } from "./columns_domains.ts";
import { TELLING_COLUMNS } from "./columns_telling.ts";
import { WATCHING_COLUMNS } from "./columns_watching.ts";

/**
 * The personal data in every column of the database, and how it is deleted. A column without a class fails the tests.
 */
export const COLUMNS: Record<Table, Columns> = {
  ...ACCOUNT_COLUMNS,
  ...WATCHING_COLUMNS,
  ...TELLING_COLUMNS,
  ...DOMAIN_COLUMNS,
};
