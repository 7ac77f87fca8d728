import { and, gte, lt, sql } from "drizzle-orm";
import type { Database } from "../../database/postgres.ts";
import { histogramOf } from "../latency.ts";
import type { Tally, TallyRepository } from "../ports.ts";
import { daysOf, inFixedOrder } from "../tally_days.ts";
import { deliveryDayTable } from "./tables_tally.ts";

const plus = (column: { name: string }) =>
  sql`${sql.identifier("delivery_day")}.${sql.identifier(column.name)} + excluded.${sql.identifier(column.name)}`;

function rowOf({ day, channel, slot, end, inDoubt, bucket }: Tally): typeof deliveryDayTable.$inferInsert {
  const one = (counts: boolean) => (counts ? 1 : 0);
  return {
    ...{ day, channel, slot, latencies: histogramOf(bucket), inDoubt: one(inDoubt) },
    ...{ accepted: one(end === "accepted"), failed: one(end === "failed"), refused: one(end === "refused") },
  };
}

export function postgresTallies(tx: Database): TallyRepository {
  const { day, channel, slot, accepted, failed, refused, inDoubt } = deliveryDayTable;
  // A list that has grown since the row was written counts from nothing.
  const latencies = sql`(
    select array_agg(coalesce(mine, 0) + coalesce(more, 0) order by place)
    from unnest(delivery_day.latencies, excluded.latencies) with ordinality as both_lists(mine, more, place)
  )`;

  return {
    async count(tallies) {
      // In one order everywhere: whoever counts several never waits in a circle.
      for (const tally of inFixedOrder(tallies))
        await tx
          .insert(deliveryDayTable)
          .values(rowOf(tally))
          .onConflictDoUpdate({
            target: [day, channel, slot],
            set: {
              ...{ accepted: plus(accepted), failed: plus(failed), refused: plus(refused), inDoubt: plus(inDoubt) },
              latencies,
            },
          });
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
