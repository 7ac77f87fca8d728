import { type SQL, sql } from "drizzle-orm";
import type { Database } from "./postgres.ts";

export type TableRows = {
  /** With its schema, as in `identity.users`. */
  name: string;
  columns: string[];
  /** Each row as the JSON of its columns' texts, identical on every database. */
  batches(): AsyncGenerator<string[]>;
};

/** A consistent snapshot of all data. Each table comes after those that it references. */
export type Snapshot = { at: Date; migrations: { hash: string; at: number }[]; tables: TableRows[] };

/** Long-running operations of a database. */
export type Bulk = {
  /** Provides a consistent snapshot. Writers continue meanwhile; on PGlite they wait until the rows are copied. */
  snapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  /** A transaction without the usual deadline, on its own connection where there are several. */
  unhurried<T>(work: (transaction: Database) => Promise<T>): Promise<T>;
};

const OWN = sql.raw("('pg_catalog', 'information_schema', 'pg_toast', 'drizzle', 'public')");
const BATCH = 1000;

/** The rows of a statement, independent of the driver's result format. */
export async function rowsOf<Row>(tx: Database, query: SQL): Promise<Row[]> {
  const result: unknown = await tx.execute(query);
  return (Array.isArray(result) ? [...result] : (result as { rows: unknown[] }).rows) as Row[];
}

/** Whether the database has this table, named with its schema; one of an earlier release may lack it. */
export async function hasTable(tx: Database, name: string): Promise<boolean> {
  return (await rowsOf(tx, sql`select 1 where to_regclass(${name}) is not null`)).length > 0;
}

export type TableFacts = Pick<TableRows, "name" | "columns">;

/** The product's tables with their columns, each after those that it references. */
export async function tablesOf(tx: Database): Promise<TableFacts[]> {
  const columns = await rowsOf<{ name: string; columns: string[] }>(
    tx,
    sql`select n.nspname || '.' || c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
      where c.relkind = 'r' and n.nspname not in ${OWN} and n.nspname not like 'pg\\_%' and a.attnum > 0
      and not a.attisdropped and a.attgenerated = '' group by 1 order by 1`,
  );
  const references = await rowsOf<{ name: string; to: string }>(
    tx,
    sql`select n.nspname || '.' || c.relname as name, m.nspname || '.' || d.relname as to from pg_constraint f
      join pg_class c on c.oid = f.conrelid join pg_namespace n on n.oid = c.relnamespace
      join pg_class d on d.oid = f.confrelid join pg_namespace m on m.oid = d.relnamespace
      where f.contype = 'f' and f.conrelid <> f.confrelid`,
  );
  const sorted: TableFacts[] = [];
  const place = (table: TableFacts, above: string[]): void => {
    if (sorted.includes(table)) return;
    if (above.includes(table.name)) throw new Error(`Cannot order the tables: "${table.name}" refers to itself`);
    for (const { to } of references.filter(({ name }) => name === table.name)) {
      const other = columns.find(({ name }) => name === to);
      if (other) place(other, [...above, table.name]);
    }
    sorted.push(table);
  };
  for (const table of columns) place(table, []);
  return sorted;
}

/** Fixes the session settings that affect how values are printed as text. */
export async function settleTexts(tx: Database): Promise<void> {
  for (const setting of [
    "timezone = 'UTC'",
    "datestyle = 'ISO, YMD'",
    "bytea_output = 'hex'",
    "extra_float_digits = 1",
  ])
    await tx.execute(sql.raw(`set local ${setting}`));
}

async function factsOf(tx: Database) {
  await settleTexts(tx);
  const [time] = await rowsOf<{ at: string }>(tx, sql`select extract(epoch from clock_timestamp()) * 1000 as at`);
  const migrations = (await hasTable(tx, "drizzle.__drizzle_migrations"))
    ? await rowsOf<{ hash: string; created_at: string | number }>(
        tx,
        sql`select hash, created_at from drizzle.__drizzle_migrations order by created_at`,
      )
    : [];
  return {
    at: new Date(Number(time?.at)),
    migrations: migrations.map(({ hash, created_at }) => ({ hash, at: Number(created_at) })),
    tables: await tablesOf(tx),
  };
}

const quoted = (name: string) =>
  name
    .split(".")
    .map((part) => `"${part}"`)
    .join(".");

function textsOf({ columns }: TableFacts): string[] {
  return columns.map((column) => `${quoted(column)}::text`);
}

/** Reads a table's rows through a cursor, which needs a transaction that stays open. */
export async function* fetched(tx: Database, table: TableFacts): AsyncGenerator<string[]> {
  const select = `select array_to_json(array[${textsOf(table).join(", ")}])::text as row from ${quoted(table.name)}`;
  await tx.execute(sql.raw(`declare breachbell_rows no scroll cursor for ${select}`));
  for (;;) {
    const rows = await rowsOf<{ row: string }>(tx, sql.raw(`fetch ${BATCH} from breachbell_rows`));
    if (rows.length === 0) break;
    yield rows.map(({ row }) => JSON.stringify(JSON.parse(row)));
  }
  await tx.execute(sql.raw("close breachbell_rows"));
}

/** For a server: a repeatable-read snapshot that does not block writers. */
export async function serverSnapshot<T>(tx: Database, work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
  await tx.execute(sql`set transaction isolation level repeatable read, read only`);
  const facts = await factsOf(tx);
  return work({ ...facts, tables: facts.tables.map((table) => ({ ...table, batches: () => fetched(tx, table) })) });
}

const ESCAPED: Record<string, string> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

function fieldOf(text: string): string | null {
  if (text === "\\N") return null;
  return text.includes("\\") ? text.replaceAll(/\\(.)/g, (_, letter: string) => ESCAPED[letter] ?? letter) : text;
}

/** Parses COPY output in batches, yielding to other work between them. */
async function* copied(bytes: Uint8Array): AsyncGenerator<string[]> {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let batch: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(10, from);
    const line = decoder.decode(bytes.subarray(from, to));
    batch.push(JSON.stringify(line.split("\t").map(fieldOf)));
    from = to + 1;
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (batch.length > 0) yield batch;
}

/**
 * For PGlite, whose only connection is blocked meanwhile: COPY is the fastest export (a third of a second for 100,000 rows), and
 * everything else happens after the transaction.
 */
export async function pgliteSnapshot(tx: Database): Promise<Snapshot> {
  const facts = await factsOf(tx);
  const tables: TableRows[] = [];
  for (const table of facts.tables) {
    const copy = `copy (select ${textsOf(table).join(", ")} from ${quoted(table.name)}) to '/dev/blob'`;
    const { blob } = (await tx.execute(sql.raw(copy))) as unknown as { blob?: Blob };
    tables.push({
      ...table,
      async *batches() {
        if (blob) yield* copied(await blob.bytes());
      },
    });
  }
  return { ...facts, tables };
}

/** Inserts rows in the format of a snapshot. */
export async function loadRows(tx: Database, { name, columns }: TableFacts, rows: string[]): Promise<void> {
  if (rows.length === 0) return;
  const types = await rowsOf<{ column: string; type: string }>(
    tx,
    sql`select attname::text as column, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = ${quoted(name)}::regclass and attnum > 0 and not attisdropped`,
  );
  const typeOf = new Map(types.map(({ column, type }) => [column, type]));
  const values = columns.map((column, index) => `(row->>${index})::${typeOf.get(column)}`);
  const into = `insert into ${quoted(name)} (${columns.map(quoted).join(", ")}) overriding system value`;
  await tx.execute(
    sql`${sql.raw(`${into} select ${values.join(", ")} from json_array_elements(`)}${`[${rows.join(",")}]`}::json) as row`,
  );
}

/** Sets every sequence that a column owns to the column's highest value. */
export async function settleSequences(tx: Database): Promise<void> {
  const found = await rowsOf<{ table: string; column: string; sequence: string }>(
    tx,
    sql`select quote_ident(table_schema) || '.' || quote_ident(table_name) as table, column_name::text as column,
      pg_get_serial_sequence(quote_ident(table_schema) || '.' || quote_ident(table_name), column_name) as sequence
      from information_schema.columns where table_schema not in ${OWN} and (is_identity = 'YES' or column_default like 'nextval(%')`,
  );
  for (const { table, column, sequence } of found)
    await tx.execute(
      sql`select setval(${sequence}::regclass, greatest(1, max(${sql.raw(`"${column}"`)})), max(${sql.raw(`"${column}"`)}) is not null) from ${sql.raw(table)}`,
    );
}
