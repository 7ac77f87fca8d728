import type { MemoryTables } from "../../database/memory.ts";
import { memoryEvents } from "../../events/adapters/memory.ts";
import type { BillingStore } from "../ports.ts";
import type { Subscription } from "../subscription.ts";

export function memoryBilling(tables: MemoryTables): BillingStore {
  const rows = tables<Subscription>("billing.subscription");
  return {
    events: memoryEvents(tables),
    subscriptions: {
      find: async (accountId) => rows.get(accountId),
      async add(subscription) {
        if (rows.get(subscription.accountId)) return false;
        rows.set(subscription.accountId, subscription);
        return true;
      },
      async remove(accountId) {
        rows.delete(accountId);
      },
      listOverdue: async (now, limit) =>
        rows.filter((row) => row.endsAt <= now && row.endedAt === undefined).slice(0, limit),
      async markEnded(accountId, now) {
        const row = rows.get(accountId);
        if (row === undefined || row.endedAt !== undefined) return false;
        rows.set(accountId, { ...row, endedAt: now });
        return true;
      },
    },
  };
}
