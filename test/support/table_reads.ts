import postgres from "postgres";

/** How often a table was scanned sequentially, how many rows that read, and how many were read in all. */
export type TableReads = Map<string, { scans: number; scanned: number; rows: number }>;

/** Connections report what they read when they close, at the latest. */
async function readsSoFar(url: string): Promise<TableReads> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  const others = () => client`select 1 from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`;
  while ((await others()).length > 0);
  const rows = await client`select schemaname || '.' || relname as name, seq_scan::int as scans,
    seq_tup_read::int as scanned, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
    from pg_stat_user_tables where schemaname <> 'drizzle'`;
  await client.end();
  return new Map(rows.map(({ name, scans, scanned, rows }) => [name, { scans, scanned, rows }]));
}

/** The reads of each table while `work` runs and closes its connections. */
export async function tableReadsWhile(url: string, work: () => Promise<unknown>): Promise<TableReads> {
  const before = await readsSoFar(url);
  await work();
  const after = await readsSoFar(url);
  return new Map(
    [...after].map(([name, { scans, scanned, rows }]) => {
      const from = before.get(name) ?? { scans: 0, scanned: 0, rows: 0 };
      return [name, { scans: scans - from.scans, scanned: scanned - from.scanned, rows: rows - from.rows }];
    }),
  );
}
