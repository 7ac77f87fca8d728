import type { Attempt, Delivery, DeliveryRepository } from "../../../src/notifications/ports.ts";
import type { MemoryTables } from "../database.ts";

type Attempts = Pick<DeliveryRepository, "addAttempt" | "startHeldAttempts" | "endAttempts" | "listAttempts">;

/** The attempts, stored separately from the deliveries. */
export function memoryAttempts(tables: MemoryTables): Attempts {
  const rows = tables<Delivery>("notifications.delivery");
  const attempts = tables<Attempt>("notifications.attempt");

  return {
    addAttempt: async (attempt) => attempts.set(attempt.id, attempt),
    async startHeldAttempts(started) {
      const held = started.filter(({ deliveryId, leaseToken }) => rows.get(deliveryId)?.leaseToken === leaseToken);
      for (const { leaseToken: _, ...attempt } of held) attempts.set(attempt.id, attempt);
      return held.map(({ id }) => id);
    },
    async endAttempts(ends) {
      for (const end of ends) {
        const attempt = attempts.get(end.id);
        if (attempt) attempts.set(end.id, { ...attempt, ...end });
      }
    },
    listAttempts: async (deliveryId) => attempts.filter((attempt) => attempt.deliveryId === deliveryId),
  };
}
