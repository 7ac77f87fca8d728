import { and, asc, count, eq, gt, inArray, isNull, lt, lte, min, ne, or, sql } from "drizzle-orm";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { EventLogRepository, SinkRepository } from "../../event_log_ports.ts";
import { eventLogTable, eventSinkTable } from "./tables.ts";

const MICROS = 1000;

export function postgresEventLog(tx: Database): EventLogRepository {
  const log = eventLogTable;
  return {
    async append(events, now) {
      if (events.length === 0) return;
      // A lock is released after its commit is visible, so whoever sees a position sees all positions before it.
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('operations:event_log', 0))`);
      const rows = events.map(({ at, ...event }, place) => ({ ...event, at: at.toISOString(), place: place + 1 }));
      // One parameter for any number of rows.
      await tx.execute(sql`insert into ${log} (position, id, type, at, account_id, actor_id, about)
        select greatest((select max(position) from ${log}), ${now.getTime() * MICROS}::bigint) + place, id, type, at,
          "accountId", "actorId", about
        from json_to_recordset(${JSON.stringify(rows)}::json)
          as row(place integer, id uuid, type text, at timestamptz, "accountId" uuid, "actorId" uuid, about jsonb)
        on conflict (id) do nothing`);
    },
    async list({ accountId }, after, limit) {
      const own = accountId === undefined ? undefined : eq(log.accountId, accountId);
      const found = await tx
        .select()
        .from(log)
        .where(and(own, gt(log.position, after)))
        .orderBy(asc(log.position))
        .limit(limit);
      return found.map(withoutNulls);
    },
    async countAfter(position) {
      const found = tx.select({ waiting: count(), oldest: min(log.at) }).from(log);
      const [row] = await found.where(gt(log.position, position));
      return { waiting: row?.waiting ?? 0, oldest: row?.oldest ?? undefined };
    },
    async forget(accountIds) {
      const own = inArray(log.accountId, accountIds);
      await tx.delete(log).where(and(own, ne(log.type, "staff.acted")));
      await tx.update(log).set({ accountId: null }).where(own);
      await tx.update(log).set({ actorId: null }).where(inArray(log.actorId, accountIds));
    },
    async removeBefore(before) {
      await tx.delete(log).where(lt(log.position, before.getTime() * MICROS));
    },
  };
}

export function postgresSinks(tx: Database): SinkRepository {
  const sinks = eventSinkTable;
  const { position, failures, trouble } = sinks;
  const state = { position, failures, trouble };
  return {
    async claim(name, now, until) {
      await tx.insert(sinks).values({ name }).onConflictDoNothing();
      const isFree = or(isNull(sinks.claimedUntil), lte(sinks.claimedUntil, now));
      const [row] = await tx
        .update(sinks)
        .set({ claimedUntil: until })
        .where(and(eq(sinks.name, name), isFree))
        .returning(state);
      return withoutNulls(row);
    },
    async advance(name, position, until) {
      await tx
        .update(sinks)
        .set({
          position: sql`greatest(${sinks.position}, ${position}::bigint)`,
          claimedUntil: until,
          failures: 0,
          trouble: null,
        })
        .where(eq(sinks.name, name));
    },
    async fail(name, trouble, until) {
      await tx
        .update(sinks)
        .set({ failures: sql`${sinks.failures} + 1`, trouble, claimedUntil: until })
        .where(eq(sinks.name, name));
    },
    async release(name) {
      await tx.update(sinks).set({ claimedUntil: null }).where(eq(sinks.name, name));
    },
    async list() {
      return (
        await tx
          .select({ name: sinks.name, ...state })
          .from(sinks)
          .orderBy(asc(sinks.name))
      ).map(withoutNulls);
    },
  };
}
