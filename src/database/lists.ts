import { getTableColumns, type Placeholder, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/**
 * A list in one parameter, so that the statement is the same however long it is: `column = any(${listed(values)})`. In place
 * of a placeholder goes the list's JSON. An array, whose values are looked up in an index one by one: to be joined with a list,
 * a whole table is read while it is small.
 */
export function listed(values: string[] | Placeholder, type: "text" | "uuid" = "text"): SQL {
  const list = Array.isArray(values) ? JSON.stringify(values) : values;
  return sql`array(select value::${sql.raw(type)} from json_array_elements_text(${list}::json))`;
}

/** Whole rows of a table in one parameter, by the names of its columns: `insert into … (columns) select columns from rows`. */
export function rowsIn(table: PgTable, rows: Record<string, unknown>[]): { columns: SQL; rows: SQL } {
  const columns = Object.entries(getTableColumns(table));
  const named = rows.map((row) => Object.fromEntries(columns.map(([key, { name }]) => [name, row[key]])));
  return {
    columns: sql.join(
      columns.map(([, { name }]) => sql.identifier(name)),
      sql`, `,
    ),
    rows: sql`json_populate_recordset(null::${table}, ${JSON.stringify(named)}::json)`,
  };
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
