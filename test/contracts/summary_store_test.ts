import { describe, expect, test } from "bun:test";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { ALICE, BOB, CHARLIE } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const IN_ORDER = [ALICE, BOB, CHARLIE].map(({ accountId }) => accountId).toSorted();
const [first = "", second = "", third = ""] = IN_ORDER;

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("SummaryRepository on %s", (_, open) => {
  test("stores once who has it enabled, and since when", async () => {
    const { transaction } = await open();
    await transaction(async ({ summaries }) => {
      expect(await summaries.find(first)).toBeUndefined();
      await summaries.want({ accountId: first, every: "month", through: "2026-10" });
      await summaries.want({ accountId: first, every: "month", through: "2027-03" });
      expect(await summaries.find(first)).toEqual({ accountId: first, every: "month", through: "2026-10" });
      await summaries.drop(first);
      await summaries.drop(second);
      expect(await summaries.find(first)).toBeUndefined();
    });
  });

  test("lists who has not received a month's, also across the turn of the year, page by page", async () => {
    const { transaction } = await open();
    await transaction(async ({ summaries }) => {
      for (const accountId of IN_ORDER) await summaries.want({ accountId, every: "month", through: "2026-11" });
      expect(await summaries.listDue({ every: "month", through: "2026-11" }, undefined, 10)).toEqual([]);
      expect(await summaries.listDue({ every: "month", through: "2026-12" }, undefined, 2)).toEqual([first, second]);
      expect(await summaries.listDue({ every: "month", through: "2026-12" }, second, 2)).toEqual([third]);
      expect(await summaries.take({ accountId: second, every: "month", through: "2026-12" })).toBe(true);
      expect(await summaries.listDue({ every: "month", through: "2026-12" }, undefined, 10)).toEqual([first, third]);
      expect(await summaries.listDue({ every: "month", through: "2027-01" }, undefined, 10)).toEqual(IN_ORDER);
    });
  });

  test("gives a month to one caller, never an earlier one, and nothing if it is disabled", async () => {
    const { transaction } = await open();
    await transaction(({ summaries }) => summaries.want({ accountId: first, every: "month", through: "2026-10" }));
    const take = () =>
      transaction(({ summaries }) => summaries.take({ accountId: first, every: "month", through: "2026-11" }));
    const taken = await Promise.all(Array.from({ length: 10 }, take));
    expect(taken.filter(Boolean)).toHaveLength(1);
    await transaction(async ({ summaries }) => {
      expect(await summaries.take({ accountId: first, every: "month", through: "2026-10" })).toBe(false);
      expect(await summaries.take({ accountId: second, every: "month", through: "2026-11" })).toBe(false);
      expect(await summaries.find(first)).toEqual({ accountId: first, every: "month", through: "2026-11" });
    });
  });

  test("an account gets either monthly summaries or yearly ones, as it chose last", async () => {
    const { transaction } = await open();
    await transaction(async ({ summaries }) => {
      await summaries.want({ accountId: first, every: "month", through: "2026-10" });
      await summaries.want({ accountId: first, every: "year", through: "2025" });
      expect(await summaries.find(first)).toEqual({ accountId: first, every: "year", through: "2025" });
      expect(await summaries.listDue({ every: "month", through: "2026-12" }, undefined, 10)).toEqual([]);
      expect(await summaries.listDue({ every: "year", through: "2026" }, undefined, 10)).toEqual([first]);
      expect(await summaries.take({ accountId: first, every: "month", through: "2026-12" })).toBe(false);
      expect(await summaries.take({ accountId: first, every: "year", through: "2026" })).toBe(true);
      expect(await summaries.take({ accountId: first, every: "year", through: "2026" })).toBe(false);
    });
  });
});
