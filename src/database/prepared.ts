import { getTableColumns, is, Param, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT, PgTable } from "drizzle-orm/pg-core";

/** Declared again to avoid an import cycle: the event publisher, which runs in every transaction, uses prepared statements. */
type Database = PgDatabase<PgQueryResultHKT>;

/** A query that Drizzle has built: its text, its parameters, and how its rows are mapped. It runs on `client`. */
type Made = { client: unknown; params: unknown[]; execute(values: Record<string, unknown>): Promise<unknown> };
type Session = {
  client: unknown;
  prepareQuery(...query: [text: unknown, fields: undefined, name: undefined, as: false]): Made;
};
type Inside = { session: Session; dialect: { sqlToQuery(query: SQL): unknown } };

/** Drizzle would map a null in place of a placeholder like a value of the column. */
function acceptingNull(made: Made): Made {
  for (const param of made.params) {
    if (!is(param, Param)) continue;
    const { encoder } = param;
    const mapToDriverValue = (value: unknown) => (value === null ? null : encoder.mapToDriverValue(value));
    Object.assign(param, { encoder: { mapToDriverValue } });
  }
  return made;
}

/** Builds a query once for each driver: a process has one, tests have both. */
function once(build: (database: Database) => Made) {
  const made = new Map<unknown, Made>();
  return (tx: Database, values: Record<string, unknown>): Promise<unknown> => {
    const { session } = tx as unknown as Inside;
    const driver = session.constructor;
    const statement = made.get(driver) ?? acceptingNull(build(tx));
    made.set(driver, statement);
    // Runs on this call's transaction instead of the one that it was built with.
    return (Object.assign(Object.create(statement), { client: session.client }) as Made).execute(values);
  };
}

/**
 * A statement that is built once and executed many times: building it takes Drizzle longer than a server takes to answer. Values
 * that differ between calls are `sql.placeholder`s; nothing of one call leaks into the next.
 */
export function prepared<Values extends Record<string, unknown>, Row>(
  build: (database: Database) => { prepare(name: string): { execute(values: Values): Promise<Row> } },
): (tx: Database, values: Values) => Promise<Row> {
  return once((database) => build(database).prepare("") as unknown as Made) as (
    tx: Database,
    values: Values,
  ) => Promise<Row>;
}

/** The same for raw SQL; answers as `rowsOf` does. */
export function preparedRows<Row>(query: SQL): (tx: Database, values: Record<string, unknown>) => Promise<Row[]> {
  const ask = once((database) => {
    const { session, dialect } = database as unknown as Inside;
    return session.prepareQuery(dialect.sqlToQuery(query), undefined, undefined, false);
  });
  return async (tx, values) => {
    const result = await ask(tx, values);
    return (Array.isArray(result) ? [...result] : (result as { rows: unknown[] }).rows) as Row[];
  };
}

type RowOf<Table extends PgTable> = Table["$inferInsert"];

/** A row of placeholders, to be filled by `valuesOf`. */
export function placeholdersOf<Table extends PgTable>(table: Table): Record<keyof RowOf<Table>, Placeholder> {
  const keys = Object.keys(getTableColumns(table));
  return Object.fromEntries(keys.map((key) => [key, sql.placeholder(key)])) as Record<keyof RowOf<Table>, Placeholder>;
}

export function valuesOf<Table extends PgTable>(table: Table, row: RowOf<Table>): Record<string, unknown> {
  const given: Record<string, unknown> = row;
  return Object.fromEntries(Object.keys(getTableColumns(table)).map((key) => [key, given[key] ?? null]));
}
