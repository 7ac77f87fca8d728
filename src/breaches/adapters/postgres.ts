import { and, asc, count, eq, inArray, isNull, lt, lte, min, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../database/postgres.ts";
import type { EventPublisher } from "../../events/catalogue.ts";
import type {
  BreachRepository,
  BreachStore,
  ClaimedScan,
  RateBudget,
  ScanRepository,
  SourceRepository,
  WatchRepository,
} from "../ports.ts";
import { postgresAlerts } from "./postgres_alerts.ts";
import { breachTable, budgetTable, scanTable, sourceTable, watchTable } from "./tables.ts";

export * from "./tables.ts";

const CHUNK = 200;

export function postgresBreaches(tx: Database, events: EventPublisher): BreachStore {
  return {
    events,
    breaches: breaches(tx),
    sources: sources(tx),
    scans: scans(tx),
    watches: watches(tx),
    alerts: postgresAlerts(tx),
  };
}

function breaches(tx: Database): BreachRepository {
  return {
    async hashes(source) {
      const rows = await tx
        .select({ name: breachTable.name, hash: breachTable.hash })
        .from(breachTable)
        .where(and(eq(breachTable.source, source), isNull(breachTable.removedAt)));
      return new Map(rows.map(({ name, hash }) => [name, hash]));
    },
    async find(name) {
      const [row] = await tx.select({ breach: breachTable.breach }).from(breachTable).where(eq(breachTable.name, name));
      return row?.breach;
    },
    async listByNames(names) {
      if (names.length === 0) return [];
      const rows = await tx
        .select({ breach: breachTable.breach })
        .from(breachTable)
        .where(inArray(breachTable.name, names));
      return rows.map(({ breach }) => breach);
    },
    async put(source, list, now) {
      // Small statements: PGlite runs on the thread that serves requests.
      for (let start = 0; start < list.length; start += CHUNK) {
        const rows = list.slice(start, start + CHUNK).map(({ breach, hash }) => ({
          ...{ name: breach.name, source, title: breach.title, addedDate: breach.addedDate, pwnCount: breach.pwnCount },
          ...{ breach, hash, changedAt: now, removedAt: null },
        }));
        await tx
          .insert(breachTable)
          .values(rows)
          .onConflictDoUpdate({
            target: breachTable.name,
            set: {
              source: sql`excluded.source`,
              title: sql`excluded.title`,
              addedDate: sql`excluded.added_date`,
              pwnCount: sql`excluded.pwn_count`,
              breach: sql`excluded.breach`,
              hash: sql`excluded.hash`,
              changedAt: sql`excluded.changed_at`,
              removedAt: null,
            },
          });
      }
    },
    async markRemoved(source, names, now) {
      if (names.length === 0) return;
      await tx
        .update(breachTable)
        .set({ removedAt: now })
        .where(and(eq(breachTable.source, source), inArray(breachTable.name, names)));
    },
    async count() {
      const [row] = await tx.select({ count: count() }).from(breachTable);
      return row?.count ?? 0;
    },
  };
}

function sources(tx: Database): SourceRepository {
  return {
    async find(source) {
      const [row] = await tx.select().from(sourceTable).where(eq(sourceTable.source, source));
      return {
        source,
        latestName: row?.latestName ?? undefined,
        latestAdded: row?.latestAdded ?? undefined,
        generation: row?.generation ?? 0,
        syncedAt: row?.syncedAt ?? undefined,
        checkedAt: row?.checkedAt ?? undefined,
        trouble: row?.trouble ?? undefined,
      };
    },
    async claimPoll(source, now, nextPollAt) {
      const claimed = await tx
        .insert(sourceTable)
        .values({ source, nextPollAt })
        .onConflictDoUpdate({
          target: sourceTable.source,
          set: { nextPollAt },
          setWhere: lte(sourceTable.nextPollAt, now),
        })
        .returning({ source: sourceTable.source });
      return claimed.length === 1;
    },
    async save({ source, generation, ...state }) {
      const values = {
        generation,
        latestName: state.latestName ?? null,
        latestAdded: state.latestAdded ?? null,
        syncedAt: state.syncedAt ?? null,
        checkedAt: state.checkedAt ?? null,
        trouble: state.trouble ?? null,
      };
      await tx
        .insert(sourceTable)
        .values({ source, ...values, nextPollAt: new Date(0) })
        .onConflictDoUpdate({
          target: sourceTable.source,
          set: { ...values, generation: sql`greatest(${sourceTable.generation}, excluded.generation)` },
        });
    },
  };
}

/** Due by time, or checked under an older catalogue than the source's. */
function dueFor(source: string, now: Date): SQL | undefined {
  const generation = sql`coalesce((select ${sourceTable.generation} from ${sourceTable} where ${eq(sourceTable.source, source)}), 0)`;
  return or(lte(scanTable.dueAt, now), sql`${scanTable.generation} < ${generation}`);
}

function scans(tx: Database): ScanRepository {
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

function watches(tx: Database): WatchRepository {
  const watchOf = ({ baselineAt, ...watch }: typeof watchTable.$inferSelect) => ({
    ...watch,
    baselineAt: baselineAt ?? undefined,
  });
  return {
    async add(watch) {
      await tx.insert(watchTable).values(watch).onConflictDoNothing();
    },
    async remove(associationId) {
      await tx.delete(watchTable).where(eq(watchTable.associationId, associationId));
    },
    async setSuspended(associationId, suspended) {
      const set = await tx
        .update(watchTable)
        .set({ suspended })
        .where(eq(watchTable.associationId, associationId))
        .returning({ associationId: watchTable.associationId });
      return set.length === 1;
    },
    async listActive(address) {
      const active = and(eq(watchTable.address, address), eq(watchTable.suspended, false));
      return (await tx.select().from(watchTable).where(active)).map(watchOf);
    },
    async countAll(address) {
      const [row] = await tx.select({ count: count() }).from(watchTable).where(eq(watchTable.address, address));
      return row?.count ?? 0;
    },
    async find(associationId) {
      const [row] = await tx.select().from(watchTable).where(eq(watchTable.associationId, associationId));
      return row && watchOf(row);
    },
    async markBaseline(associationId, now) {
      const marked = await tx
        .update(watchTable)
        .set({ baselineAt: now })
        .where(and(eq(watchTable.associationId, associationId), isNull(watchTable.baselineAt)))
        .returning({ associationId: watchTable.associationId });
      return marked.length === 1;
    },
  };
}

/** The shared rate of a source; one conditional write hands out each slot once. */
export function postgresRateBudget(
  transaction: <T>(work: (tx: Database) => Promise<T>) => Promise<T>,
  now: () => Date,
): RateBudget {
  return {
    take: (source, intervalMs) =>
      transaction(async (tx) => {
        const at = now();
        const next = new Date(at.getTime() + intervalMs);
        const taken = await tx
          .insert(budgetTable)
          .values({ source, nextSlotAt: next })
          .onConflictDoUpdate({
            target: budgetTable.source,
            set: { nextSlotAt: next },
            setWhere: lte(budgetTable.nextSlotAt, at),
          })
          .returning({ source: budgetTable.source });
        if (taken.length === 1) return 0;
        const [row] = await tx.select().from(budgetTable).where(eq(budgetTable.source, source));
        return Math.max(1, (row?.nextSlotAt.getTime() ?? 0) - at.getTime());
      }),
    pause: (source, until) =>
      transaction(async (tx) => {
        await tx
          .insert(budgetTable)
          .values({ source, nextSlotAt: until })
          .onConflictDoUpdate({
            target: budgetTable.source,
            set: { nextSlotAt: sql`greatest(${budgetTable.nextSlotAt}, excluded.next_slot_at)` },
          });
      }),
  };
}
