import { sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import { preparedRows } from "../../../database/prepared.ts";
import { LONGEST_QUEUE_MS } from "../../delivery/pacing.ts";
import type { PaceRepository } from "../../ports.ts";
import { paceTable } from "./tables_pace.ts";

const NOW = sql`${sql.placeholder("now")}::timestamptz`;
const LASTS = sql`${sql.placeholder("lastsMs")}::float8 * interval '1 millisecond'`;
/** The generic cell rate algorithm, without a burst. */
const TAKE = preparedRows<{ first: number | string }>(
  sql`insert into ${paceTable} as pace (channel, next_at) values (${sql.placeholder("channel")}, ${NOW} + ${LASTS})
    on conflict (channel) do update set next_at = ${LASTS} +
      case when pace.next_at between ${NOW} and ${NOW} + ${LONGEST_QUEUE_MS} * interval '1 millisecond'
        then pace.next_at else ${NOW} end
    returning extract(epoch from next_at - ${LASTS}) * 1000 as first`,
);

export function postgresPace(tx: Database): PaceRepository {
  return {
    async take(channel, count, spacingMs, now) {
      const [row] = await TAKE(tx, { channel, lastsMs: count * spacingMs, now: now.toISOString() });
      return Number(row?.first);
    },
  };
}
