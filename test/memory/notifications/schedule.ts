import type { WaitingRepository } from "../../../src/notifications/delivery/schedule_ports.ts";
import type { Delivery } from "../../../src/notifications/ports.ts";
import { dueAfter, type MemoryTables } from "../database.ts";

export function memoryWaiting(tables: MemoryTables): WaitingRepository {
  const rows = tables<Delivery>("notifications.delivery");
  const isDue = ({ state, reason, runAt }: Delivery, now: Date) =>
    state === "held" && (reason === "digest" || reason === "quiet") && runAt <= now;

  function changeAll(ids: string[], change: (row: Delivery) => Delivery): void {
    for (const row of rows.filter(({ id }) => ids.includes(id))) rows.set(row.id, change(row));
  }

  return {
    async listDue(now, after, limit) {
      const due = rows.filter((row) => isDue(row, now));
      const byContact = Map.groupBy(due, ({ contactId }) => contactId);
      const contacts = [...byContact].flatMap(([id, some]) =>
        id === undefined ? [] : { id, at: new Date(Math.min(...some.map(({ runAt }) => runAt.getTime()))) },
      );
      return dueAfter(contacts, after, limit);
    },
    async lockDue(contactId, now, limit) {
      const due = rows.filter((row) => row.contactId === contactId && isDue(row, now));
      due.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1));
      return due.slice(0, limit);
    },
    async gather(ids, digestId, now) {
      const end = { state: "cancelled", reason: "gathered", gatheredIn: digestId, endedAt: now } as const;
      changeAll(ids, (row) => ({ ...row, ...end, sealed: undefined }));
    },
    async release(ids, now) {
      changeAll(ids, (row) => ({ ...row, state: "due", reason: undefined, runAt: now, turn: now }));
    },
  };
}
