import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { type PgColumn, PgDialect, type PgTable } from "drizzle-orm/pg-core";
import { rowsOf } from "./logical_dump.ts";
import type { WithoutNulls } from "./nulls.ts";
import type { Database } from "./postgres.ts";

const dialect = new PgDialect();

/** The same fragment, rendered once: for those without parameters in statements of every page, which take long to render. */
export function rendered(fragment: SQL): SQL {
  const { sql: text, params } = dialect.sqlToQuery(fragment);
  if (params.length > 0) throw new Error("Cannot render a fragment with parameters once");
  return sql.raw(text);
}

/**
 * Passes a list as one parameter, so that the statement text does not depend on its length: `column = any(${listed(values)})`.
 * An array makes the planner look its values up in an index; a join with a list would scan small tables completely.
 */
export function listed(values: string[], type: "text" | "uuid" | "tid" = "text"): SQL {
  return sql`array(select value::${sql.raw(type)} from json_array_elements_text(${JSON.stringify(values)}::json))`;
}

/**
 * Passes rows as one parameter; values that all rows share are passed once. Columns by name: `insert into … (columns) select
 * columns from rows as new`. With `keys` only these columns, the first one being the key.
 */
export function rowsIn(
  table: PgTable,
  rows: Record<string, unknown>[],
  keys = Object.keys(getTableColumns(table)),
): { columns: SQL; rows: SQL } {
  const all = getTableColumns(table);
  const columns = keys.map((key, place) => {
    const { name, getSQLType } = all[key] as PgColumn;
    const first = rows[0]?.[key] ?? null;
    const type = getSQLType.call(all[key]);
    return { key, name, type, first, varies: place === 0 || rows.some((row) => !isSame(row[key] ?? null, first)) };
  });
  const varying = columns.filter(({ varies }) => varies);
  const values = rows.map((row) => {
    const value: Record<string, unknown> = {};
    for (const { key, name } of varying) value[name] = row[key];
    return value;
  });
  const list = (parts: SQL[]) => sql.join(parts, sql`, `);
  const typed = varying.map(({ name, type }) => sql`${sql.identifier(name)} ${sql.raw(type)}`);
  const selected = columns.map(({ name, type, first, varies }) =>
    varies ? sql.identifier(name) : sql`${constant(first)}::${sql.raw(type)} as ${sql.identifier(name)}`,
  );
  return {
    columns: list(columns.map(({ name }) => sql`${sql.identifier(name)}`)),
    rows: sql`(select ${list(selected.map((one) => sql`${one}`))}
      from json_to_recordset(${JSON.stringify(values)}::json) as varying(${list(typed)}))`,
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || (one instanceof Date && other instanceof Date && one.getTime() === other.getTime());
}

/** Sent as text unless its literal is the same for every driver. */
function constant(value: unknown): SQL {
  if (value === null || typeof value === "number" || typeof value === "boolean") return sql.raw(String(value));
  if (value instanceof Date) return sql`${value.toISOString()}`;
  return sql`${typeof value === "string" ? value : JSON.stringify(value)}`;
}

/**
 * Fetches all rows of a statement as one JSON value, which is several times faster to parse for hundreds of rows. Instants stay
 * text.
 */
export async function rowsAtOnce<Row>(tx: Database, query: SQL): Promise<Row[]> {
  const [answer] = await rowsOf<{ rows: string | Row[] }>(
    tx,
    sql`with answer as (${query}) select coalesce(json_agg(answer), '[]') as rows from answer`,
  );
  const rows = answer?.rows ?? [];
  return typeof rows === "string" ? (JSON.parse(rows) as Row[]) : rows;
}

/**
 * Selects rows of a table in order, with the columns `beside` them. For hundreds of rows, or for every request: Drizzle's own
 * select takes several times longer to build and to parse. Columns without a value are undefined.
 */
export async function selectRows<Table extends PgTable, Beside = unknown>(
  tx: Database,
  table: Table,
  query: SQL,
  beside: readonly (keyof Beside & string)[] = [],
): Promise<WithoutNulls<Table["$inferSelect"] & Beside>[]> {
  const [row] = await tx.select({ rows: rowsOut(table, query, beside) }).from(sql`(select 1) as one`);
  return row?.rows ?? [];
}

/** The same as one value of a larger select. */
export function rowsOut<Table extends PgTable, Beside = unknown>(
  table: Table,
  query: SQL,
  beside: readonly (keyof Beside & string)[] = [],
): SQL<WithoutNulls<Table["$inferSelect"] & Beside>[]> {
  type Row = WithoutNulls<Table["$inferSelect"] & Beside>;
  const own = Object.entries(getTableColumns(table)).map(([key, { name, dataType }]) => ({
    key,
    name,
    isInstant: dataType === "date",
  }));
  const columns = [...own, ...beside.map((name) => ({ key: name, name, isInstant: false }))];
  function rowOf(found: Record<string, unknown>) {
    const row: Record<string, unknown> = {};
    for (const { key, name, isInstant } of columns) {
      const value = found[name] ?? undefined;
      row[key] = isInstant && typeof value === "string" ? new Date(value) : value;
    }
    return row as Row;
  }
  const all = sql`(select coalesce(json_agg(selected), '[]') from (${query}) as selected)`;
  return all.mapWith((found: string | Record<string, unknown>[]) =>
    (typeof found === "string" ? (JSON.parse(found) as Record<string, unknown>[]) : found).map(rowOf),
  ) as SQL<Row[]>;
}
