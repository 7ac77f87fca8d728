import { and, gte, lt, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import type { DeliveryStat, StatsRepository } from "../../ports.ts";
import { histogramOf, merged } from "../../reporting/latency.ts";
import { daysOf, inFixedOrder } from "../../reporting/tally_days.ts";
import { deliveryDayTable } from "./tables.ts";

const plus = (column: { name: string }) =>
  sql`${sql.identifier("delivery_day")}.${sql.identifier(column.name)} + excluded.${sql.identifier(column.name)}`;

/** Aggregates the counts of one day and channel, in the slot of the first. */
function rowOf(stats: DeliveryStat[]): (typeof deliveryDayTable.$inferInsert)[] {
  const [first] = stats;
  if (!first) return [];
  const { day, channel, slot } = first;
  const count = (counts: (stat: DeliveryStat) => boolean) => stats.filter(counts).length;
  const ended = (how: DeliveryStat["end"]) => count(({ end }) => end === how);
  const latencies = merged(stats.map(({ bucket }) => histogramOf(bucket)));
  const ends = { accepted: ended("accepted"), failed: ended("failed"), refused: ended("refused") };
  return [{ day, channel, slot, latencies, ...ends, inDoubt: count(({ inDoubt }) => inDoubt) }];
}

// Buckets that were added after the row was written count as 0.
const latencies = sql`(
  select array_agg(coalesce(mine, 0) + coalesce(more, 0) order by place)
  from unnest(delivery_day.latencies, excluded.latencies) with ordinality as both_lists(mine, more, place)
)`;
const { day, channel, slot, accepted, failed, refused, inDoubt } = deliveryDayTable;
const added = {
  accepted: plus(accepted),
  failed: plus(failed),
  refused: plus(refused),
  inDoubt: plus(inDoubt),
  latencies,
};

export function postgresStats(tx: Database): StatsRepository {
  return {
    async count(stats) {
      const days = Map.groupBy(stats, (one) => `${one.day} ${one.channel}`);
      // In a consistent order, so that transactions cannot deadlock.
      for (const row of inFixedOrder([...days.values()].flatMap(rowOf)))
        await tx
          .insert(deliveryDayTable)
          .values(row)
          .onConflictDoUpdate({ target: [day, channel, slot], set: added });
    },
    async list(from, before) {
      return daysOf(
        await tx
          .select()
          .from(deliveryDayTable)
          .where(and(gte(day, from), lt(day, before))),
      );
    },
    async removeBefore(first) {
      const gone = await tx.delete(deliveryDayTable).where(lt(day, first)).returning({ slot });
      return gone.length;
    },
  };
}
