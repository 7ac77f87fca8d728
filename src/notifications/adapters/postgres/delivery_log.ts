import { and, asc, desc, eq, inArray, isNull, ne, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import type { ContactHealth, DeliveryLogRepository } from "../../reporting/delivery_log_ports.ts";
import { withTries } from "./deliveries.ts";
import { attemptTable, deliveryTable } from "./tables.ts";

export function postgresLedger(tx: Database): DeliveryLogRepository {
  const oldestFirst = (where: SQL | undefined) =>
    tx.select().from(deliveryTable).where(where).orderBy(asc(deliveryTable.createdAt), asc(deliveryTable.id));

  /** Each contact's last failure after its last success, found by index. */
  async function failuresOf(contactIds: string[], sentAt: Map<string, Date | undefined>) {
    const rows = await tx
      .selectDistinctOn([deliveryTable.contactId], {
        contactId: deliveryTable.contactId,
        at: attemptTable.endedAt,
        detail: attemptTable.detail,
      })
      .from(attemptTable)
      .innerJoin(deliveryTable, eq(deliveryTable.id, attemptTable.deliveryId))
      .where(and(inArray(deliveryTable.contactId, contactIds), ne(attemptTable.outcome, "delivered")))
      .orderBy(deliveryTable.contactId, desc(attemptTable.endedAt));
    return rows.flatMap(({ contactId, at, detail }) => {
      if (contactId === null || !at) return [];
      const sent = sentAt.get(contactId);
      return sent && sent >= at ? [] : [[contactId, { at, detail: detail ?? undefined }] as const];
    });
  }

  return {
    async healthOf(contactIds) {
      const health = new Map<string, ContactHealth>();
      if (contactIds.length === 0) return health;
      const rows = await tx
        .select({
          contactId: deliveryTable.contactId,
          lastSentAt: sql<Date | null>`max(${deliveryTable.endedAt}) filter (where state = 'sent')`.mapWith(
            deliveryTable.endedAt,
          ),
          waiting: sql<number>`(count(*) filter (where ${isNull(deliveryTable.endedAt)}))::int`,
        })
        .from(deliveryTable)
        .where(inArray(deliveryTable.contactId, contactIds))
        .groupBy(deliveryTable.contactId);
      const sentAt = new Map(rows.map(({ contactId, lastSentAt }) => [contactId ?? "", lastSentAt ?? undefined]));
      const failures = new Map(await failuresOf(contactIds, sentAt));
      for (const { contactId, waiting } of rows) {
        if (contactId === null) continue;
        health.set(contactId, { lastSentAt: sentAt.get(contactId), lastFailure: failures.get(contactId), waiting });
      }
      return health;
    },

    async listOfAlert(accountId, { alertId, associationId }) {
      const inReport = and(
        eq(deliveryTable.subject, `report:${associationId}`),
        sql`${deliveryTable.about} -> 'alertIds' @> ${JSON.stringify([alertId])}::jsonb`,
      );
      const tells = or(eq(sql`${deliveryTable.about} ->> 'alertId'`, alertId), inReport);
      return withTries(tx, await oldestFirst(and(eq(deliveryTable.accountId, accountId), tells)));
    },

    async listByIds(accountId, ids) {
      return withTries(
        tx,
        await oldestFirst(and(eq(deliveryTable.accountId, accountId), inArray(deliveryTable.id, ids))),
      );
    },
  };
}
