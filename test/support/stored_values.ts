import { sql } from "drizzle-orm";
import type { Database } from "../../src/database/postgres.ts";
import type { Transaction } from "../../src/shared/transaction.ts";

/** A database whose contents are inspected. */
type Stored = { plain: Transaction<Database> };

const OWN_SCHEMAS = sql`table_schema not in ('pg_catalog', 'information_schema', 'drizzle', 'public')`;

/** Every table with its rows as text. */
export async function dump({ plain }: Stored): Promise<Map<string, string[]>> {
  const name = sql<string>`quote_ident(table_schema) || '.' || quote_ident(table_name)`;
  return plain(async (tx) => {
    const tables = await tx.select({ name }).from(sql`information_schema.tables`).where(OWN_SCHEMAS);
    const rows = new Map<string, string[]>();
    for (const table of tables) {
      const found = await tx.select({ row: sql<string>`t::text` }).from(sql.raw(`${table.name} as t`));
      rows.set(
        table.name,
        found.map(({ row }) => row),
      );
    }
    return rows;
  });
}

/** `schema.table.column` of every stored column, with its type. */
export async function columnTypes({ plain }: Stored): Promise<Map<string, string>> {
  const name = sql<string>`table_schema || '.' || table_name || '.' || column_name`;
  const type = sql<string>`data_type`;
  const rows = await plain((tx) => tx.select({ name, type }).from(sql`information_schema.columns`).where(OWN_SCHEMAS));
  return new Map(rows.map((row) => [row.name, row.type]));
}

export const columnsOf = async (world: Stored): Promise<string[]> => [...(await columnTypes(world)).keys()];

/** All values that contain this text, ignoring case, by `schema.table.column`. */
export async function valuesWith({ plain }: Stored, text: string): Promise<Map<string, unknown[]>> {
  const name = sql<string>`quote_ident(table_schema) || '.' || quote_ident(table_name)`;
  const found = new Map<string, unknown[]>();
  await plain(async (tx) => {
    const tables = await tx.select({ name }).from(sql`information_schema.tables`).where(OWN_SCHEMAS);
    for (const table of tables) {
      const rows = await tx
        .select({ row: sql<Record<string, unknown>>`to_jsonb(t)` })
        .from(sql.raw(`${table.name} as t`));
      for (const [column, value] of rows.flatMap(({ row }) => Object.entries(row))) {
        if (!JSON.stringify(value).toLowerCase().includes(text.toLowerCase())) continue;
        const place = `${table.name}.${column}`;
        found.set(place, [...(found.get(place) ?? []), value]);
      }
    }
  });
  return found;
}

/** The tables that contain this text, ignoring case. */
export async function tablesWith(world: Stored, text: string): Promise<string[]> {
  const rows = [...(await dump(world))];
  return rows.flatMap(([table, list]) => (list.join("\n").toLowerCase().includes(text.toLowerCase()) ? [table] : []));
}
