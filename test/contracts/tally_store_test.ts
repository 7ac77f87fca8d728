import { describe, expect, test } from "bun:test";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import type { DeliveryStat } from "../../src/notifications/ports.ts";
import { histogramOf, merged } from "../../src/notifications/reporting/latency.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { eachDatabase } from "../support/postgres.ts";

function tally(more: Partial<DeliveryStat> = {}): DeliveryStat {
  return { day: "2026-11-20", channel: "email", slot: 0, end: "accepted", inDoubt: false, bucket: undefined, ...more };
}
const ALL = ["2026-01-01", "2027-01-01"] as const;

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("TallyRepository on %s", (_, open) => {
  test("adds up outcomes and latencies by day and channel, over all slots", async () => {
    const { transaction } = await open();
    await transaction(({ stats }) =>
      stats.count([
        tally({ slot: 7, bucket: 3 }),
        tally({ slot: 1, bucket: 3, inDoubt: true }),
        tally({ slot: 1, bucket: 0 }),
        tally({ slot: 1, end: "failed" }),
        tally({ end: "refused" }),
        tally({ channel: "telegram", bucket: 5 }),
        tally({ day: "2026-11-19" }),
      ]),
    );
    expect(await transaction(({ stats }) => stats.list(...ALL))).toEqual([
      {
        day: "2026-11-19",
        channel: "email",
        accepted: 1,
        failed: 0,
        refused: 0,
        inDoubt: 0,
        latencies: histogramOf(undefined),
      },
      {
        day: "2026-11-20",
        channel: "email",
        accepted: 3,
        failed: 1,
        refused: 1,
        inDoubt: 1,
        latencies: merged([histogramOf(3), histogramOf(3), histogramOf(0)]),
      },
      {
        day: "2026-11-20",
        channel: "telegram",
        accepted: 1,
        failed: 0,
        refused: 0,
        inDoubt: 0,
        latencies: histogramOf(5),
      },
    ]);
  });

  test("loses none of many concurrent counts, in any order", async () => {
    const { transaction } = await open();
    const both = [tally({ slot: 1, bucket: 1 }), tally({ slot: 2, bucket: 2 })];
    await Promise.all(
      Array.from({ length: 30 }, (_, turn) =>
        transaction(({ stats }) => stats.count(turn % 2 === 0 ? both : both.toReversed())),
      ),
    );
    const [day] = await transaction(({ stats }) => stats.list(...ALL));
    expect(day).toMatchObject({ accepted: 60 });
    expect(day?.latencies.slice(0, 4)).toEqual([0, 30, 30, 0]);
  });

  test("counts nothing that is rolled back, and nothing for an empty batch", async () => {
    const { transaction } = await open();
    await transaction(({ stats }) => stats.count([]));
    const failing = transaction(async ({ stats }) => {
      await stats.count([tally()]);
      throw new Error("The process ends here");
    });
    await expect(failing).rejects.toThrow("ends here");
    expect(await transaction(({ stats }) => stats.list(...ALL))).toEqual([]);
  });

  test("lists from a day on before another, and deletes the days before one", async () => {
    const { transaction } = await open();
    await transaction(async ({ stats }) => {
      for (const day of ["2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20"]) await stats.count([tally({ day })]);
      const days = async () => (await stats.list(...ALL)).map(({ day }) => day);
      expect((await stats.list("2026-11-18", "2026-11-20")).map(({ day }) => day)).toEqual([
        "2026-11-18",
        "2026-11-19",
      ]);
      expect(await stats.removeBefore("2026-11-19")).toBe(2);
      expect(await days()).toEqual(["2026-11-19", "2026-11-20"]);
    });
  });
});
