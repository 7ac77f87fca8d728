import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";

/** A list in one parameter, so that the statement is the same however long it is: `column in ${listed(values)}`. */
export function listed(values: string[], type: "text" | "uuid" = "text"): SQL {
  return sql`(select value::${sql.raw(type)} from json_array_elements_text(${JSON.stringify(values)}::json))`;
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
