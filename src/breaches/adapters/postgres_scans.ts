import { and, asc, count, eq, gte, inArray, isNotNull, isNull, lt, lte, min, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Database } from "../../database/postgres.ts";
import type { ClaimedScan, ScanRepository } from "../ports.ts";
import { scanTable, sourceTable, watchTable } from "./tables.ts";

/** Due by time, or checked under an older catalogue than the source's. */
function dueFor(source: string, now: Date): SQL | undefined {
  const generation = sql`coalesce((select ${sourceTable.generation} from ${sourceTable} where ${eq(sourceTable.source, source)}), 0)`;
  return and(eq(scanTable.source, source), or(lte(scanTable.dueAt, now), sql`${scanTable.generation} < ${generation}`));
}

/** Who comes first: what was never checked, what an older catalogue was checked with, what is due by time. */
function lanes(generation: number, now: Date): { where: SQL | undefined; order: (SQL | PgColumn)[] }[] {
  const isNew = and(isNull(scanTable.checkedAt), eq(scanTable.unsupported, false));
  const isKnown = or(isNotNull(scanTable.checkedAt), scanTable.unsupported);
  return [
    {
      where: and(isNew, or(lte(scanTable.dueAt, now), lt(scanTable.generation, generation))),
      order: [scanTable.dueAt],
    },
    {
      where: and(isKnown, lt(scanTable.generation, generation)),
      order: [scanTable.generation, sql`${scanTable.checkedAt} nulls first`],
    },
    { where: and(isKnown, gte(scanTable.generation, generation), lte(scanTable.dueAt, now)), order: [scanTable.dueAt] },
  ];
}

export function postgresScans(tx: Database): ScanRepository {
  async function generationOf(source: string): Promise<number> {
    const [state] = await tx
      .select({ generation: sourceTable.generation })
      .from(sourceTable)
      .where(eq(sourceTable.source, source));
    return state?.generation ?? 0;
  }
  const held = (scan: ClaimedScan) =>
    and(
      eq(scanTable.address, scan.address),
      eq(scanTable.source, scan.source),
      eq(scanTable.leaseToken, scan.leaseToken),
    );
  /** Whoever works on an address holds all its rows, taken in one order. */
  const lock = (address: string) =>
    tx
      .select({ source: scanTable.source })
      .from(scanTable)
      .where(eq(scanTable.address, address))
      .orderBy(scanTable.source)
      .for("update");
  async function end(scan: ClaimedScan, nextAt: Date, found: { checkedAt?: Date; unsupported: boolean }) {
    await lock(scan.address);
    const finished = await tx
      .update(scanTable)
      .set({
        ...found,
        generation: scan.generation,
        dueAt: sql`case when ${scanTable.request} = ${scan.request} then ${nextAt.toISOString()}::timestamptz else ${scanTable.dueAt} end`,
        ...{ failures: 0, retryAt: null, leaseToken: null, leaseUntil: null },
      })
      .where(held(scan))
      .returning({ address: scanTable.address });
    return finished.length === 1;
  }
  return {
    async add(address, sources, now) {
      await tx
        .insert(scanTable)
        .values(sources.toSorted().map((source) => ({ address, source, dueAt: now })))
        .onConflictDoUpdate({
          target: [scanTable.address, scanTable.source],
          set: { dueAt: now, request: sql`${scanTable.request} + 1`, retryAt: null },
        });
    },
    async enrol(source, now) {
      await tx.execute(sql`insert into ${scanTable} (address, source, due_at)
        select distinct ${watchTable.address}, ${source}, ${now.toISOString()}::timestamptz from ${watchTable}
        where not ${watchTable.suspended} and not exists (select 1 from ${scanTable}
          where ${scanTable.address} = ${watchTable.address} and ${scanTable.source} = ${source})
        on conflict do nothing`);
    },
    async hold(address) {
      await lock(address);
    },
    async remove(address) {
      await lock(address);
      await tx.delete(scanTable).where(eq(scanTable.address, address));
    },
    async claimDue(source, limit, now, leaseMs) {
      const generation = await generationOf(source);
      const addresses: string[] = [];
      // One lane after the other, each by an index of its own: with a million due, none of them is ever sorted.
      for (const { where, order } of lanes(generation, now)) {
        if (addresses.length >= limit) break;
        const rows = await tx
          .select({ address: scanTable.address })
          .from(scanTable)
          .where(
            and(
              ...[eq(scanTable.source, source), where],
              or(isNull(scanTable.retryAt), lte(scanTable.retryAt, now)),
              or(isNull(scanTable.leaseUntil), lt(scanTable.leaseUntil, now)),
            ),
          )
          .orderBy(...order, asc(scanTable.address))
          .limit(limit - addresses.length)
          .for("update", { skipLocked: true });
        addresses.push(...rows.map(({ address }) => address));
      }
      if (addresses.length === 0) return [];
      const rows = await tx
        .update(scanTable)
        .set({ leaseToken: sql`gen_random_uuid()`, leaseUntil: new Date(now.getTime() + leaseMs) })
        .where(and(eq(scanTable.source, source), inArray(scanTable.address, addresses)))
        .returning();
      const claimed = new Map(rows.map((row) => [row.address, row]));
      return addresses.flatMap((address) => {
        const row = claimed.get(address);
        if (row === undefined) return [];
        const { request, failures, leaseToken } = row;
        return { address, source, request, failures, leaseToken: leaseToken ?? "", generation };
      });
    },
    finish: (scan, checkedAt, nextAt) => end(scan, nextAt, { checkedAt, unsupported: false }),
    finishUnsupported: (scan, nextAt) => end(scan, nextAt, { unsupported: true }),
    async release(scan, retryAt, failed) {
      const failures = failed ? sql`${scanTable.failures} + 1` : scanTable.failures;
      await tx
        .update(scanTable)
        .set({ retryAt, failures: sql`${failures}`, leaseToken: null, leaseUntil: null })
        .where(held(scan));
    },
    async timesOf(addresses, sources) {
      if (addresses.length === 0) return new Map();
      const rows = await tx
        .select({
          address: scanTable.address,
          checkedAt: min(scanTable.checkedAt),
          isUnchecked: sql<boolean>`bool_or(${scanTable.checkedAt} is null)`,
          dueAt: min(scanTable.dueAt),
        })
        .from(scanTable)
        .where(
          and(
            inArray(scanTable.address, addresses),
            inArray(scanTable.source, sources),
            eq(scanTable.unsupported, false),
          ),
        )
        .groupBy(scanTable.address);
      return new Map(
        rows.map(({ address, checkedAt, isUnchecked, dueAt }) => [
          address,
          { checkedAt: isUnchecked ? undefined : (checkedAt ?? undefined), dueAt: dueAt ?? new Date(0) },
        ]),
      );
    },
    async awaited(address, sources, now) {
      const rows = await tx
        .select({ source: scanTable.source })
        .from(scanTable)
        .where(
          and(
            ...[eq(scanTable.address, address), inArray(scanTable.source, sources), eq(scanTable.unsupported, false)],
            or(isNull(scanTable.checkedAt), lte(scanTable.dueAt, now)),
          ),
        );
      return rows.map(({ source }) => source);
    },
    async backlog(source, now) {
      const [row] = await tx
        .select({ due: count(), oldest: min(scanTable.dueAt) })
        .from(scanTable)
        .where(dueFor(source, now));
      return { due: row?.due ?? 0, oldest: row?.oldest ?? undefined };
    },
  };
}
