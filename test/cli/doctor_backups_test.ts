import { afterEach, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { LastBackup } from "../../src/backup/ports.ts";
import type { BackupStatus } from "../../src/backup/schedule.ts";
import type { DatabaseContext } from "../../src/cli/command.ts";
import { bench, closeAll, dataDir, findings } from "./doctor_bench.ts";

afterEach(closeAll);

const HOUR_MS = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS - 1000);
const directory = join(dataDir, "backups");
const file = join(directory, "breachbell-20261120T031500Z.backup");
mkdirSync(directory, { recursive: true });
writeFileSync(file, "x".repeat(2000));

describe("doctor's check of the backups", () => {
  async function found(status: Partial<BackupStatus>, environment: Record<string, string> = {}) {
    const known = { scheduled: true, directory, machine: "one", since: hoursAgo(1), ...status };
    const backups = { status: async () => known } as unknown as DatabaseContext["backups"];
    const database: DatabaseContext["database"] = async () => () => Promise.reject(new Error("It was not to be read"));
    return (await findings("backups", bench(environment, { backups, database }))).list;
  }
  const made = (hours: number, other: Partial<LastBackup> = {}) => ({
    last: { at: hoursAgo(hours), machine: "one", file, bytes: 2000, rows: 7, seconds: 1, ...other },
  });

  test("says how old and how large the last one is, and that it was verified", async () => {
    expect(await found(made(5))).toEqual([
      `ok: The last one was made and verified 5 hours ago: 2.0 kB in ${directory}`,
    ]);
    expect(await found(made(72))).toEqual([
      expect.stringMatching(/^fail: The last one was made and verified 3 days ago/),
    ]);
  });

  test("fails if there should be one by now, or if it is gone or has changed", async () => {
    expect(await found({})).toEqual(["ok: No backup has been made yet: one is made every day"]);
    expect(await found({ since: hoursAgo(72) })).toEqual(["fail: No backup has been made yet: one is made every day"]);
    const gone = join(directory, "gone.backup");
    expect(await found(made(1, { file: gone }))).toEqual([`fail: The last backup is no longer at ${gone}`]);
    expect(await found(made(1, { bytes: 3000 }))).toEqual([`fail: ${file} has changed since it was written`]);
  });

  test("names the cause of a failed attempt", async () => {
    expect(await found({ ...made(5), failure: { says: "the disk is full", at: hoursAgo(1) } })).toEqual([
      expect.stringMatching(/^ok: /),
      "fail: The last attempt failed: the disk is full",
    ]);
  });

  test("fails if nothing can be written where the next one would go", async () => {
    expect(await found({ directory: file })).toEqual([
      "ok: No backup has been made yet: one is made every day",
      `fail: ${file} cannot be written to (ENOTDIR)`,
    ]);
    expect(await found({ directory: join(directory, "made-by-the-next-one") })).toHaveLength(1);
  });

  test("names the machine that has the last one if another process made it", async () => {
    const there = { machine: "two", file: "/data/backups/a.backup" };
    expect(await found(made(5, there))).toEqual([expect.stringMatching(/2\.0 kB in \/data\/backups on two$/)]);
  });

  test("warns if none is scheduled, except where the database server's own backups are used", async () => {
    expect(await found({ scheduled: false })).toEqual([
      "warn: No backup has been made",
      "warn: No daily backup is scheduled",
    ]);
    const server = { DATABASE_URL: "postgres://u:canary@db.example/x" };
    expect(await found({ scheduled: false }, server)).toEqual([
      "ok: They are left to the database server: BACKUP_AT=off",
    ]);
  });
});
