import type { DailyStats, StatsRepository } from "../../../src/notifications/ports.ts";
import { histogramOf, merged } from "../../../src/notifications/reporting/latency.ts";
import { daysOf } from "../../../src/notifications/reporting/tally_days.ts";
import type { MemoryTables } from "../database.ts";

type Row = DailyStats & { slot: number };

export function memoryTallies(tables: MemoryTables): StatsRepository {
  const rows = tables<Row>("notifications.delivery_day");
  const nothing = { accepted: 0, failed: 0, refused: 0, inDoubt: 0 };
  return {
    async count(tallies) {
      for (const { day, channel, slot, end, inDoubt, bucket } of tallies) {
        const key = `${day} ${channel} ${slot}`;
        const row = rows.get(key) ?? { day, channel, slot, ...nothing, latencies: histogramOf(undefined) };
        const counted = { ...row, [end]: row[end] + 1, inDoubt: row.inDoubt + (inDoubt ? 1 : 0) };
        rows.set(key, { ...counted, latencies: merged([row.latencies, histogramOf(bucket)]) });
      }
    },
    list: async (from, before) => daysOf(rows.filter(({ day }) => day >= from && day < before)),
    removeBefore: async (first) => rows.removeWhere(({ day }) => day < first),
  };
}
