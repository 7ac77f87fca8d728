import { afterEach, describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ScheduleStore } from "../../src/backup/ports.ts";
import { backupSchedule, lastDue, nameOf, statusOf, superfluous, timeOf } from "../../src/backup/schedule.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { memorySchedule } from "../memory/backup/schedule.ts";
import { memoryDatabase } from "../memory/database.ts";
import { cleared, folder } from "./stage.ts";

afterEach(cleared);

const DAY_MS = 86_400_000;
const AT = 3 * 60 + 15;
const report = { bytes: 10, rows: 2, tables: [], madeAt: "", product: "", schema: 6, seconds: 1 };

type Staged = { atMinute?: number | "off"; transaction?: Transaction<ScheduleStore>; machine?: string };

function staged({
  atMinute = AT,
  transaction = memoryDatabase().transactionOf(memorySchedule),
  machine = "one",
}: Staged = {}) {
  const place = { directory: join(folder(), "backups"), machine, atMinute: atMinute === "off" ? undefined : atMinute };
  const workDirectory = folder();
  const clock = { at: new Date("2026-11-20T12:00:00Z"), isFull: false };
  const schedule = backupSchedule({
    ...place,
    transaction,
    keep: { days: 3, weeks: 2 },
    isEncrypted: false,
    workDirectory,
    now: () => clock.at,
    async backup(file) {
      if (clock.isFull) throw new Error("Cannot write: no space left on device");
      writeFileSync(file, "a backup");
      return { ...report, file };
    },
  });
  const isFolder = () => existsSync(place.directory) && statSync(place.directory).isDirectory();
  const made = () => (isFolder() ? readdirSync(place.directory).filter((name) => timeOf(name)) : []);
  const runAt = async (time: string) => {
    clock.at = new Date(time);
    await schedule.runDue();
    return made();
  };
  return { ...place, workDirectory, transaction, clock, schedule, runAt, status: () => statusOf(place, transaction) };
}

describe("runDue()", () => {
  test("makes the first backup at its first time, then one a day, and catches up after an outage", async () => {
    const { status, runAt } = staged();
    expect(await runAt("2026-11-20T12:00:00Z")).toEqual([]);
    expect(await runAt("2026-11-21T03:14:59Z")).toEqual([]);
    expect(await runAt("2026-11-21T03:15:00Z")).toEqual(["breachbell-20261121T031500Z.backup"]);
    expect(await runAt("2026-11-21T23:59:00Z")).toHaveLength(1);
    expect(await runAt("2026-11-24T09:00:00Z")).toHaveLength(2);
    expect(await runAt("2026-11-25T03:14:00Z")).toHaveLength(2);
    expect(await status()).toMatchObject({
      scheduled: true,
      since: new Date("2026-11-20T12:00:00Z"),
      last: { at: new Date("2026-11-24T09:00:00Z"), machine: "one", rows: 2, bytes: 10 },
    });
  });

  test("reports why it failed, retries after an hour, and recovers when one succeeds", async () => {
    const { clock, status, runAt } = staged();
    await runAt("2026-11-20T12:00:00Z");
    clock.isFull = true;
    await expect(runAt("2026-11-21T03:15:00Z")).rejects.toThrow("no space left");
    expect((await status()).failure).toEqual({
      says: "Cannot write: no space left on device",
      at: new Date("2026-11-21T03:15:00Z"),
    });
    expect(await runAt("2026-11-21T03:45:00Z")).toEqual([]);
    clock.isFull = false;
    expect(await runAt("2026-11-21T04:15:00Z")).toHaveLength(1);
    expect((await status()).failure).toBeUndefined();
  });

  test("of several processes makes one, where the folder can be written", async () => {
    const one = staged();
    const two = staged({ transaction: one.transaction, machine: "two" });
    await one.runAt("2026-11-20T12:00:00Z");
    // A file where the folder should be.
    writeFileSync(one.directory, "");
    await expect(one.runAt("2026-11-21T03:15:00Z")).rejects.toThrow("EEXIST");
    expect((await two.status()).failure).toMatchObject({ says: expect.stringContaining("EEXIST") });
    // It does not say so again each minute.
    await one.schedule.runDue();
    expect(await two.runAt("2026-11-21T03:16:00Z")).toHaveLength(1);
    expect(await two.status()).toMatchObject({ last: { machine: "two" }, failure: undefined });
    expect(await one.runAt("2026-11-21T03:17:00Z")).toEqual([]);
    expect((await one.status()).failure).toBeUndefined();
  });

  test("does nothing if backups are disabled", async () => {
    const off = staged({ atMinute: "off" });
    await off.schedule.runDue();
    expect(existsSync(off.directory)).toBe(false);
    expect(await off.status()).toEqual({ scheduled: false, directory: off.directory, machine: "one" });
  });

  test("removes leftovers of a killed process, and touches no other file", async () => {
    const { directory, workDirectory, runAt } = staged();
    await runAt("2026-11-20T12:00:00Z");
    const left = `.${nameOf(new Date())}.partial-4711`;
    mkdirSync(directory);
    for (const name of [left, "notes.txt", "mine.backup"]) writeFileSync(join(directory, name), "");
    for (const name of [left, "secret.key"]) writeFileSync(join(workDirectory, name), "");
    for (let day = 21; day < 31; day++) await runAt(`2026-11-${day}T04:00:00Z`);
    expect(readdirSync(workDirectory)).toEqual(["secret.key"]);
    const names = readdirSync(directory);
    expect(names).not.toContain(left);
    expect(names).toEqual(expect.arrayContaining(["notes.txt", "mine.backup"]));
  });
});

test("write() of attempts that follow each other keeps the last one of the day, and records nothing until told", async () => {
  const { directory, clock, schedule, status } = staged();
  mkdirSync(directory);
  for (const minute of ["00", "01", "02"]) {
    clock.at = new Date(`2026-11-20T12:${minute}:00Z`);
    await schedule.write();
  }
  expect(readdirSync(directory)).toEqual(["breachbell-20261120T120200Z.backup"]);
  expect((await status()).last).toBeUndefined();
  await schedule.record((await schedule.write()).last);
  expect(await status()).toMatchObject({ last: { at: clock.at, machine: "one", rows: 2, bytes: 10 } });
});

test("superfluous() keeps the last one of each recent day and week that has one", () => {
  const names = Array.from({ length: 40 }, (_, day) => nameOf(new Date(Date.UTC(2026, 9, 1, 3) + day * DAY_MS)));
  const twice = nameOf(new Date(Date.UTC(2026, 10, 9, 1)));
  const gone = superfluous([...names, twice, "mine.backup"], { days: 3, weeks: 4 });
  const kept = names.filter((name) => !gone.includes(name)).map((name) => timeOf(name)?.toISOString().slice(0, 10));
  // 9 November 2026 is a Monday; the previous weeks end on Sundays.
  expect(kept).toEqual(["2026-10-25", "2026-11-01", "2026-11-07", "2026-11-08", "2026-11-09"]);
  expect(gone).toContain(twice);
  expect(gone).not.toContain("mine.backup");
});

test("lastDue() is today's time once it has passed, and yesterday's before", () => {
  expect(lastDue(new Date("2026-11-20T03:15:00Z"), AT)).toEqual(new Date("2026-11-20T03:15:00Z"));
  expect(lastDue(new Date("2026-11-20T03:14:59Z"), AT)).toEqual(new Date("2026-11-19T03:15:00Z"));
});
