import { sql } from "drizzle-orm";
import { readOnlyDatabase } from "./errors.ts";
import { rowsOf } from "./logical_dump.ts";
import type { Database } from "./postgres.ts";

/** The key of the advisory lock that lets one process at a time migrate. */
export const MIGRATION_LOCK = 8_243_106_571;

/** Throws `readOnlyDatabase()` where this connection could not change anything. */
export async function requireWritable(tx: Database): Promise<void> {
  const rows = await rowsOf<{ is: boolean }>(tx, sql`select current_setting('transaction_read_only') = 'off' as is`);
  if (rows[0]?.is !== true) throw readOnlyDatabase();
}

/** Whether the migration with that timestamp was applied: the schema is this release's or a compatible later one. */
export async function isMigratedTo(tx: Database, at: number): Promise<boolean> {
  const rows = await rowsOf<{ is: boolean }>(
    tx,
    sql`select coalesce(max(created_at), 0) >= ${at}::bigint as is from drizzle.__drizzle_migrations`,
  );
  return rows[0]?.is === true;
}
