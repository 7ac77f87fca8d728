import { and, asc, count, eq, inArray, isNull, lt, lte, min, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../database/postgres.ts";
import type { ClaimedScan, ScanRepository } from "../ports.ts";
import { scanTable, sourceTable } from "./tables.ts";

/** Due by time, or checked under an older catalogue than the source's. */
function dueFor(source: string, now: Date): SQL | undefined {
  const generation = sql`coalesce((select ${sourceTable.generation} from ${sourceTable} where ${eq(sourceTable.source, source)}), 0)`;
  return or(lte(scanTable.dueAt, now), sql`${scanTable.generation} < ${generation}`);
}

export function postgresScans(tx: Database): ScanRepository {
  const held = (scan: ClaimedScan) =>
    and(eq(scanTable.address, scan.address), eq(scanTable.leaseToken, scan.leaseToken));
  return {
    async add(address, now) {
      await tx
        .insert(scanTable)
        .values({ address, dueAt: now })
        .onConflictDoUpdate({
          target: scanTable.address,
          set: { dueAt: now, request: sql`${scanTable.request} + 1`, retryAt: null },
        });
    },
    async remove(address) {
      await tx.delete(scanTable).where(eq(scanTable.address, address));
    },
    async claimDue(source, limit, now, leaseMs) {
      const due = tx
        .select({ address: scanTable.address })
        .from(scanTable)
        .where(
          and(
            dueFor(source, now),
            or(isNull(scanTable.retryAt), lte(scanTable.retryAt, now)),
            or(isNull(scanTable.leaseUntil), lt(scanTable.leaseUntil, now)),
          ),
        )
        .orderBy(sql`${scanTable.checkedAt} asc nulls first`, asc(scanTable.address))
        .limit(limit)
        .for("update", { skipLocked: true });
      const rows = await tx
        .update(scanTable)
        .set({ leaseToken: sql`gen_random_uuid()`, leaseUntil: new Date(now.getTime() + leaseMs) })
        .where(inArray(scanTable.address, due))
        .returning();
      const [state] = await tx
        .select({ generation: sourceTable.generation })
        .from(sourceTable)
        .where(eq(sourceTable.source, source));
      return rows
        .sort(
          (a, b) => (a.checkedAt?.getTime() ?? 0) - (b.checkedAt?.getTime() ?? 0) || (a.address < b.address ? -1 : 1),
        )
        .map(({ address, request, failures, leaseToken }) => ({
          ...{ address, request, failures, leaseToken: leaseToken ?? "" },
          generation: state?.generation ?? 0,
        }));
    },
    async finish(scan, checkedAt, nextAt) {
      const finished = await tx
        .update(scanTable)
        .set({
          checkedAt,
          generation: scan.generation,
          dueAt: sql`case when ${scanTable.request} = ${scan.request} then ${nextAt.toISOString()}::timestamptz else ${scanTable.dueAt} end`,
          ...{ failures: 0, retryAt: null, leaseToken: null, leaseUntil: null },
        })
        .where(held(scan))
        .returning({ address: scanTable.address });
      return finished.length === 1;
    },
    async release(scan, retryAt, failed) {
      const failures = failed ? sql`${scanTable.failures} + 1` : scanTable.failures;
      await tx
        .update(scanTable)
        .set({ retryAt, failures: sql`${failures}`, leaseToken: null, leaseUntil: null })
        .where(held(scan));
    },
    async timesOf(addresses) {
      if (addresses.length === 0) return new Map();
      const rows = await tx.select().from(scanTable).where(inArray(scanTable.address, addresses));
      return new Map(
        rows.map(({ address, checkedAt, dueAt }) => [address, { checkedAt: checkedAt ?? undefined, dueAt }]),
      );
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
