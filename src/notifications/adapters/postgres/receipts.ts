import { and, asc, eq, isNull, lte } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import type { ReceiptRepository } from "../../pushover/receipt_ports.ts";
import { deliveryTable, openReceiptTable } from "./tables.ts";

export function postgresReceipts(tx: Database): ReceiptRepository {
  return {
    async open(receipt) {
      await tx.insert(openReceiptTable).values(receipt).onConflictDoNothing();
    },

    async claimDue(now, until) {
      const [first] = await tx
        .select()
        .from(openReceiptTable)
        .where(lte(openReceiptTable.lookAt, now))
        .orderBy(asc(openReceiptTable.lookAt))
        .limit(1)
        .for("update", { skipLocked: true });
      if (!first) return undefined;
      await tx.update(openReceiptTable).set({ lookAt: until }).where(eq(openReceiptTable.receipt, first.receipt));
      return { ...first, lookAt: until };
    },

    async lookAgain({ receipt, lookAt: claimedUntil }, lookAt) {
      const stillClaimed = and(eq(openReceiptTable.receipt, receipt), eq(openReceiptTable.lookAt, claimedUntil));
      await tx.update(openReceiptTable).set({ lookAt }).where(stillClaimed);
    },

    async close(receipt) {
      await tx.delete(openReceiptTable).where(eq(openReceiptTable.receipt, receipt));
    },

    async acknowledge(deliveryId, at) {
      const unseen = and(eq(deliveryTable.id, deliveryId), isNull(deliveryTable.acknowledgedAt));
      await tx.update(deliveryTable).set({ acknowledgedAt: at }).where(unseen);
    },
  };
}
