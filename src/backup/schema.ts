import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { rowsOf } from "../database/logical_dump.ts";
import type { Database } from "../database/postgres.ts";

/** One migration, with the hash and time that Drizzle records. */
export type Migration = { tag: string; hash: string; at: number; statements: string[] };

/** All of them, in order. */
export function migrationsIn(folder: string): Migration[] {
  const journal = JSON.parse(readFileSync(join(folder, "meta/_journal.json"), "utf8")) as {
    entries: { tag: string; when: number }[];
  };
  return journal.entries.map(({ tag, when }) => {
    const text = readFileSync(join(folder, `${tag}.sql`), "utf8");
    return { tag, hash: hash("sha256", text), at: when, statements: text.split("--> statement-breakpoint") };
  });
}

/** Runs migrations and records them as Drizzle does at start-up. */
export async function applyMigrations(tx: Database, migrations: Migration[]): Promise<void> {
  await tx.execute(sql`create schema if not exists drizzle`);
  await tx.execute(
    sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
  );
  for (const { hash, at, statements } of migrations) {
    for (const statement of statements) await tx.execute(sql.raw(statement));
    await tx.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${at})`);
  }
}

/** The product's schemas that exist. */
async function schemasOf(tx: Database, migrations: Migration[]): Promise<string[]> {
  const made = migrations.flatMap(({ statements }) =>
    statements.flatMap((statement) => /^\s*CREATE SCHEMA "(\w+)"/.exec(statement)?.[1] ?? []),
  );
  const found = await rowsOf<{ name: string }>(tx, sql`select nspname::text as name from pg_namespace`);
  return [...made, "drizzle"].filter((name) => found.some((schema) => schema.name === name));
}

/** Drops all schemas of the product, and nothing else. */
export async function dropSchemas(tx: Database, migrations: Migration[]): Promise<void> {
  for (const name of await schemasOf(tx, migrations)) await tx.execute(sql.raw(`drop schema "${name}" cascade`));
}
