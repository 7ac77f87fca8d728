import { afterEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { restoreFrom } from "../../src/backup/restore.ts";
import { migrationsIn } from "../../src/backup/schema.ts";
import { rowsOf, tablesOf } from "../../src/database/logical_dump.ts";
import { openPglite } from "../../src/database/pglite.ts";
import { openServer } from "../../src/database/server.ts";
import { cleared, folder, MIGRATIONS, mac, type Opened, openNew } from "../backup/stage.ts";
import { createDatabase, sharedPostgresUrl } from "../support/postgres_server.ts";
import { becomeRelease, fileOf, RELEASES, type Row, rowsIn, rowsNow } from "./releases.ts";

afterEach(cleared, 30_000);

const endAgain = async () => ({ accounts: 0, consents: 0 });
const TAGS = migrationsIn(MIGRATIONS).map(({ tag }) => tag);
/** Columns whose values a migration changes by design. */
const TRANSFORMED: Record<string, string[]> = {
  // There was only the trial, which became a separate column; the plan is now what was bought.
  "billing.subscription": ["plan"],
};

const byText = (rows: Row[]) => rows.map((row) => JSON.stringify(row)).toSorted();

/** Every row of the release still exists with the same values. */
async function expectKept(database: Opened, release: string): Promise<void> {
  const known = await rowsOfColumns(database);
  for (const [table, before] of await rowsIn(release)) {
    const columns = Object.keys(before[0] ?? {}).filter(
      (column) => known.has(`${table}.${column}`) && !TRANSFORMED[table]?.includes(column),
    );
    const kept = before.map((row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null])));
    const now = await rowsNow(database, table, columns);
    expect({ table, rows: byText(now) }).toEqual({ table, rows: byText(kept) });
    expect(before.length).toBeGreaterThan(0);
  }
}

async function rowsOfColumns(database: Opened): Promise<Set<string>> {
  const tables = await database.unhurried((tx) => tablesOf(tx));
  return new Set(tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column}`)));
}

const migrated = (database: Opened) =>
  database.unhurried((tx) =>
    rowsOf<{ count: number }>(tx, sql`select count(*)::integer as count from drizzle.__drizzle_migrations`),
  );

describe("every released schema", () => {
  test("is stored in the repository, except for the one in development", () => {
    expect([RELEASES, [...RELEASES, TAGS.at(-1) ?? ""]]).toContainEqual(TAGS);
  });

  test("has no column that was removed since, so that the previous release can run alongside", async () => {
    const known = await rowsOfColumns(await openNew("postgres"));
    const last = await rowsIn(RELEASES.at(-1) ?? "");
    const gone = [...last].flatMap(([table, [row]]) =>
      Object.keys(row ?? {})
        .filter((column) => !known.has(`${table}.${column}`))
        .map((column) => `${table}.${column}`),
    );
    expect(gone).toEqual([]);
  });

  test.each(RELEASES)(
    "%s is upgraded on start-up, on a server, without losing a row",
    async (release) => {
      const url = await createDatabase(await sharedPostgresUrl());
      const old = await openServer(url, undefined);
      await becomeRelease(old, release);
      await old.close();
      const database = await openServer(url, MIGRATIONS);
      await expectKept(database, release);
      expect(await migrated(database)).toEqual([{ count: TAGS.length }]);
      await database.close();
    },
    60_000,
  );

  test("is upgraded on start-up, on PGlite, without losing a row", async () => {
    const place = join(folder(), "data");
    for (const release of [RELEASES[0] ?? "", RELEASES.at(-1) ?? ""]) {
      const old = await openPglite(place, undefined);
      await becomeRelease(old, release);
      await old.close();
      const database = await openPglite(place, MIGRATIONS);
      await expectKept(database, release);
      expect(await migrated(database)).toEqual([{ count: TAGS.length }]);
      await database.close();
    }
  }, 120_000);

  test("is upgraded by a restore, on PGlite, which reports what it ran", async () => {
    const database = await openNew("pglite", "none");
    for (const [number, release] of RELEASES.entries()) {
      const options = { mac, migrations: MIGRATIONS, replace: true, marks: new Set<string>(), endAgain };
      const report = await restoreFrom(database, fileOf(release), options);
      expect(report.migrated).toEqual(TAGS.slice(number + 1));
      expect(await migrated(database)).toEqual([{ count: TAGS.length }]);
    }
  }, 120_000);

  test("is changed by its migration as intended", async () => {
    const database = await openNew("postgres", "none");
    await becomeRelease(database, "0000_init");
    const file = fileOf("0000_init");
    await restoreFrom(database, file, { mac, migrations: MIGRATIONS, replace: true, marks: new Set(), endAgain });
    const read = (query: string) => database.unhurried((tx) => rowsOf<Record<string, unknown>>(tx, sql.raw(query)));
    // All four were checked with the source that was queried last.
    expect(await read("select distinct source from breaches.scan")).toEqual([{ source: "dataset" }]);
    expect(await read("select distinct sources::text as sources from breaches.exposure")).toEqual([
      { sources: "{dataset}" },
    ]);
    expect(
      await read(
        "select count(*)::integer as count from billing.subscription where trial_ends_at = ends_at and plan is null",
      ),
    ).toEqual([{ count: 4 }]);
    expect(await read("select distinct consent from tracking.association")).toEqual([{ consent: "own" }]);
  });
});
