import { and, count, eq, exists, inArray, isNotNull, isNull, lte, max, not, notExists, or, sql } from "drizzle-orm";
import { listed, rowsAtOnce } from "../../../database/lists.ts";
import { rowsOf } from "../../../database/logical_dump.ts";
import type { Database } from "../../../database/postgres.ts";
import type { Watch, WatchRepository } from "../../ports.ts";
import { addressHashes } from "../sources/dataset/address_hashes.ts";
import { scanTable, watchTable } from "./tables.ts";

export function postgresWatches(tx: Database): WatchRepository {
  const watchOf = ({
    baselineAt,
    sha1: _,
    sha256: __,
    lastCheckedAt: ___,
    ...watch
  }: typeof watchTable.$inferSelect) => ({
    ...watch,
    baselineAt: baselineAt ?? undefined,
  });
  return {
    async add(watch) {
      await tx
        .insert(watchTable)
        .values({ ...watch, ...addressHashes(watch.address) })
        .onConflictDoNothing();
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
      await tx.delete(watchTable).where(eq(watchTable.associationId, associationId));
    },
    async lockRemovals(address) {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`leave:${address}`}, 0))`);
    },
    async setSuspended(associationId, suspended) {
      const set = await tx
        .update(watchTable)
        .set({ suspended })
        .where(eq(watchTable.associationId, associationId))
        .returning({ associationId: watchTable.associationId });
      return set.length === 1;
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
      const rows = await rowsAtOnce<Omit<Watch, "baselineAt"> & { baselineAt: string | null }>(
        tx,
        sql`select association_id as "associationId", account_id as "accountId", address, baseline_at as "baselineAt",
            suspended, details, sensitive
          from ${watchTable} where address = any(${listed(addresses)}) and not suspended order by association_id`,
      );
      return rows.map(({ baselineAt, ...watch }) => ({
        ...watch,
        baselineAt: baselineAt ? new Date(baselineAt) : undefined,
      }));
    },
    async countAll(address) {
      const [row] = await tx.select({ count: count() }).from(watchTable).where(eq(watchTable.address, address));
      return row?.count ?? 0;
    },
    async listByAccount(accountId) {
      return (await tx.select().from(watchTable).where(eq(watchTable.accountId, accountId))).map(watchOf);
    },
    async find(associationId) {
      const [row] = await tx.select().from(watchTable).where(eq(watchTable.associationId, associationId));
      return row && watchOf(row);
    },
    async listUnreported(sources, now, limit) {
      const ofAddress = and(
        ...[eq(scanTable.address, watchTable.address), inArray(scanTable.source, sources)],
        eq(scanTable.unsupported, false),
      );
      const row = tx.select({ one: sql`1` }).from(scanTable);
      const isAwaited = or(isNull(scanTable.checkedAt), lte(scanTable.dueAt, now));
      const checked = tx
        .select({ one: sql`1` })
        .from(scanTable)
        .where(and(ofAddress, isNotNull(scanTable.checkedAt)));
      const rows = await tx
        .selectDistinct({ address: watchTable.address })
        .from(watchTable)
        .where(
          and(
            ...[isNull(watchTable.baselineAt), not(watchTable.suspended)],
            ...[exists(checked), notExists(row.where(and(ofAddress, isAwaited)))],
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
        sql`select string_agg(substr(hash, 1, 16), '') as prefixes, max(hash) as last from ${page}`,
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
