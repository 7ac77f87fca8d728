import { sql } from "drizzle-orm";
import {
  type Bulk,
  fetched,
  loadRows,
  rowsOf,
  settleSequences,
  settleTexts,
  type TableFacts,
  tablesOf,
} from "../database/logical_dump.ts";
import { MIGRATION_LOCK } from "../database/migration_status.ts";
import type { Database } from "../database/postgres.ts";
import type { Mac } from "../shared/secrets.ts";
import { type AfterRestore, settleRestored } from "./after_restore.ts";
import { type Marks, storedMarks, storeMarks } from "./erasures.ts";
import {
  type BackupReport,
  type Header,
  notEmpty,
  type OnProgress,
  refused,
  secondsSince,
  summer,
  type TableSum,
} from "./format.ts";
import { readRows, verifyBackup } from "./read.ts";
import { applyMigrations, dropSchemas, type Migration, migrationsIn } from "./schema.ts";

/** Messages in a backup younger than this have most likely not been sent by anybody. */
export const HOLD_AFTER_MS = 3_600_000;

export type Again = { accounts: number; consents: number };
export type Restoring = {
  mac: Mac;
  /** The directory of the migrations. */
  migrations: string;
  /** Whether existing data may be replaced. */
  replace?: boolean | undefined;
  /** Erasures recorded next to the backups after this one was made. */
  marks: Marks;
  /** Repeats the deletions that were recorded. */
  endAgain(tx: Database, marks: Marks): Promise<Again>;
  onProgress?: OnProgress | undefined;
};
export type CopyReport = AfterRestore & { endedAgain: Again };
export type RestoreReport = BackupReport & CopyReport & { migrated: string[] };

/** The migrations of the backup's schema; throws where they are not ours. */
function schemaOf(file: string, { migrations }: Header, known: Migration[]): Migration[] {
  const own = known.slice(0, migrations.length);
  const isKnown = own.length === migrations.length && own.every(({ hash }, index) => hash === migrations[index]?.hash);
  if (!isKnown) throw refused(`Cannot restore "${file}": its tables are not of this release or an earlier one`);
  return own;
}

async function countOthers(tx: Database): Promise<number> {
  await tx.execute(sql`select pg_stat_clear_snapshot()`);
  const [others] = await rowsOf<{ count: number }>(
    tx,
    sql`select count(*)::integer as count from pg_stat_activity where datname = current_database()
      and application_name in ('breachbell', current_setting('application_name')) and pid <> pg_backend_pid()`,
  );
  return others?.count ?? 0;
}

async function refuseOthers(tx: Database): Promise<void> {
  let count = await countOthers(tx);
  // A connection that was just closed is still listed for a moment.
  for (let look = 0; look < 10 && count > 0; look++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    count = await countOthers(tx);
  }
  if (count > 0)
    throw refused(`Cannot restore while Breachbell runs: ${count} of its connections are open; stop every process`);
}

async function refuseRows(tx: Database): Promise<void> {
  // A server that has only been started has recorded its secret, and since when it makes backups.
  const tables = (await tablesOf(tx)).filter(({ name }) => !name.startsWith("backup."));
  for (const { name } of tables) {
    const [found] = await rowsOf<{ some: boolean }>(tx, sql.raw(`select exists (select 1 from ${name}) as some`));
    if (found?.some) throw notEmpty(`Cannot restore: the database is not empty ("${name}" has rows)`);
  }
}

/** Reads the loaded tables back and compares their sums. */
async function checkTables(tx: Database, file: string, tables: TableFacts[], sums: TableSum[]): Promise<void> {
  for (const table of tables) {
    const sum = summer();
    for await (const rows of fetched(tx, table)) for (const row of rows) sum.add(row);
    const wanted = sums.find(({ name }) => name === table.name);
    if (JSON.stringify({ name: table.name, ...sum.total() }) !== JSON.stringify(wanted))
      throw refused(
        `Cannot restore "${file}": "${table.name}" reads otherwise than it was written; nothing was changed`,
      );
  }
}

type Loading = { file: string; report: Awaited<ReturnType<typeof verifyBackup>>; onProgress: OnProgress | undefined };

/** Creates the schema of the backup's release and loads its rows. */
export async function loadBackup(
  tx: Database,
  migrations: Migration[],
  { file, report, onProgress }: Loading,
): Promise<void> {
  await settleTexts(tx);
  await applyMigrations(tx, migrations);
  const tables: TableFacts[] = [];
  let rows = 0;
  await readRows(file, async ({ table: name, columns }, batch) => {
    if (batch.length === 0) tables.push({ name, columns });
    await loadRows(tx, { name, columns }, batch);
    rows += batch.length;
    onProgress?.({ table: name, rows, of: report.rows });
  });
  await settleSequences(tx);
  await checkTables(tx, file, tables, report.sums);
}

type Settling = Pick<Restoring, "marks" | "endAgain"> & { old: Date };

async function settle(tx: Database, { marks, old, endAgain }: Settling): Promise<CopyReport> {
  await storeMarks(tx, marks);
  const settled = await settleRestored(tx, old);
  return { ...settled, endedAgain: await endAgain(tx, await storedMarks(tx)) };
}

/** Whether an erasure is recorded beside the backups that the database lacks: it is a copy from before that erasure. */
async function isOlderThan(tx: Database, marks: Marks): Promise<boolean> {
  const known = await storedMarks(tx);
  if ([...marks].every((mark) => known.has(mark))) return false;
  const [row] = await rowsOf<{ some: boolean }>(tx, sql`select exists (select 1 from identity.users) as some`);
  return row?.some === true;
}

/**
 * Makes a database safe to continue with that came back some other way than by `restoreFrom`, such as from `pg_dump` or a
 * snapshot of the disk. How old it is is unknown, so every waiting message is held. Undefined if it is not an older copy,
 * judged by the erasures recorded beside the backups unless the operator says so (`isKnown`).
 */
export async function settleCopy(
  database: Pick<Bulk, "unhurried">,
  { marks, endAgain, isKnown }: Pick<Restoring, "marks" | "endAgain"> & { isKnown: boolean },
): Promise<CopyReport | undefined> {
  return database.unhurried(async (tx) => {
    // Of processes that start at the same time, one does it.
    await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    if (!isKnown && !(await isOlderThan(tx, marks))) return undefined;
    return settle(tx, { marks, old: new Date(), endAgain });
  });
}

/**
 * Restores a backup into an empty database, or with `replace` into any. Everything happens in one transaction: a failure leaves
 * the existing data unchanged. A backup of an earlier release is migrated.
 */
export async function restoreFrom(
  database: Pick<Bulk, "unhurried">,
  file: string,
  { mac, migrations, replace = false, marks, endAgain, onProgress }: Restoring,
): Promise<RestoreReport> {
  const started = performance.now();
  const known = migrationsIn(migrations);
  const { header, sums, ...report } = await verifyBackup(file, { mac });
  const own = schemaOf(file, header, known);
  const later = known.slice(own.length);
  const done = await database.unhurried(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await refuseOthers(tx);
    if (!replace) await refuseRows(tx);
    const gone = new Set([...marks, ...(await storedMarks(tx))]);
    await dropSchemas(tx, known);
    await loadBackup(tx, own, { file, report: { ...report, header, sums }, onProgress });
    await applyMigrations(tx, later);
    return settle(tx, { marks: gone, old: new Date(Date.now() - HOLD_AFTER_MS), endAgain });
  });
  const seconds = secondsSince(started);
  return { ...report, ...done, seconds, migrated: later.map(({ tag }) => tag) };
}
