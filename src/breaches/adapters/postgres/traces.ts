import { and, eq, lte, notExists, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import type { Trace, TraceKey, TraceRepository } from "../../ports.ts";
import { traceTable, watchTable } from "./tables.ts";

type Row = typeof traceTable.$inferSelect;

const isOf = ({ accountId, address }: TraceKey) =>
  and(eq(traceTable.accountId, accountId), eq(traceTable.address, address));

function traceOf({ accountId, address, againAt, done, askedAt, pastes, sites, sitesRefused }: Row): Trace {
  const answer = askedAt && {
    askedAt,
    pastes: pastes ?? undefined,
    sites: sites ?? undefined,
    sitesRefused,
  };
  return { accountId, address, againAt, done, answer: answer ?? undefined };
}

export function postgresTraces(tx: Database): TraceRepository {
  return {
    async find(accountId, address) {
      const [row] = await tx.select().from(traceTable).where(isOf({ accountId, address }));
      return row && traceOf(row);
    },
    async list(accountId) {
      const rows = await tx.select().from(traceTable).where(eq(traceTable.accountId, accountId));
      return rows.map(traceOf);
    },
    async claim({ accountId, address }, now, until) {
      const claimed = await tx
        .insert(traceTable)
        .values({ accountId, address, againAt: until })
        .onConflictDoUpdate({
          target: [traceTable.accountId, traceTable.address],
          set: { againAt: until },
          setWhere: lte(traceTable.againAt, now),
        })
        .returning({ address: traceTable.address });
      if (claimed.length > 0) return undefined;
      const [row] = await tx
        .select({ againAt: traceTable.againAt })
        .from(traceTable)
        .where(isOf({ accountId, address }));
      return row?.againAt ?? until;
    },
    async postpone(key, againAt) {
      await tx.update(traceTable).set({ againAt }).where(isOf(key));
    },
    async keep(key, { askedAt, pastes = null, sites = null, sitesRefused }, againAt) {
      const stillDone = sql`array(select ticked from unnest(${traceTable.done}) as ticked
        where ${JSON.stringify(sites ?? [])}::jsonb ? ticked)`;
      await tx
        .update(traceTable)
        .set({ askedAt, pastes, sites, sitesRefused, againAt, done: stillDone })
        .where(isOf(key));
    },
    async tick(key, site, done) {
      const others = sql`array_remove(${traceTable.done}, ${site}::text)`;
      const ticked = await tx
        .update(traceTable)
        .set({ done: done ? sql`array_append(${others}, ${site}::text)` : others })
        .where(and(isOf(key), sql`${site}::text = any(${traceTable.sites})`))
        .returning({ address: traceTable.address });
      return ticked.length > 0;
    },
    async remove(accountId, address) {
      const own = eq(traceTable.accountId, accountId);
      await tx.delete(traceTable).where(address === undefined ? own : and(own, eq(traceTable.address, address)));
    },
    async removeUnwatched(address) {
      const watched = tx
        .select({ id: watchTable.associationId })
        .from(watchTable)
        .where(eq(watchTable.address, address));
      await tx.delete(traceTable).where(and(eq(traceTable.address, address), notExists(watched)));
    },
  };
}
