import { getTableColumns, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import { rowsOf } from "./logical_dump.ts";
import type { Database } from "./postgres.ts";

/**
 * A list in one parameter, so that the statement is the same however long it is: `column = any(${listed(values)})`. In place
 * of a placeholder goes the list's JSON. An array, whose values are looked up in an index one by one: to be joined with a list,
 * a whole table is read while it is small.
 */
export function listed(values: string[] | Placeholder, type: "text" | "uuid" | "tid" = "text"): SQL {
  const list = Array.isArray(values) ? JSON.stringify(values) : values;
  return sql`array(select value::${sql.raw(type)} from json_array_elements_text(${list}::json))`;
}

/**
 * Rows of a table in one parameter, as far as they differ; what is the same in all of them is said once. By the names of its
 * columns: `insert into … (columns) select columns from rows as new`. With `keys` only these columns of it, the first one
 * the key.
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

/** As text where it is no literal that is the same for every driver. */
function constant(value: unknown): SQL {
  if (value === null || typeof value === "number" || typeof value === "boolean") return sql.raw(String(value));
  if (value instanceof Date) return sql`${value.toISOString()}`;
  return sql`${typeof value === "string" ? value : JSON.stringify(value)}`;
}

/** What a statement answers as one value: with hundreds of rows it is read several times as fast as value by value. Instants stay text. */
export async function rowsAtOnce<Row>(tx: Database, query: SQL): Promise<Row[]> {
  const [answer] = await rowsOf<{ rows: string | Row[] }>(
    tx,
    sql`with answer as (${query}) select coalesce(json_agg(answer), '[]') as rows from answer`,
  );
  const rows = answer?.rows ?? [];
  return typeof rows === "string" ? (JSON.parse(rows) as Row[]) : rows;
}

/** What `query` selects, whole rows of a table in its order, for where there are hundreds of them. */
export async function selectRows<Table extends PgTable>(
  tx: Database,
  table: Table,
  query: SQL,
): Promise<Table["$inferSelect"][]> {
  const [row] = await tx.select({ rows: rowsOut(table, query) }).from(sql`(select 1) as one`);
  return row?.rows ?? [];
}

/** Whole rows of a table that `query` selects as one value, which is read faster than value by value; and what it selects `beside` them. */
export function rowsOut<Table extends PgTable, Beside = unknown>(
  table: Table,
  query: SQL,
  beside: readonly (keyof Beside & string)[] = [],
): SQL<(Table["$inferSelect"] & Beside)[]> {
  type Row = Table["$inferSelect"] & Beside;
  const own = Object.entries(getTableColumns(table)).map(([key, { name, dataType }]) => ({
    ...{ key, name, isInstant: dataType === "date" },
  }));
  const columns = [...own, ...beside.map((name) => ({ key: name, name, isInstant: false }))];
  function rowOf(found: Record<string, unknown>) {
    const row: Record<string, unknown> = {};
    for (const { key, name, isInstant } of columns) {
      const value = found[name];
      row[key] = isInstant && typeof value === "string" ? new Date(value) : value;
    }
    return row as Row;
  }
  const all = sql`(select coalesce(json_agg(selected), '[]') from (${query}) as selected)`;
  return all.mapWith((found: string | Record<string, unknown>[]) =>
    (typeof found === "string" ? (JSON.parse(found) as Record<string, unknown>[]) : found).map(rowOf),
  ) as SQL<Row[]>;
}
