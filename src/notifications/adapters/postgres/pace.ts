import { sql } from "drizzle-orm";
import { rowsOf } from "../../../database/logical_dump.ts";
import type { Database } from "../../../database/postgres.ts";
import { LONGEST_QUEUE_MS } from "../../delivery/pacing.ts";
import type { PaceRepository } from "../../ports.ts";
import { paceTable } from "./tables.ts";

export function postgresPace(tx: Database): PaceRepository {
  return {
    /** The generic cell rate algorithm, without a burst. */
    async take(channel, count, spacingMs, now) {
      const at = sql`${now.toISOString()}::timestamptz`;
      const lasts = sql`${count * spacingMs}::float8 * interval '1 millisecond'`;
      const [row] = await rowsOf<{ first: number | string }>(
        tx,
        sql`insert into ${paceTable} as pace (channel, next_at) values (${channel}, ${at} + ${lasts})
          on conflict (channel) do update set next_at = ${lasts} +
            case when pace.next_at between ${at} and ${at} + ${LONGEST_QUEUE_MS} * interval '1 millisecond'
              then pace.next_at else ${at} end
          returning extract(epoch from next_at - ${lasts}) * 1000 as first`,
      );
      return Number(row?.first);
    },
  };
}
