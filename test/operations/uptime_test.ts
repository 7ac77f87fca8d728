import { describe, expect, test } from "bun:test";
import type { MeasuredPart } from "../../src/operations/ports.ts";
import { memoryDatabase } from "../memory/database.ts";
import { DAY, MINUTE, testClock } from "../support/clock.ts";
import { operationsOn } from "../support/operations.ts";

function watched() {
  const clock = testClock();
  const database = memoryDatabase();
  const stage = { parts: [{ part: "source:hibp", troubled: false }] as MeasuredPart[], isDown: false };
  const look = async () => {
    if (stage.isDown) throw new Error("The database does not answer");
    return stage.parts;
  };
  const start = () => operationsOn(database, { now: clock.now, clinic: { look } });
  return { clock, stage, operations: start(), start };
}

describe("partHistory()", () => {
  test("returns the minutes of each day, and the start of the records", async () => {
    const { clock, stage, operations } = watched();
    expect(await operations.partHistory()).toEqual({ since: null, days: [] });
    await operations.measureParts();
    clock.pass(DAY);
    stage.parts = [{ part: "source:hibp", troubled: true }];
    await operations.measureParts();
    clock.pass(MINUTE);
    await operations.measureParts();
    expect(await operations.partHistory()).toEqual({
      since: "2026-11-20",
      days: [
        { day: "2026-11-20", part: "source:hibp", measured: 1, troubled: 0 },
        { day: "2026-11-21", part: "source:hibp", measured: 2, troubled: 2 },
      ],
    });
  });

  test("omits the minutes without measurements, and continues after them, even in another process", async () => {
    const { clock, stage, operations, start } = watched();
    await operations.measureParts();
    clock.pass(MINUTE);
    stage.isDown = true;
    await expect(operations.measureParts()).rejects.toThrow("does not answer");
    stage.isDown = false;
    await start().measureParts();
    await operations.measureParts();
    expect((await operations.partHistory()).days).toMatchObject([{ measured: 2, troubled: 0 }]);
  });

  test("covers ninety days, including today, and deletes older ones", async () => {
    const { clock, operations } = watched();
    await operations.measureParts();
    clock.pass(89 * DAY);
    await operations.measureParts();
    expect((await operations.partHistory()).days).toHaveLength(2);
    expect(await operations.forgetOldDays()).toBe(0);
    clock.pass(2 * DAY);
    expect((await operations.partHistory()).days).toHaveLength(1);
    expect(await operations.forgetOldDays()).toBe(1);
  });
});
