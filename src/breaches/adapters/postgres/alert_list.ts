import { and, count, desc, eq, getTableColumns, gte, inArray, lt, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { listed, rowsAtOnce } from "../../../database/lists.ts";
import { rowsOf } from "../../../database/logical_dump.ts";
import type { Database } from "../../../database/postgres.ts";
import type { AlertReader } from "../../ports.ts";
import { alertPage, orderedIds } from "./alert_page.ts";
import {
  addedDate,
  givenOf,
  isRecent,
  isShown,
  isWithinScope,
  newestFirst,
  seenColumns,
  seenOf,
  withBreach,
  withWatch,
} from "./alert_terms.ts";
import { alertTable, breachTable, watchTable } from "./tables.ts";

const newsAt = sql`greatest(${alertTable.raisedAt}, ${alertTable.worsenedAt})`;

const pending = sql<number>`count(*) filter (where ${alertTable.state} = 'pending')`.mapWith(Number);

function inTable(accountId: string, handledAfter: Date): SQL | undefined {
  return and(eq(alertTable.accountId, accountId), isRecent(handledAfter), isWithinScope);
}

/** Counts pending alerts per association in separate subqueries: given a list, a planner without statistics reads all alerts. */
export async function countPendingOf(tx: Database, associationIds: string[]): Promise<Map<string, number>> {
  const open = tx
    .select({ count: count() })
    .from(alertTable)
    .innerJoin(watchTable, withWatch)
    .leftJoin(breachTable, withBreach)
    .where(and(sql`${alertTable.associationId} = counted`, eq(alertTable.state, "pending"), isWithinScope));
  const rows = await rowsAtOnce<{ associationId: string; open: number }>(
    tx,
    sql`select counted as "associationId", (${open})::integer as open
      from unnest(${listed(associationIds, "uuid")}) as counted`,
  );
  return new Map(rows.map(({ associationId, open }) => [associationId, open]));
}

export function postgresAlertList(tx: Database): AlertReader {
  const seen = (condition: SQL | undefined) =>
    tx
      .select({ ...getTableColumns(alertTable), ...seenColumns })
      .from(alertTable)
      .innerJoin(watchTable, withWatch)
      .leftJoin(breachTable, withBreach)
      .where(and(condition, isWithinScope))
      .$dynamic();
  return {
    async find(accountId, id) {
      const [row] = await seen(and(eq(alertTable.id, id), eq(alertTable.accountId, accountId)));
      return row && seenOf(row);
    },
    async findAll(accountId, ids) {
      if (ids.length === 0) return [];
      return (await seen(and(inArray(alertTable.id, ids), eq(alertTable.accountId, accountId)))).map(seenOf);
    },
    async listByIds(ids) {
      if (ids.length === 0) return [];
      return (await seen(sql`${alertTable.id} = any(${listed(ids, "uuid")})`)).map(seenOf);
    },
    async listByAssociation(associationId, handledAfter, limit) {
      const rows = seen(and(eq(alertTable.associationId, associationId), isRecent(handledAfter))).orderBy(
        ...newestFirst,
      );
      return (await rows.limit(limit)).map(seenOf);
    },
    list: (accountId, filter, offset, limit) => alertPage(tx, { accountId, filter, offset, limit }),
    async listIds(accountId, filter) {
      const given = await givenOf(tx, accountId, filter);
      return (await rowsOf<{ id: string }>(tx, orderedIds(given, filter.order))).map(({ id }) => id);
    },
    async countByBreach(accountId, handledAfter) {
      const rows = await tx
        .select({ details: isShown, breachName: alertTable.breachName, count: count(), pending })
        .from(alertTable)
        .innerJoin(watchTable, withWatch)
        .leftJoin(breachTable, withBreach)
        .where(inTable(accountId, handledAfter))
        .groupBy(alertTable.breachName, isShown);
      return {
        breaches: rows.flatMap(({ details, ...counted }) => (details ? counted : [])),
        undisclosed: rows.reduce((sum, row) => sum + (row.details ? 0 : row.count), 0),
      };
    },
    async countByAddress(accountId, handledAfter) {
      return await tx
        .select({ address: alertTable.address, count: count() })
        .from(alertTable)
        .innerJoin(watchTable, withWatch)
        .leftJoin(breachTable, withBreach)
        .where(inTable(accountId, handledAfter))
        .groupBy(alertTable.address)
        .orderBy(sql`${alertTable.address} collate "C"`);
    },
    async latest(accountId, handledAfter, limit) {
      const order = [sql`${newsAt} desc`, sql`${addedDate} desc nulls last`, desc(alertTable.id)];
      return (
        await seen(inTable(accountId, handledAfter))
          .orderBy(...order)
          .limit(limit)
      ).map(seenOf);
    },
    async countNews(accountId, since) {
      const isFresh = since ? sql`${newsAt} > ${since.toISOString()}::timestamptz` : sql`true`;
      const [row] = await tx
        .select({ pending: count(), fresh: sql<number>`count(*) filter (where ${isFresh})`.mapWith(Number) })
        .from(alertTable)
        .innerJoin(watchTable, withWatch)
        .leftJoin(breachTable, withBreach)
        .where(and(eq(alertTable.accountId, accountId), eq(alertTable.state, "pending"), isWithinScope));
      return row ?? { pending: 0, fresh: 0 };
    },
    async countWithin(accountId, from, to) {
      const within = (column: PgColumn) =>
        sql`count(*) filter (where ${and(gte(column, from), lt(column, to))})`.mapWith(Number);
      const [row] = await tx
        .select({ found: within(alertTable.raisedAt), handled: within(alertTable.handledAt), pending })
        .from(alertTable)
        .innerJoin(watchTable, withWatch)
        .leftJoin(breachTable, withBreach)
        .where(and(eq(alertTable.accountId, accountId), isWithinScope));
      return row ?? { found: 0, handled: 0, pending: 0 };
    },
  };
}
