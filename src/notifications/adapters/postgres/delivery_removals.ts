import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import type { DeliveryRepository } from "../../ports.ts";
import { deliveryTable } from "./tables.ts";

/** Removing deliveries; their attempts are removed by cascade. */
export function removals(
  tx: Database,
): Pick<DeliveryRepository, "removeByAccount" | "removeByAlert" | "removeUnowned"> {
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
  };
}
