import type { Attempt, Delivery } from "../../../src/notifications/ports.ts";
import type { DeliveryLogRepository, TriedDelivery } from "../../../src/notifications/reporting/delivery_log_ports.ts";
import type { MemoryTables } from "../database.ts";

export function memoryLedger(tables: MemoryTables): DeliveryLogRepository {
  const rows = tables<Delivery>("notifications.delivery");
  const attempts = tables<Attempt>("notifications.attempt");
  const triesOf = (deliveryId: string) => attempts.filter((attempt) => attempt.deliveryId === deliveryId);
  const tried = (found: Delivery[]): TriedDelivery[] =>
    found
      .toSorted((one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1))
      .map((row) => ({ ...row, tries: triesOf(row.id) }));

  function healthOfOne(contactId: string) {
    const found = rows.filter((row) => row.contactId === contactId);
    const sentAt = found.flatMap(({ state, endedAt }) => (state === "sent" && endedAt ? [endedAt] : []));
    const lastSentAt = sentAt.toSorted((one, other) => other.getTime() - one.getTime())[0];
    const failed = found
      .flatMap(({ id }) => triesOf(id))
      .flatMap(({ endedAt: at, outcome, detail }) => (at && outcome && outcome !== "delivered" ? [{ at, detail }] : []))
      .filter(({ at }) => !lastSentAt || at > lastSentAt)
      .toSorted((one, other) => other.at.getTime() - one.at.getTime());
    const waiting = found.filter(({ endedAt }) => endedAt === undefined).length;
    return found.length > 0 ? { lastSentAt, lastFailure: failed[0], waiting } : undefined;
  }

  return {
    async healthOf(contactIds) {
      return new Map(
        contactIds.flatMap((id) => {
          const health = healthOfOne(id);
          return health ? [[id, health]] : [];
        }),
      );
    },
    async listOfAlert(accountId, { alertId, associationId }) {
      const tells = ({ about, subject }: Delivery) =>
        ("alertId" in about && about.alertId === alertId) ||
        (subject === `report:${associationId}` && about.kind === "report" && about.alertIds.includes(alertId));
      return tried(rows.filter((row) => row.accountId === accountId && tells(row)));
    },
    listByIds: async (accountId, ids) =>
      tried(rows.filter((row) => row.accountId === accountId && ids.includes(row.id))),
  };
}
