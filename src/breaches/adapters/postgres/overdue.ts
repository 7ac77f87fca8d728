import { and, asc, eq, gt, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import { listed, selectRows } from "../../../database/lists.ts";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { StaleRepository } from "../../ports.ts";
import { scanTable, staleTable, watchTable } from "./tables.ts";

/** The checks of the watch's address with available sources. */
const scansOf = (sources: string[]): SQL | undefined =>
  and(eq(scanTable.address, watchTable.address), inArray(scanTable.source, sources), eq(scanTable.unsupported, false));

export function postgresStale(tx: Database): StaleRepository {
  const at = (date: Date) => sql`${date.toISOString()}::timestamptz`;

  /** Watches of the incident's account whose address has not been checked since the incident was reported, or first seen. */
  const stillMissing = (sources: string[], now: Date) => sql`exists (select 1 from ${watchTable}
    where ${watchTable.accountId} = ${staleTable.accountId} and not ${watchTable.suspended}
      and exists (select 1 from ${scanTable} where ${scansOf(sources)})
      and not exists (select 1 from ${scanTable} where ${scansOf(sources)} and (${scanTable.dueAt} > ${at(now)}
        or ${scanTable.checkedAt} > coalesce(${staleTable.toldAt}, ${staleTable.seenAt}))))`;
  // Not `exists`, for which the planner may read all watches for every page of accounts.
  const isWatching = sql`coalesce((select true from ${watchTable}
    where ${watchTable.accountId} = ${staleTable.accountId} and not ${watchTable.suspended} limit 1), false)`;

  return {
    async isAnythingDue(sources, before) {
      const [row] = await tx
        .select({ source: scanTable.source })
        .from(scanTable)
        .where(and(inArray(scanTable.source, sources), lte(scanTable.dueAt, before), eq(scanTable.unsupported, false)))
        .limit(1);
      return row !== undefined;
    },
    async listAccounts(after, limit) {
      const rows = await tx
        .selectDistinct({ accountId: watchTable.accountId })
        .from(watchTable)
        .where(after === undefined ? undefined : gt(watchTable.accountId, after))
        .orderBy(asc(watchTable.accountId))
        .limit(limit);
      return rows.map(({ accountId }) => accountId);
    },
    async listOverdue(accountIds, sources, before) {
      if (accountIds.length === 0) return [];
      // An address is overdue from the time at which its last source was.
      const dueAt = sql`(select max(${scanTable.dueAt}) from ${scanTable} where ${scansOf(sources)})`;
      const late = tx
        .select({ accountId: watchTable.accountId, dueAt: sql<Date>`${dueAt}`.as("late_since") })
        .from(watchTable)
        .where(
          and(inArray(watchTable.accountId, accountIds), eq(watchTable.suspended, false), isNull(watchTable.aliasOf)),
        )
        .as("late");
      return tx
        .select({
          accountId: late.accountId,
          addresses: sql<number>`count(*)::int`,
          since: sql`min(${late.dueAt})`.mapWith(scanTable.dueAt),
        })
        .from(late)
        .where(sql`${late.dueAt} <= ${at(before)}`)
        .groupBy(late.accountId)
        .orderBy(asc(late.accountId));
    },
    async see(overdue, seenAt) {
      if (overdue.length === 0) return;
      await tx
        .insert(staleTable)
        .values(overdue.map((each) => ({ ...each, seenAt })))
        .onConflictDoNothing();
    },
    async list(accountIds) {
      const theirs = sql`account_id = any(${listed(accountIds, "uuid")})`;
      return selectRows(tx, staleTable, sql`select * from ${staleTable} where ${theirs}`);
    },
    async page(after, limit, sources, now) {
      const rows = await tx
        .select({
          notice: staleTable,
          // Wrapped, as Drizzle omits table names from top-level columns.
          isMissing: sql<boolean>`${stillMissing(sources, now)}`,
          isWatching: sql<boolean>`${isWatching}`,
        })
        .from(staleTable)
        .where(after === undefined ? undefined : gt(staleTable.accountId, after))
        .orderBy(asc(staleTable.accountId))
        .limit(limit);
      return {
        notices: rows.map(({ notice }) => withoutNulls(notice)),
        over: rows.flatMap(({ notice: { accountId }, isMissing, isWatching }) =>
          isMissing ? [] : { accountId, isWatching },
        ),
      };
    },
    async tell({ accountId, addresses, since }, toldAt) {
      const told = await tx
        .update(staleTable)
        .set({ addresses, since, toldAt })
        .where(and(eq(staleTable.accountId, accountId), isNull(staleTable.toldAt)))
        .returning({ accountId: staleTable.accountId });
      return told.length === 1;
    },
    async end(accountId) {
      const [row] = await tx.delete(staleTable).where(eq(staleTable.accountId, accountId)).returning();
      return withoutNulls(row);
    },
  };
}
