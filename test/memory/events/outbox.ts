import { type Event, type EventPublisher, orderKeyOf } from "../../../src/events/catalogue.ts";
import type { Outbox } from "../../../src/events/outbox.ts";
import type { MemoryDatabase, MemoryTables } from "../database.ts";

type Row = {
  id: string;
  event: Event;
  doneBy: string[];
  attempts: number;
  runAt: Date;
  leaseToken: string | undefined;
  leaseUntil: Date | undefined;
};

/** The publisher of an in-memory store, on the same tables as the store itself. */
export function memoryEvents(tables: MemoryTables): EventPublisher {
  const events = tables<Row>("events");
  return {
    async publish(...published) {
      for (const event of published) {
        const id = crypto.randomUUID();
        const lease = { leaseToken: undefined, leaseUntil: undefined };
        events.set(id, { id, event, doneBy: [], attempts: 0, runAt: new Date(0), ...lease });
      }
    },
  };
}

/** The dispatcher's side. It is serialised with the stores' transactions, or a commit could overwrite a lease. */
export function memoryOutbox(database: MemoryDatabase): Outbox {
  const transaction = database.transactionOf((tables) => tables<Row>("events"));
  const ifHeld = (id: string, leaseToken: string, change: (row: Row) => Row | undefined) =>
    transaction(async (events) => {
      const row = events.get(id);
      if (row?.leaseToken !== leaseToken) return false;
      const changed = change(row);
      if (changed) events.set(id, changed);
      else events.delete(id);
      return true;
    });

  return {
    claim: (limit, now, leaseMs, { type, orderKey } = {}) =>
      transaction(async (events) => {
        const seen = new Set<string>();
        const isFirstOfItsKey = ({ event }: Row) => {
          const key = orderKeyOf(event);
          if (key === undefined) return true;
          const isFirst = !seen.has(key);
          seen.add(key);
          return isFirst;
        };
        const isDue = (row: Row) => row.runAt <= now && (row.leaseUntil === undefined || row.leaseUntil < now);
        const isWanted = ({ event }: Row) =>
          (type === undefined || event.type === type) && (orderKey === undefined || orderKeyOf(event) === orderKey);
        const due = events.filter(isFirstOfItsKey).filter(isDue).filter(isWanted);
        return due.slice(0, limit).map((row) => {
          const leaseToken = crypto.randomUUID();
          const attempts = row.attempts + 1;
          events.set(row.id, { ...row, attempts, leaseToken, leaseUntil: new Date(now.getTime() + leaseMs) });
          return { id: row.id, event: row.event, doneBy: row.doneBy, attempts, leaseToken };
        });
      }),
    waits: (orderKey) =>
      transaction(async (events) => events.filter(({ event }) => orderKeyOf(event) === orderKey).length > 0),
    markDone: (id, leaseToken, subscriber) =>
      ifHeld(id, leaseToken, (row) => ({ ...row, doneBy: [...row.doneBy, subscriber] })),
    async remove(list) {
      for (const { id, leaseToken } of list) await ifHeld(id, leaseToken, () => undefined);
    },
    async retryAt(id, leaseToken, runAt) {
      await ifHeld(id, leaseToken, (row) => ({ ...row, runAt, leaseToken: undefined, leaseUntil: undefined }));
    },
    // When they were published is not recorded.
    hasOlderThan: () => transaction(async (events) => events.filter().length > 0),
    backlog: () =>
      transaction(async (events) => {
        const rows = events.filter();
        const oldest = rows.reduce<Date | undefined>(
          (min, row) => (min === undefined || row.runAt < min ? row.runAt : min),
          undefined,
        );
        return { waiting: rows.length, oldest };
      }),
  };
}
