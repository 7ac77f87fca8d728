import type { Delivery } from "../../../src/notifications/ports.ts";
import type { OpenReceipt, ReceiptRepository } from "../../../src/notifications/pushover/receipt_ports.ts";
import type { MemoryTables } from "../database.ts";

export function memoryReceipts(tables: MemoryTables): ReceiptRepository {
  const rows = tables<OpenReceipt>("notifications.open_receipt");
  const deliveries = tables<Delivery>("notifications.delivery");
  return {
    async open(receipt) {
      if (!rows.get(receipt.receipt)) rows.set(receipt.receipt, receipt);
    },
    async claimDue(now, until) {
      const due = rows.filter(({ lookAt }) => lookAt <= now);
      const [first] = due.toSorted((one, other) => one.lookAt.getTime() - other.lookAt.getTime());
      if (!first) return undefined;
      const claimed = { ...first, lookAt: until };
      rows.set(first.receipt, claimed);
      return claimed;
    },
    async lookAgain(claimed, lookAt) {
      if (rows.get(claimed.receipt)?.lookAt.getTime() === claimed.lookAt.getTime())
        rows.set(claimed.receipt, { ...claimed, lookAt });
    },
    async close(receipt) {
      rows.delete(receipt);
    },
    async acknowledge(deliveryId, at) {
      const delivery = deliveries.get(deliveryId);
      if (delivery && !delivery.acknowledgedAt) deliveries.set(deliveryId, { ...delivery, acknowledgedAt: at });
    },
  };
}
