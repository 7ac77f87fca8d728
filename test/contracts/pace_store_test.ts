import { describe, expect, test } from "bun:test";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { later, NOW } from "../notifications/ledger.ts";
import { eachDatabase } from "../support/postgres.ts";

const SPACING = 262.5;

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("PaceRepository on %s", (_, open) => {
  async function opened() {
    const { transaction } = await open();
    const take = (now = NOW, count = 1, channel: "email" | "telegram" = "email") =>
      transaction(({ pace }) => pace.take(channel, count, SPACING, now)).then((first) => first - NOW.getTime());
    return { take };
  }

  test("take() books each slot once, however many callers are concurrent, one after the other", async () => {
    const { take } = await opened();
    const slots = await Promise.all(Array.from({ length: 20 }, () => take()));
    const all = Array.from({ length: 20 }, (_, index) => index * SPACING);
    expect(slots.toSorted((one, other) => one - other)).toEqual(all);
  });

  test("take() books several together", async () => {
    const { take } = await opened();
    expect(await take(NOW, 4)).toBe(0);
    expect(await take(NOW, 2)).toBe(4 * SPACING);
    expect(await take(NOW)).toBe(6 * SPACING);
  });

  test("take() accumulates no unused slots, and keeps the distance to the last one", async () => {
    const { take } = await opened();
    expect(await take()).toBe(0);
    expect(await take(later(100))).toBe(SPACING);
    expect(await take(later(60_000))).toBe(60_000);
    expect(await take(later(60_001))).toBe(60_000 + SPACING);
  });

  test("take() counts each channel on its own", async () => {
    const { take } = await opened();
    expect(await take(NOW, 9)).toBe(0);
    expect(await take(NOW, 1, "telegram")).toBe(0);
  });

  test("take() forgets what was booked by a clock that was far ahead", async () => {
    const { take } = await opened();
    const year = 365 * 24 * 3_600_000;
    expect(await take(later(year))).toBe(year);
    expect(await take()).toBe(0);
    expect(await take()).toBe(SPACING);
  });
});
