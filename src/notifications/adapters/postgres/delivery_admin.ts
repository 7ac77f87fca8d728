import { and, asc, count, desc, eq, inArray, min, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import { FOR_CONTACTS } from "../../delivery/delivery.ts";
import type { DeliveryAdminRepository } from "../../reporting/delivery_admin_ports.ts";
import { withTries } from "./deliveries.ts";
import { deliveryTable } from "./tables.ts";

// Built once, as a store is created for every transaction.
const isWaiting = inArray(deliveryTable.state, ["due", "sending", "held"]);
const isForContacts = inArray(sql`${deliveryTable.about} ->> 'kind'`, FOR_CONTACTS);

export function postgresDesk(tx: Database): DeliveryAdminRepository {
  const these = (ids: string[] | undefined): SQL | undefined => ids && inArray(deliveryTable.id, ids);
  const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

  async function page(wanted: SQL, order: SQL[], offset: number, limit: number) {
    const rows = await tx
      .select()
      .from(deliveryTable)
      .where(wanted)
      .orderBy(...order)
      .offset(offset)
      .limit(limit);
    return { deliveries: await withTries(tx, rows), total: await tx.$count(deliveryTable, wanted) };
  }

  return {
    async countStates() {
      const { state, reason, channel } = deliveryTable;
      const rows = await tx
        .select({ state, reason, channel, count: count(), oldest: min(deliveryTable.createdAt) })
        .from(deliveryTable)
        .where(inArray(state, ["due", "sending", "held", "dead"]))
        .groupBy(state, reason, channel)
        .orderBy(asc(state), asc(reason), asc(channel));
      return rows.map((row) => ({ ...row, reason: row.reason ?? undefined, oldest: row.oldest ?? new Date(0) }));
    },
    listWaiting: (offset, limit) => page(isWaiting, [asc(deliveryTable.runAt), asc(deliveryTable.id)], offset, limit),
    listOfAccount: (accountId, offset, limit) =>
      page(
        eq(deliveryTable.accountId, accountId),
        [desc(deliveryTable.createdAt), asc(deliveryTable.id)],
        offset,
        limit,
      ),
    // Literally as in the partial index.
    listDead: (offset, limit) =>
      page(sql`state = 'dead'`, [desc(deliveryTable.endedAt), asc(deliveryTable.id)], offset, limit),
    async find(id) {
      const rows = await tx.select().from(deliveryTable).where(eq(deliveryTable.id, id));
      return (await withTries(tx, rows))[0];
    },
    async hold(ids) {
      const wanted = and(eq(deliveryTable.state, "due"), these(ids), ids === undefined ? isForContacts : undefined);
      const held = { state: "held", reason: "operator" } as const;
      return idsOf(await tx.update(deliveryTable).set(held).where(wanted).returning({ id: deliveryTable.id }));
    },
    async release(ids, reasons, now) {
      const wanted = and(eq(deliveryTable.state, "held"), inArray(deliveryTable.reason, reasons), these(ids));
      const due = { state: "due", reason: null, runAt: now, turn: now } as const;
      return idsOf(await tx.update(deliveryTable).set(due).where(wanted).returning({ id: deliveryTable.id }));
    },
    async reviveAll(now) {
      const anew = { state: "due", reason: null, endedAt: null, attempts: 0, claims: 0, failingSince: null } as const;
      const wanted = and(eq(deliveryTable.state, "dead"), isForContacts);
      const due = { ...anew, runAt: now, turn: now };
      return idsOf(await tx.update(deliveryTable).set(due).where(wanted).returning({ id: deliveryTable.id }));
    },
  };
}
