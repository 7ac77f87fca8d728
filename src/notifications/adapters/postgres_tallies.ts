import { and, gte, lt, sql } from "drizzle-orm";
import type { Database } from "../../database/postgres.ts";
import { preparedRows } from "../../database/prepared.ts";
import { histogramOf, merged } from "../latency.ts";
import type { Tally, TallyRepository } from "../ports.ts";
import { daysOf, inFixedOrder } from "../tally_days.ts";
import { deliveryDayTable } from "./tables_tally.ts";

const plus = (column: { name: string }) =>
  sql`${sql.identifier("delivery_day")}.${sql.identifier(column.name)} + excluded.${sql.identifier(column.name)}`;

/** Those of one day, channel and slot as its row. */
function rowOf(tallies: Tally[]): (typeof deliveryDayTable.$inferInsert)[] {
  const [first] = tallies;
  if (!first) return [];
  const { day, channel, slot } = first;
  const count = (counts: (tally: Tally) => boolean) => tallies.filter(counts).length;
  const ended = (how: Tally["end"]) => count(({ end }) => end === how);
  const latencies = merged(tallies.map(({ bucket }) => histogramOf(bucket)));
  const ends = { accepted: ended("accepted"), failed: ended("failed"), refused: ended("refused") };
  return [{ day, channel, slot, latencies, ...ends, inDoubt: count(({ inDoubt }) => inDoubt) }];
}

// A list that has grown since the row was written counts from nothing.
const latencies = sql`(
  select array_agg(coalesce(mine, 0) + coalesce(more, 0) order by place)
  from unnest(delivery_day.latencies, excluded.latencies) with ordinality as both_lists(mine, more, place)
)`;
const { day, slot, accepted, failed, refused, inDoubt } = deliveryDayTable;

/** One statement, however many rows: they are changed in the order of the list. */
const COUNT = preparedRows(sql`insert into ${deliveryDayTable}
  (day, channel, slot, accepted, failed, refused, in_doubt, latencies)
  select day, channel, slot, accepted, failed, refused, "inDoubt", latencies
  from json_to_recordset(${sql.placeholder("rows")}::json) as row(day date, channel text, slot smallint,
    accepted integer, failed integer, refused integer, "inDoubt" integer, latencies integer[])
  on conflict (day, channel, slot) do update set accepted = ${plus(accepted)}, failed = ${plus(failed)},
    refused = ${plus(refused)}, in_doubt = ${plus(inDoubt)}, latencies = ${latencies}
  returning slot`);

export function postgresTallies(tx: Database): TallyRepository {
  return {
    async count(tallies) {
      // In one order everywhere: whoever counts several never waits in a circle.
      const slots = Map.groupBy(inFixedOrder(tallies), (one) => `${one.day} ${one.channel} ${one.slot}`);
      if (slots.size > 0) await COUNT(tx, { rows: JSON.stringify([...slots.values()].flatMap(rowOf)) });
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
