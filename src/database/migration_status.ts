import { sql } from "drizzle-orm";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { readOnlyDatabase } from "./errors.ts";
import { type Bulk, hasTable, rowsOf } from "./logical_dump.ts";
import type { Connection, Database } from "./postgres.ts";

/** Called before this process migrates a database of an earlier release; if it rejects, nothing is migrated. */
export type BeforeMigrating = (database: Connection & Bulk) => Promise<void>;

/** The key of the advisory lock that lets one process at a time migrate or restore. */
export const MIGRATION_LOCK = 8_243_106_571;

/** Throws `readOnlyDatabase()` where this connection could not change anything. */
export async function requireWritable(tx: Database): Promise<void> {
  const rows = await rowsOf<{ is: boolean }>(tx, sql`select current_setting('transaction_read_only') = 'off' as is`);
  if (rows[0]?.is !== true) throw readOnlyDatabase();
}

/** "empty": never migrated; "behind": of an earlier release, which these migrations change; "migrated" also if of a later one. */
export type MigrationStatus = "empty" | "behind" | "migrated";

export async function migrationStatus(tx: Database, migrationsFolder: string): Promise<MigrationStatus> {
  if (!(await hasTable(tx, "drizzle.__drizzle_migrations"))) return "empty";
  const head = readMigrationFiles({ migrationsFolder }).at(-1)?.folderMillis ?? 0;
  return (await isMigratedTo(tx, head)) ? "migrated" : "behind";
}

/** Whether the migration with that timestamp was applied: the schema is this release's or a compatible later one. */
export async function isMigratedTo(tx: Database, at: number): Promise<boolean> {
  const rows = await rowsOf<{ is: boolean }>(
    tx,
    sql`select coalesce(max(created_at), 0) >= ${at}::bigint as is from drizzle.__drizzle_migrations`,
  );
  return rows[0]?.is === true;
}
