import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { verifyBackup } from "../../src/backup/read.ts";
import { applyMigrations, migrationsIn } from "../../src/backup/schema.ts";
import { openDatabase, type Place } from "../../src/database/open.ts";
import { type BackupSettings, backupsOf } from "../../src/runtime/backups.ts";
import { openMigrated } from "../../src/runtime/migrated_database.ts";
import { createDatabase, sharedPostgresUrl } from "../support/postgres_server.ts";
import { IS_NIGHTLY } from "../support/tier.ts";
import { cleared, folder, MIGRATIONS, mac, SECRET } from "./stage.ts";

afterEach(cleared, 30_000);

const ALL = migrationsIn(MIGRATIONS);
const EARLIER = ALL.slice(0, -1);
const onServer = async (): Promise<Place["database"]> => ({
  kind: "server",
  url: await createDatabase(await sharedPostgresUrl()),
});

/** An installation of the release before this one, or a new one. */
async function installation(database: Place["database"], migrations = EARLIER): Promise<BackupSettings> {
  const dataDir = folder();
  const directory = join(dataDir, "backups");
  const backup = { directory, keep: { days: 7, weeks: 4 }, atMinute: 195, recipient: undefined };
  const config: BackupSettings = { dataDir, database, secret: { kind: "given", value: SECRET }, backup };
  if (migrations.length === 0) return config;
  const earlier = await openDatabase(config, undefined);
  await earlier.unhurried((tx) => applyMigrations(tx, migrations));
  await earlier.close();
  return config;
}

const isThere = (path: string) =>
  readdirSync(path, { withFileTypes: true }).filter(({ name }) => name.endsWith(".backup"));

async function schemaOf(config: BackupSettings): Promise<number> {
  const database = await openDatabase(config, undefined);
  const { migrations } = await database.snapshot(async (found) => found);
  await database.close();
  return migrations.length;
}

async function lastOf(config: BackupSettings) {
  const database = await openDatabase(config, undefined);
  const { last } = await backupsOf(config).status(database.transaction);
  await database.close();
  return last;
}

const DATABASES: [string, () => Promise<Place["database"]>][] = [
  ["server", onServer],
  ...(IS_NIGHTLY ? [["embedded", async () => ({ kind: "embedded" as const })] satisfies [string, unknown]] : []),
];

describe.each(DATABASES)("the start of a new release on the %s database", (_, databaseOf) => {
  test("backs up what the migrations are about to change, and nothing when there is nothing to change", async () => {
    const config = await installation(await databaseOf());
    await (await openMigrated(config)).close();
    const [made, ...more] = isThere(config.backup.directory);
    expect(more).toEqual([]);
    const file = join(config.backup.directory, made?.name ?? "");
    const { header } = await verifyBackup(file, { mac });
    expect(header.migrations.length).toBe(EARLIER.length);
    expect(await lastOf(config)).toMatchObject({ file, machine: hostname(), bytes: statSync(file).size });
    await (await openMigrated(config)).close();
    expect(isThere(config.backup.directory)).toHaveLength(1);
    expect(await schemaOf(config)).toBe(ALL.length);
  });

  test("leaves the database as it is if that backup fails, unless the operator makes their own", async () => {
    const config = await installation(await databaseOf());
    writeFileSync(config.backup.directory, "A file where the folder should be");
    await expect(openMigrated(config)).rejects.toThrow(/^Cannot migrate without a backup: .*BACKUP_AT=off/);
    expect(await schemaOf(config)).toBe(EARLIER.length);
    const own = { ...config, backup: { ...config.backup, atMinute: undefined } };
    await (await openMigrated(own)).close();
    expect(await schemaOf(config)).toBe(ALL.length);
  });
});

test("a new installation has nothing to back up", async () => {
  const config = await installation(await onServer(), []);
  writeFileSync(config.backup.directory, "A file where the folder should be");
  await (await openMigrated(config)).close();
  expect(await schemaOf(config)).toBe(ALL.length);
});
