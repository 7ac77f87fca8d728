import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { migrationsIn } from "../../src/backup/schema.ts";

const FOLDER = join(import.meta.dirname, "../../migrations");
/**
 * While processes are replaced one by one, the previous release runs on the new schema; before this migration no
 * release could.
 */
const FIRST_ROLLING = "0006_operations";
/** Statements that would break the previous release, by their beginning, and why they do not. */
const ALLOWED: Record<string, string> = {
  'ALTER TABLE "breaches"."rate_budget" ALTER COLUMN "next_slot_at"':
    "It only becomes more precise, and no row is rewritten.",
};

const STUMBLES: Record<string, RegExp> = {
  "takes something away": /^DROP (TABLE|SCHEMA|VIEW|TYPE)|\bDROP COLUMN\b/i,
  "renames something": /\bRENAME\b/i,
  "changes a type": /\bALTER COLUMN "\w+" (SET DATA )?TYPE\b/i,
  "wants what the release before does not write": /\bADD COLUMN (?!.*\bDEFAULT\b).*\bNOT NULL\b|\bSET NOT NULL\b/i,
  "takes a default away": /\bDROP DEFAULT\b/i,
  "refuses what was allowed":
    /^ALTER TABLE "(?<schema>\w+)"\."(?<table>\w+)" ADD CONSTRAINT\b|^CREATE UNIQUE INDEX .* ON "(?<schema2>\w+)"\."(?<table2>\w+)"/i,
};

/** The parts of these statements that would break the previous release. */
function stumblesIn(statements: string[]): string[] {
  const plain = statements.map((statement) => statement.trim()).filter((statement) => statement !== "");
  const isNew = (schema: string, table: string) =>
    plain.some((statement) => statement.startsWith(`CREATE TABLE "${schema}"."${table}"`));
  return plain.flatMap((statement) =>
    Object.entries(STUMBLES).flatMap(([why, pattern]) => {
      const found = pattern.exec(statement);
      if (!found || Object.keys(ALLOWED).some((beginning) => statement.startsWith(beginning))) return [];
      const { schema, table, schema2, table2 } = found.groups ?? {};
      if (isNew(schema ?? schema2 ?? "", table ?? table2 ?? "")) return [];
      return [`${why}: ${statement.split("\n")[0]}`];
    }),
  );
}

describe("a new migration", () => {
  const known = migrationsIn(FOLDER);
  const rolling = known.slice(known.findIndex(({ tag }) => tag === FIRST_ROLLING));

  test.each(rolling.map(({ tag, statements }) => [tag, statements] as const))("%s only adds", (_, statements) => {
    expect(stumblesIn([...statements])).toEqual([]);
  });

  test("is detected if it does more", () => {
    const planted = [
      'ALTER TABLE "a"."b" DROP COLUMN "c";',
      'DROP TABLE "a"."b" CASCADE;',
      'ALTER TABLE "a"."b" RENAME COLUMN "c" TO "d";',
      'ALTER TABLE "a"."b" ALTER COLUMN "c" SET DATA TYPE bigint;',
      'ALTER TABLE "a"."b" ADD COLUMN "c" text NOT NULL;',
      'ALTER TABLE "a"."b" ALTER COLUMN "c" SET NOT NULL;',
      'ALTER TABLE "a"."b" ALTER COLUMN "c" DROP DEFAULT;',
      'ALTER TABLE "a"."b" ADD CONSTRAINT "d" UNIQUE("c");',
      'CREATE UNIQUE INDEX "d" ON "a"."b" USING btree ("c");',
    ];
    for (const statement of planted)
      expect({ statement, found: stumblesIn([statement]).length }).toEqual({ statement, found: 1 });
    const fine = [
      'ALTER TABLE "a"."b" ADD COLUMN "c" text;',
      'ALTER TABLE "a"."b" ADD COLUMN "c" text DEFAULT \'x\' NOT NULL;',
      'CREATE TABLE "a"."n" (\n"c" text NOT NULL\n);',
      'ALTER TABLE "a"."n" ADD CONSTRAINT "d" UNIQUE("c");',
      'CREATE INDEX "d" ON "a"."b" USING btree ("c");',
      'DROP INDEX "a"."d";',
      'ALTER TABLE "a"."b" ALTER COLUMN "c" DROP NOT NULL;',
    ];
    expect(stumblesIn(fine)).toEqual([]);
    // The previous one could not have been rolled out without downtime, and would be detected today.
    expect(stumblesIn([...(known.find(({ tag }) => tag === "0004_sources")?.statements ?? [])])).not.toEqual([]);
  });
});
