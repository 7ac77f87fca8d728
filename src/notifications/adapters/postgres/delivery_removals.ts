import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { rowsOf } from "../../../database/logical_dump.ts";
import type { Database } from "../../../database/postgres.ts";
import type { DeliveryRepository } from "../../ports.ts";
import { deliveryTable } from "./tables.ts";

/** Removing deliveries; their attempts are removed by cascade. */
export function removals(
  tx: Database,
): Pick<DeliveryRepository, "removeByAccount" | "removeByAlert" | "removeUnowned" | "removeEnded"> {
  return {
    async removeByAccount(accountId) {
      await tx.delete(deliveryTable).where(eq(deliveryTable.accountId, accountId));
    },

    async removeByAlert(accountId, alertId) {
      const about = eq(sql`${deliveryTable.about} ->> 'alertId'`, alertId);
      await tx.delete(deliveryTable).where(and(eq(deliveryTable.accountId, accountId), about));
    },

    async removeUnowned() {
      await tx.delete(deliveryTable).where(and(isNull(deliveryTable.accountId), isNotNull(deliveryTable.endedAt)));
    },

    async removeEnded(before, limit) {
      const removed = await rowsOf(
        tx,
        sql`delete from ${deliveryTable} where id in (
          select id from ${deliveryTable} as old
          where ended_at < ${before.toISOString()}::timestamptz and (contact_id is null or state <> 'sent' or exists (
            select 1 from ${deliveryTable} as newer
            where newer.contact_id = old.contact_id and newer.state = 'sent' and newer.ended_at > old.ended_at))
          order by ended_at limit ${limit}) returning 1`,
      );
      return removed.length;
    },
  };
}
