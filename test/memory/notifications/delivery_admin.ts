import { isForContacts } from "../../../src/notifications/delivery/delivery.ts";
import type { Attempt, Delivery } from "../../../src/notifications/ports.ts";
import type { DeliveryAdminRepository, StateCount } from "../../../src/notifications/reporting/delivery_admin_ports.ts";
import type { MemoryTables } from "../database.ts";

export function memoryDesk(tables: MemoryTables): DeliveryAdminRepository {
  const rows = tables<Delivery>("notifications.delivery");
  const attempts = tables<Attempt>("notifications.attempt");
  const tried = (row: Delivery) => ({ ...row, tries: attempts.filter(({ deliveryId }) => deliveryId === row.id) });
  const isOneOf = (ids: string[] | undefined, { id }: Delivery) => ids === undefined || ids.includes(id);

  function change(matches: (row: Delivery) => boolean, to: Partial<Delivery>): string[] {
    const changed = rows.filter(matches);
    for (const row of changed) rows.set(row.id, { ...row, ...to });
    return changed.map(({ id }) => id);
  }

  return {
    async countStates() {
      const open = rows.filter(({ state }) => ["due", "sending", "held", "dead"].includes(state));
      const groups = Map.groupBy(open, ({ state, reason = "", recipient }) =>
        [state, reason, recipient.channel].join(" "),
      );
      return [...groups.entries()]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .flatMap(([, [first, ...others]]): StateCount[] => {
          if (first === undefined) return [];
          const oldest = Math.min(...[first, ...others].map(({ createdAt }) => createdAt.getTime()));
          const { state, reason, recipient } = first;
          return [{ state, reason, channel: recipient.channel, count: others.length + 1, oldest: new Date(oldest) }];
        });
    },
    async listWaiting(offset, limit) {
      const waiting = rows
        .filter(({ state }) => ["due", "sending", "held"].includes(state))
        .toSorted((one, other) => one.runAt.getTime() - other.runAt.getTime() || (one.id < other.id ? -1 : 1));
      return { deliveries: waiting.slice(offset, offset + limit).map(tried), total: waiting.length };
    },
    async listOfAccount(accountId, offset, limit) {
      const own = rows
        .filter((row) => row.accountId === accountId)
        .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? -1 : 1));
      return { deliveries: own.slice(offset, offset + limit).map(tried), total: own.length };
    },
    async listDead(offset, limit) {
      const endedAt = (row: Delivery) => row.endedAt?.getTime() ?? 0;
      const dead = rows
        .filter(({ state }) => state === "dead")
        .toSorted((one, other) => endedAt(other) - endedAt(one) || (one.id < other.id ? -1 : 1));
      return { deliveries: dead.slice(offset, offset + limit).map(tried), total: dead.length };
    },
    async find(id) {
      const row = rows.get(id);
      return row && tried(row);
    },
    hold: async (ids) =>
      change((row) => row.state === "due" && isOneOf(ids, row) && (ids !== undefined || isForContacts(row)), {
        state: "held",
        reason: "operator",
      }),
    release: async (ids, reasons, now) =>
      change((row) => row.state === "held" && reasons.some((reason) => reason === row.reason) && isOneOf(ids, row), {
        state: "due",
        reason: undefined,
        runAt: now,
        turn: now,
      }),
    reviveAll: async (now) =>
      change((row) => row.state === "dead" && isForContacts(row), {
        state: "due",
        reason: undefined,
        endedAt: undefined,
        attempts: 0,
        claims: 0,
        failingSince: undefined,
        runAt: now,
        turn: now,
      }),
  };
}
