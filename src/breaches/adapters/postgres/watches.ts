import {
  and,
  count,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  lte,
  max,
  not,
  notExists,
  or,
  type SQL,
  sql,
} from "drizzle-orm";
import { alias, type PgColumn } from "drizzle-orm/pg-core";
import { listed, rowsAtOnce } from "../../../database/lists.ts";
import { rowsOf } from "../../../database/logical_dump.ts";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { Watch, WatchRepository } from "../../ports.ts";
import { PREFIX } from "../../scanning/watched_hashes.ts";
import { addressHashes } from "../sources/dataset/address_hashes.ts";
import { scanTable, watchTable } from "./tables.ts";

/**
 * Whether these sources have such a check of the address. `offset 0` makes the planner look each address up by index: without
 * statistics it would read all checks of a source for each.
 */
function hasScan(address: PgColumn, sources: string[], condition: SQL | undefined): SQL {
  const ofAddress = and(eq(scanTable.address, address), inArray(scanTable.source, sources), not(scanTable.unsupported));
  return sql`exists (select 1 from ${scanTable} where ${and(ofAddress, condition)} offset 0)`;
}

/** Whether one of these sources still has to check the address. */
function isAwaited(address: PgColumn, sources: string[], now: Date): SQL {
  return hasScan(address, sources, or(isNull(scanTable.checkedAt), lte(scanTable.dueAt, now)));
}

export function postgresWatches(tx: Database): WatchRepository {
  const { sha1: _, sha256: __, lastCheckedAt: ___, ...ofWatch } = getTableColumns(watchTable);
  const withAliases = (associationId: string) =>
    or(eq(watchTable.associationId, associationId), eq(watchTable.aliasOf, associationId));
  return {
    async add(watch) {
      await tx
        .insert(watchTable)
        .values({ ...watch, ...addressHashes(watch.address) })
        .onConflictDoNothing();
    },
    async addAlias({ id, associationId, address }) {
      const [main] = await tx
        .select()
        .from(watchTable)
        .where(and(eq(watchTable.associationId, associationId), isNull(watchTable.aliasOf)))
        .for("share");
      if (!main) return undefined;
      const { accountId, suspended, details, sensitive } = main;
      const alias = { associationId: id, aliasOf: associationId, address, accountId, suspended, details, sensitive };
      await tx
        .insert(watchTable)
        .values({ ...alias, ...addressHashes(address) })
        .onConflictDoNothing();
      return { ...alias, baselineAt: undefined };
    },
    async listAliases(associationId) {
      const rows = tx.select(ofWatch).from(watchTable).where(eq(watchTable.aliasOf, associationId));
      return (await rows.orderBy(watchTable.address)).map(withoutNulls);
    },
    async listOrphans(limit) {
      const main = alias(watchTable, "main");
      const mains = tx.select({ one: sql`1` }).from(main).where(eq(main.associationId, watchTable.aliasOf));
      const orphans = and(isNotNull(watchTable.aliasOf), notExists(mains));
      const rows = tx.select(ofWatch).from(watchTable).where(orphans).orderBy(watchTable.aliasOf);
      return (await rows.limit(limit)).map(withoutNulls);
    },
    async endFirstChecks(associationIds, sources, now) {
      const ended = new Map<string, string[]>();
      for (const id of [...new Set(associationIds)].toSorted()) {
        await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`aliases:${id}`}, 0))`);
        const unreported = and(eq(watchTable.aliasOf, id), isNull(watchTable.baselineAt), not(watchTable.suspended));
        const awaited = tx
          .select({ one: sql`1` })
          .from(watchTable)
          .where(and(unreported, isAwaited(watchTable.address, sources, now)));
        const rows = await tx
          .update(watchTable)
          .set({ baselineAt: now })
          .where(and(unreported, notExists(awaited)))
          .returning({ address: watchTable.address });
        if (rows.length > 0) ended.set(id, rows.map(({ address }) => address).toSorted());
      }
      return ended;
    },
    async setScope(associationId, { details, sensitive }) {
      const set = await tx
        .update(watchTable)
        .set({ details, sensitive })
        .where(eq(watchTable.associationId, associationId))
        .returning({ associationId: watchTable.associationId });
      return set.length === 1;
    },
    async remove(associationId) {
      await tx.delete(watchTable).where(withAliases(associationId));
    },
    async lockRemovals(address) {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`leave:${address}`}, 0))`);
    },
    async setSuspended(associationId, suspended) {
      const set = await tx
        .update(watchTable)
        .set({ suspended })
        .where(withAliases(associationId))
        .returning({ associationId: watchTable.associationId });
      return set.some((one) => one.associationId === associationId);
    },
    async keepLastCheck(associationId, lastCheckedAt) {
      await tx.update(watchTable).set({ lastCheckedAt }).where(eq(watchTable.associationId, associationId));
    },
    async lastChecks(addresses) {
      if (addresses.length === 0) return new Map();
      const rows = await tx
        .select({ address: watchTable.address, checkedAt: max(watchTable.lastCheckedAt) })
        .from(watchTable)
        .where(and(inArray(watchTable.address, addresses), isNotNull(watchTable.lastCheckedAt)))
        .groupBy(watchTable.address);
      return new Map(rows.flatMap(({ address, checkedAt }) => (checkedAt ? [[address, checkedAt]] : [])));
    },
    async listActive(addresses) {
      if (addresses.length === 0) return [];
      const rows = await rowsAtOnce<
        Omit<Watch, "baselineAt" | "aliasOf"> & { baselineAt: string | null; aliasOf: string | null }
      >(
        tx,
        sql`select association_id as "associationId", account_id as "accountId", address, baseline_at as "baselineAt",
            suspended, details, sensitive, alias_of as "aliasOf"
          from ${watchTable} where address = any(${listed(addresses)}) and not suspended order by association_id`,
      );
      return rows.map(({ baselineAt, aliasOf, ...watch }) => ({
        ...watch,
        baselineAt: baselineAt ? new Date(baselineAt) : undefined,
        aliasOf: aliasOf ?? undefined,
      }));
    },
    async countAll(address) {
      const [row] = await tx.select({ count: count() }).from(watchTable).where(eq(watchTable.address, address));
      return row?.count ?? 0;
    },
    async listByAccount(accountId) {
      return (await tx.select(ofWatch).from(watchTable).where(eq(watchTable.accountId, accountId))).map(withoutNulls);
    },
    async find(associationId) {
      const [row] = await tx.select(ofWatch).from(watchTable).where(eq(watchTable.associationId, associationId));
      return withoutNulls(row);
    },
    async listUnreported(sources, now, limit) {
      // The first findings of aliases go out in one message, once all aliases of the association have been checked.
      const sibling = alias(watchTable, "sibling");
      const isSiblingAwaited = sql`${watchTable.aliasOf} is not null and exists (select 1 from ${watchTable} as sibling
        where ${sibling.aliasOf} = ${watchTable.aliasOf} and ${sibling.baselineAt} is null and not ${sibling.suspended}
          and ${isAwaited(sibling.address, sources, now)} offset 0)`;
      const rows = await tx
        .selectDistinct({ address: watchTable.address })
        .from(watchTable)
        .where(
          and(
            ...[isNull(watchTable.baselineAt), not(watchTable.suspended)],
            ...[hasScan(watchTable.address, sources, isNotNull(scanTable.checkedAt))],
            ...[not(isAwaited(watchTable.address, sources, now)), sql`not (${isSiblingAwaited})`],
          ),
        )
        .orderBy(watchTable.address)
        .limit(limit);
      return rows.map(({ address }) => address);
    },
    async listHashes(kind, after, limit) {
      const column = watchTable[kind];
      const page = sql`(select ${column} as hash from ${watchTable} where ${column} > ${after}::text order by ${column} limit ${limit}::int) as page`;
      const [row] = await rowsOf<{ prefixes: string | null; last: string | null }>(
        tx,
        sql`select string_agg(substr(hash, 1, ${PREFIX}::int), '') as prefixes, max(hash) as last from ${page}`,
      );
      return { prefixes: row?.prefixes ?? "", last: row?.last ?? undefined };
    },
    async hashMissing(limit) {
      const rows = await tx
        .selectDistinct({ address: watchTable.address })
        .from(watchTable)
        .where(isNull(watchTable.sha256))
        .limit(limit);
      for (const { address } of rows)
        await tx.update(watchTable).set(addressHashes(address)).where(eq(watchTable.address, address));
      return rows.length;
    },
    async markBaselines(associationIds, now) {
      if (associationIds.length === 0) return [];
      const marked = await rowsAtOnce<{ id: string }>(
        tx,
        sql`update ${watchTable} set baseline_at = ${now.toISOString()}::timestamptz
          where association_id = any(${listed(associationIds, "uuid")}) and baseline_at is null
          returning association_id as id`,
      );
      return marked.map(({ id }) => id);
    },
  };
}
