import { readdirSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { readRows, verifyBackup } from "../../src/backup/read.ts";
import { loadBackup } from "../../src/backup/restore.ts";
import { dropSchemas, migrationsIn } from "../../src/backup/schema.ts";
import { type Bulk, rowsOf, settleTexts } from "../../src/database/logical_dump.ts";
import { MIGRATIONS, mac } from "../backup/stage.ts";

/** A backup of every released schema with rows in every table, by the tag of its last migration. */
export const RELEASES = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".backup"))
  .map((name) => name.replace(".backup", ""))
  .toSorted();

export function fileOf(release: string): string {
  return join(import.meta.dirname, `${release}.backup`);
}

/** Restores the database of that release, whatever it contains now. */
export async function becomeRelease(database: Bulk, release: string): Promise<void> {
  const file = fileOf(release);
  const known = migrationsIn(MIGRATIONS);
  const report = await verifyBackup(file, { mac });
  await database.unhurried(async (tx) => {
    await dropSchemas(tx, known);
    await loadBackup(tx, known.slice(0, report.schema + 1), { file, report, onProgress: undefined });
  });
}

export type Row = Record<string, string | null>;

/** The release's rows, table by table, as stored in the repository. */
export async function rowsIn(release: string): Promise<Map<string, Row[]>> {
  const tables = new Map<string, Row[]>();
  await readRows(fileOf(release), ({ table, columns }, rows) => {
    const found = rows.map((row) => {
      const values = JSON.parse(row) as (string | null)[];
      return Object.fromEntries(columns.map((column, at) => [column, values[at] ?? null]));
    });
    tables.set(table, [...(tables.get(table) ?? []), ...found]);
  });
  return tables;
}

/** The current rows, with these columns only. */
export function rowsNow(database: Bulk, table: string, columns: string[]): Promise<Row[]> {
  return database.unhurried(async (tx) => {
    await settleTexts(tx);
    const list = columns.map((column) => `"${column}"::text as "${column}"`).join(", ");
    return rowsOf<Row>(tx, sql.raw(`select ${list} from ${table}`));
  });
}
