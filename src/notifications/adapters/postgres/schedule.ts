import { and, asc, eq, inArray, isNotNull, lte, sql } from "drizzle-orm";
import { followsDue } from "../../../database/due.ts";
import type { Database } from "../../../database/postgres.ts";
import type { WaitingRepository } from "../../delivery/schedule_ports.ts";
import { deliveryOf } from "./delivery_rows.ts";
import { deliveryTable } from "./tables.ts";

export function postgresWaiting(tx: Database): WaitingRepository {
  // As in the partial index.
  const isDue = (now: Date) =>
    and(sql`state = 'held' and reason in ('digest', 'quiet')`, lte(deliveryTable.runAt, now));

  return {
    async listDue(now, after, limit) {
      const { contactId, runAt } = deliveryTable;
      const first = sql`min(${runAt})`.mapWith(runAt);
      const rows = await tx
        .select({ id: contactId, at: first })
        .from(deliveryTable)
        .where(and(isDue(now), isNotNull(contactId)))
        .groupBy(contactId)
        .having(followsDue(first, contactId, after))
        .orderBy(asc(first), asc(contactId))
        .limit(limit);
      return rows.flatMap(({ id, at }) => (id === null ? [] : { id, at }));
    },
    async lockDue(contactId, now, limit) {
      const rows = await tx
        .select()
        .from(deliveryTable)
        .where(and(eq(deliveryTable.contactId, contactId), isDue(now)))
        .orderBy(asc(deliveryTable.createdAt), asc(deliveryTable.id))
        .limit(limit)
        .for("update", { skipLocked: true });
      return rows.map(deliveryOf);
    },
    async gather(ids, digestId, now) {
      await tx
        .update(deliveryTable)
        .set({ state: "cancelled", reason: "gathered", gatheredIn: digestId, endedAt: now, sealed: null })
        .where(inArray(deliveryTable.id, ids));
    },
    async release(ids, now) {
      if (ids.length === 0) return;
      await tx
        .update(deliveryTable)
        .set({ state: "due", reason: null, runAt: now, turn: now })
        .where(inArray(deliveryTable.id, ids));
    },
  };
}
