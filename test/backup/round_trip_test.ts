import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { sql } from "drizzle-orm";
import { isNotEmpty } from "../../src/backup/format.ts";
import { verifyBackup } from "../../src/backup/read.ts";
import { loadBackup, restoreFrom } from "../../src/backup/restore.ts";
import { dropSchemas, migrationsIn } from "../../src/backup/schema.ts";
import { backupTo } from "../../src/backup/write.ts";
import { rowsOf } from "../../src/database/logical_dump.ts";
import { keysOf } from "../../src/runtime/crypto.ts";
import { fillEveryTable } from "../support/filled.ts";
import { IS_NIGHTLY } from "../support/tier.ts";
import { cleared, folder, MIGRATIONS, mac, type Opened, openNew, sumsOf, writing } from "./stage.ts";

afterEach(cleared, 30_000);

// A round trip each: in the gate one suffices to have both databases write and read.
const WAYS = (
  [
    ["pglite", "postgres"],
    ["postgres", "pglite"],
  ] as const
).slice(0, IS_NIGHTLY ? 2 : 1);
const restoring = {
  mac,
  migrations: MIGRATIONS,
  marks: new Set<string>(),
  endAgain: async () => ({ accounts: 0, consents: 0 }),
};

async function filled(engine: "pglite" | "postgres", rows = 5): Promise<Opened> {
  const database = await openNew(engine);
  // Not `transaction`, which leaves a connection open that a restore would mistake for another process.
  await database.unhurried((tx) => fillEveryTable(tx, rows));
  return database;
}

/** Like restoreFrom(), without making old rows safe. */
async function load(database: Opened, file: string): Promise<void> {
  const report = await verifyBackup(file, { mac });
  const known = migrationsIn(MIGRATIONS);
  await database.unhurried(async (tx) => {
    await dropSchemas(tx, known);
    await loadBackup(tx, known, { file, report, onProgress: undefined });
  });
}

describe("a backup", () => {
  test.each(WAYS)("transfers every row of every table from %s to %s and back", async (from, to) => {
    const file = join(folder(), "one.backup");
    const again = join(folder(), "two.backup");
    const first = await filled(from);
    const written = await backupTo(first, file, writing);
    const before = await sumsOf(first);
    expect(before.filter(({ rows }) => rows === 0)).toEqual([]);
    const rows = before.reduce((sum, table) => sum + table.rows, 0);
    expect(written).toMatchObject({ file, rows, schema: migrationsIn(MIGRATIONS).length - 1 });
    const second = await openNew(to);
    await load(second, file);
    expect(await sumsOf(second)).toEqual(before);
    await backupTo(second, again, writing);
    // Into the first one, which is emptied by loading.
    await first.unhurried((tx) => tx.execute(sql`delete from breaches.breach`));
    expect(await sumsOf(first)).not.toEqual(before);
    await load(first, again);
    expect(await sumsOf(first)).toEqual(before);
  });

  test("continues the sequences of the old database", async () => {
    const file = join(folder(), "one.backup");
    await backupTo(await filled("postgres"), file, writing);
    const second = await openNew("postgres");
    await restoreFrom(second, file, restoring);
    const next = sql`insert into events.outbox (id, event, run_at) values (gen_random_uuid(), '{}', now()) returning position`;
    const [row] = await second.transaction((tx) => rowsOf<{ position: number }>(tx, next));
    expect(row?.position).toBe(6);
  });

  test("is readable by its owner only, is gzipped JSON lines, and leaves nothing else in its folder", async () => {
    const place = folder();
    const file = join(place, "deeper", "one.backup");
    const { rows } = await backupTo(await filled("postgres"), file, writing);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(place, "deeper")).mode & 0o777).toBe(0o700);
    const lines = gunzipSync(readFileSync(file).subarray(0, -32)).toString().trimEnd().split("\n");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ breachbell: "backup", format: 1 });
    expect(lines.filter((line) => line.startsWith("["))).toHaveLength(rows);
    expect(JSON.stringify(lines)).not.toContain("a secret of the tests");
    expect([...new Bun.Glob("**/*").scanSync({ cwd: place, dot: true })]).toEqual(["deeper/one.backup"]);
  });
});

describe("restoreFrom() refuses, and changes nothing", () => {
  async function refusal(target: Opened, file: string, more: object = {}): Promise<unknown> {
    const before = await sumsOf(target);
    const error = await restoreFrom(target, file, { ...restoring, ...more }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(await sumsOf(target)).toEqual(before);
    return error;
  }

  test("a database that is not empty, unless replacing it is allowed", async () => {
    const file = join(folder(), "one.backup");
    const target = await filled("postgres", 1);
    await backupTo(await filled("postgres", 2), file, writing);
    expect(isNotEmpty(await refusal(target, file))).toBe(true);
    await restoreFrom(target, file, { ...restoring, replace: true });
    const users = (await sumsOf(target)).find(({ name }) => name === "identity.users");
    expect(users?.rows).toBe(2);
  });

  test("every file truncated anywhere, and every flipped byte", async () => {
    const file = join(folder(), "one.backup");
    const damaged = join(folder(), "damaged.backup");
    await backupTo(await openNew("postgres"), file, writing);
    const bytes = readFileSync(file);
    const refuses = async (changed: Uint8Array, what: string) => {
      writeFileSync(damaged, changed);
      const error = await verifyBackup(damaged, { mac }).catch((thrown: Error) => thrown);
      expect({ what, refused: error instanceof Error && /damaged or cut short/.test(error.message) }).toEqual({
        what,
        refused: true,
      });
    };
    for (let at = 0; at < bytes.length; at += 1 + Math.floor(bytes.length / 150)) {
      await refuses(bytes.subarray(0, at), `cut at ${at}`);
      const flipped = Buffer.from(bytes);
      flipped[at] = (flipped[at] ?? 0) ^ 1;
      await refuses(flipped, `flipped at ${at}`);
    }
    await refuses(bytes.subarray(0, -1), "the last byte");
    await refuses(Buffer.concat([bytes, Buffer.from([0])]), "a byte more");
    const target = await filled("postgres", 1);
    writeFileSync(damaged, bytes.subarray(0, bytes.length / 2));
    expect(await refusal(target, damaged, { replace: true })).toMatchObject({ code: "BACKUP_REFUSED" });
  });

  test("another installation's secret, another program's file, and a missing file", async () => {
    const file = join(folder(), "one.backup");
    const other = join(folder(), "other.backup");
    const target = await openNew("postgres");
    await backupTo(target, file, { ...writing, mac: keysOf("another secret, which is also long enough").mac });
    expect(String(await refusal(target, file))).toContain("another APP_SECRET");
    writeFileSync(other, "not a backup at all, whatever its name says, and long enough");
    expect(String(await refusal(target, other))).toContain("damaged or cut short");
    expect(String(await refusal(target, `${other}.gone`))).toContain("no such file");
  });

  test("a later release's backup", async () => {
    const file = join(folder(), "one.backup");
    const target = await openNew("postgres");
    const later = await openNew("postgres");
    await later.transaction((tx) =>
      tx.execute(
        sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of tomorrow', 9999999999999)`,
      ),
    );
    await backupTo(later, file, writing);
    expect(String(await refusal(target, file, { replace: true }))).toContain("not of this release or an earlier one");
  });

  test.each(["breachbell", "bell"])("a server with other connections, by the name %s", async (name) => {
    const file = join(folder(), "one.backup");
    await backupTo(await openNew("postgres"), file, writing);
    const target = await openNew("postgres", MIGRATIONS, name);
    await target.transaction(async (tx) => {
      await tx.execute(sql`select 1`);
      const error = await restoreFrom(target, file, { ...restoring, replace: true }).catch((thrown) => thrown);
      expect(String(error)).toContain("stop every process");
    });
  });
});
