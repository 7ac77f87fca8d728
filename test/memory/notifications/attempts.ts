import type { Attempt, AttemptEnd, Delivery, DeliveryRepository } from "../../../src/notifications/ports.ts";
import type { MemoryTables } from "../database.ts";

type Attempts = Pick<
  DeliveryRepository,
  "startAttempt" | "startHeldAttempts" | "endAttempt" | "endAttempts" | "listAttempts"
>;

/** The attempts, stored separately from the deliveries. */
export function memoryAttempts(tables: MemoryTables): Attempts {
  const rows = tables<Delivery>("notifications.delivery");
  const attempts = tables<Attempt>("notifications.attempt");

  function end(id: string, how: AttemptEnd): void {
    const attempt = attempts.get(id);
    if (attempt) attempts.set(id, { ...attempt, ...how });
  }

  return {
    startAttempt: async (attempt) => attempts.set(attempt.id, attempt),
    async startHeldAttempts(started) {
      const held = started.filter(({ deliveryId, leaseToken }) => rows.get(deliveryId)?.leaseToken === leaseToken);
      for (const { leaseToken: _, ...attempt } of held) attempts.set(attempt.id, attempt);
      return held.map(({ id }) => id);
    },
    endAttempt: async (id, how) => end(id, how),
    async endAttempts(ends) {
      for (const { id, ...how } of ends) end(id, how);
    },
    listAttempts: async (deliveryId) => attempts.filter((attempt) => attempt.deliveryId === deliveryId),
  };
}
