import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { summer, type TableSum } from "../../src/backup/format.ts";
import type { Bulk } from "../../src/database/logical_dump.ts";
import { openPglite } from "../../src/database/pglite.ts";
import type { Connection } from "../../src/database/postgres.ts";
import { openServer } from "../../src/database/server.ts";
import { keysOf, newToken } from "../../src/runtime/crypto.ts";
import { migratedDatabase } from "../support/postgres.ts";
import { createDatabase, sharedPostgresUrl } from "../support/postgres_server.ts";

export const MIGRATIONS = join(import.meta.dirname, "../../migrations");
export const SECRET = "a secret of the tests, long enough to be one";
export const { mac } = keysOf(SECRET);
export const writing = { mac, newToken };

export type Opened = Connection & Bulk;

const folders: string[] = [];
const opened: Opened[] = [];

export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "breachbell-backup-"));
  folders.push(path);
  return path;
}

/** A separate database on the named engine; without migrations ("none") it is completely empty. */
export async function openNew(
  engine: "pglite" | "postgres",
  folderOf: string = MIGRATIONS,
  applicationName = "breachbell",
): Promise<Opened> {
  const migrations = folderOf === "none" ? undefined : folderOf;
  const like = folderOf === MIGRATIONS ? migratedDatabase : () => undefined;
  const database =
    engine === "pglite"
      ? await openPglite(undefined, migrations)
      : await openServer(
          `${await createDatabase(await sharedPostgresUrl(), await like())}?application_name=${applicationName}`,
          migrations,
        );
  opened.push(database);
  return database;
}

/** Closes and removes what a test has opened. */
export async function cleared(): Promise<void> {
  for (const database of opened.splice(0)) await database.close();
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
}

/** A checksum of each table's contents. */
export function sumsOf(database: Opened): Promise<TableSum[]> {
  return database.snapshot(async ({ tables }) => {
    const sums: TableSum[] = [];
    for (const { name, batches } of tables) {
      const sum = summer();
      for await (const rows of batches()) for (const row of rows) sum.add(row);
      sums.push({ name, ...sum.total() });
    }
    return sums;
  });
}
