import { sql } from "drizzle-orm";
import type { Database, PostgresDatabase } from "../../src/database/postgres.ts";

/** The number of sequential scans of the table, and of rows that they read. */
export type Reads = { sequential: number; rows: number };

/** What `work` reads of a table, according to the server's statistics. */
export function readsOf(
  database: PostgresDatabase,
  { table, work }: { table: string; work: (tx: Database) => Promise<unknown> },
): Promise<Reads> {
  return database.transactionOf((tx: Database) => tx)(async (tx) => {
    // Begins the transaction: these statistics count within one.
    await tx.execute(sql`savepoint counting`);
    const counted = async () => {
      const [reads] = await tx
        .select({
          sequential: sql<number>`seq_scan::integer`,
          rows: sql<number>`(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer`,
        })
        .from(sql`pg_stat_xact_user_tables`)
        .where(sql`relname = ${table}`);
      if (reads === undefined) throw new Error(`Cannot count what is read of "${table}"`);
      return reads;
    };
    const before = await counted();
    await work(tx);
    const after = await counted();
    return { sequential: after.sequential - before.sequential, rows: after.rows - before.rows };
  });
}

/** Copies the rows of one user for another user. */
export async function copyRows(
  database: PostgresDatabase,
  { table, person, of, more = [] }: { table: string; person: string; of: string; more?: string[] },
): Promise<void> {
  const ids = ["id", ...more].map((column) => `'${column}', gen_random_uuid()`);
  const copy = sql.raw(`insert into ${table} select theirs.* from ${table} mine, jsonb_populate_record(mine,
    jsonb_build_object('${person}', '${crypto.randomUUID()}', ${ids.join(", ")})) theirs
    where mine.${person} = '${of}'`);
  await database.transactionOf((tx: Database) => tx)((tx) => tx.execute(copy));
}

/** Has the server look at every row of a table, or of all: from a sample it would now and then choose another plan. */
export async function analyse(database: PostgresDatabase, table = ""): Promise<void> {
  await database.transactionOf((tx: Database) => tx)(async (tx) => {
    await tx.execute(sql`set local default_statistics_target = 10000`);
    await tx.execute(sql.raw(`analyze ${table}`));
  });
}
