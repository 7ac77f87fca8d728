import { describe, expect, test } from "bun:test";
import { postgresSchedule } from "../../src/backup/schedule_store.ts";
import { memorySchedule } from "../memory/backup/schedule.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (minutes: number) => new Date(Date.UTC(2026, 10, 1) + minutes * 60_000);
const last = (minutes: number) => ({
  at: at(minutes),
  machine: "one",
  file: "/data/backups/a.backup",
  bytes: 5_000_000_000,
  rows: 7,
  seconds: 2,
});

describe.each(eachDatabase(memorySchedule, postgresSchedule))("ScheduleStore on %s", (_, open) => {
  const claim = (minutes: number, due = 0) => ({ due: at(due), now: at(minutes), until: at(minutes + 60) });

  test("knows nothing before the first start, and since when afterwards", async () => {
    const { transaction } = await open();
    expect(await transaction((store) => store.read())).toBeUndefined();
    expect(await transaction((store) => store.claim(claim(1)))).toBe(false);
    await transaction((store) => store.begin(at(-5)));
    await transaction((store) => store.begin(at(3)));
    expect(await transaction((store) => store.read())).toEqual({ since: at(-5), last: undefined, failure: undefined });
  });

  test("a backup that is due is claimed by one, until it is made or the time is over", async () => {
    const { transaction } = await open();
    await transaction((store) => store.begin(at(-5)));
    const claims = await Promise.all([1, 1, 1].map((now) => transaction((store) => store.claim(claim(now)))));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await transaction((store) => store.claim(claim(60)))).toBe(false);
    expect(await transaction((store) => store.claim(claim(61)))).toBe(true);
    await transaction((store) => store.made(last(62)));
    expect(await transaction((store) => store.claim(claim(63)))).toBe(false);
    expect(await transaction((store) => store.claim(claim(200, 199)))).toBe(true);
  });

  test("none is due before the first scheduled time", async () => {
    const { transaction } = await open();
    await transaction((store) => store.begin(at(5)));
    expect(await transaction((store) => store.claim(claim(6, 4)))).toBe(false);
    expect(await transaction((store) => store.claim(claim(7, 6)))).toBe(true);
  });

  test("a failure is known until a backup is made, and leaves the last one", async () => {
    const { transaction } = await open();
    await transaction((store) => store.made(last(1)));
    await transaction((store) => store.failed({ says: "The disk is full", at: at(2) }));
    expect(await transaction((store) => store.read())).toEqual({
      since: at(1),
      last: last(1),
      failure: { says: "The disk is full", at: at(2) },
    });
    await transaction((store) => store.made(last(3)));
    expect(await transaction((store) => store.read())).toEqual({ since: at(1), last: last(3), failure: undefined });
  });
});
