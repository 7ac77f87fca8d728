import { and, asc, count, eq, inArray, isNotNull, lte, min, type SQL, sql } from "drizzle-orm";
import { listed, rowsIn } from "../../../database/lists.ts";
import { rowsOf } from "../../../database/logical_dump.ts";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { DeliveryRepository } from "../../ports.ts";
import type { TriedDelivery } from "../../reporting/delivery_log_ports.ts";
import { attempts } from "./attempts.ts";
import { claims } from "./delivery_claims.ts";
import { removals } from "./delivery_removals.ts";
import { returns } from "./delivery_returns.ts";
import { deliveryOf, rowOf } from "./delivery_rows.ts";
import { attemptTable, deliveryTable } from "./tables.ts";

/** Small statements, as PGlite runs on the thread that serves requests. */
const CHUNK = 250;

/** Deliveries with their attempts. */
export async function withTries(tx: Database, rows: (typeof deliveryTable.$inferSelect)[]): Promise<TriedDelivery[]> {
  const ids = rows.map(({ id }) => id);
  const tried = await tx
    .select()
    .from(attemptTable)
    .where(inArray(attemptTable.deliveryId, ids))
    .orderBy(asc(attemptTable.startedAt), asc(attemptTable.id));
  const triesOf = Map.groupBy(tried.map(withoutNulls), ({ deliveryId }) => deliveryId);
  return rows.map((row) => ({ ...deliveryOf(row), tries: triesOf.get(row.id) ?? [] }));
}

export function postgresDeliveries(tx: Database): DeliveryRepository {
  return {
    ...claims(tx),
    ...removals(tx),
    ...returns(tx),
    ...attempts(tx),
    async addMissing(deliveries) {
      const added: string[] = [];
      for (let start = 0; start < deliveries.length; start += CHUNK) {
        const { columns, rows } = rowsIn(deliveryTable, deliveries.slice(start, start + CHUNK).map(rowOf));
        const inserted = await rowsOf<{ id: string }>(
          tx,
          sql`insert into ${deliveryTable} (${columns}) select ${columns} from ${rows} as new on conflict do nothing returning id`,
        );
        added.push(...inserted.map(({ id }) => id));
      }
      return added;
    },

    async find(id) {
      const [row] = await tx.select().from(deliveryTable).where(eq(deliveryTable.id, id));
      return row && deliveryOf(row);
    },

    async listBySubject(subject) {
      const rows = await tx
        .select()
        .from(deliveryTable)
        .where(eq(deliveryTable.subject, subject))
        .orderBy(asc(deliveryTable.createdAt), asc(deliveryTable.id));
      return rows.map(deliveryOf);
    },

    async lastQueuePositions(accountIds, lane) {
      // One by one, and with a state that the planner cannot foresee: without statistics, or with those of an empty queue, it
      // would otherwise scan a full queue or the whole table.
      const rows = await rowsOf<{ accountId: string; turn: string | Date }>(
        tx,
        sql`select wanted as "accountId", last.turn from unnest(${listed(accountIds, "uuid")}) as wanted
          cross join (select 'due' as state offset 0) as queue join lateral (
            select turn from ${deliveryTable} as waiting
            where account_id = wanted and waiting.state = queue.state and lane = ${lane} order by turn desc limit 1
          ) as last on true`,
      );
      return new Map(rows.map(({ accountId, turn }) => [accountId, new Date(turn)]));
    },

    async hasFailing(accountId, lane) {
      const failing = and(
        eq(deliveryTable.accountId, accountId),
        eq(deliveryTable.state, "due"),
        eq(deliveryTable.lane, lane),
        isNotNull(deliveryTable.failingSince),
      );
      return (await tx.select({ id: deliveryTable.id }).from(deliveryTable).where(failing).limit(1)).length > 0;
    },

    async listKnownSubjects(subjects) {
      if (subjects.length === 0) return [];
      // One by one in the order of the index: without statistics the planner would scan the whole table for a list of them.
      const rows = await rowsOf<{ subject: string }>(
        tx,
        sql`select wanted as subject from unnest(${listed([...new Set(subjects)])}) as wanted join lateral (
            select 1 from ${deliveryTable} where subject = wanted order by channel, value limit 1
          ) as known on true`,
      );
      return rows.map(({ subject }) => subject);
    },

    async expire(now) {
      const past = and(
        isNotNull(deliveryTable.notAfter),
        lte(deliveryTable.notAfter, now),
        inArray(deliveryTable.state, ["due", "held"]),
      );
      return tx
        .update(deliveryTable)
        .set({ state: "cancelled", reason: "expired", endedAt: now, sealed: null })
        .where(past)
        .returning({ id: deliveryTable.id, channel: deliveryTable.channel });
    },

    async listByAccount(accountId, offset, limit) {
      const rows = await tx
        .select()
        .from(deliveryTable)
        .where(eq(deliveryTable.accountId, accountId))
        .orderBy(asc(deliveryTable.createdAt), asc(deliveryTable.id))
        .offset(offset)
        .limit(limit);
      return withTries(tx, rows);
    },

    async backlog(now) {
      // One count per partial index, as the table itself only grows.
      const number = async (where: SQL | undefined) => {
        const [row] = await tx.select({ count: count() }).from(deliveryTable).where(where);
        return row?.count ?? 0;
      };
      const isDue = and(sql`state = 'due'`, lte(deliveryTable.runAt, now));
      const [oldest] = await tx
        .select({ at: min(deliveryTable.runAt) })
        .from(deliveryTable)
        .where(isDue);
      return {
        due: await number(isDue),
        retrying: await number(sql`state = 'due' and reason is not null`),
        oldestDueAt: oldest?.at ?? undefined,
        held: await number(sql`state = 'held'`),
        dead: await number(sql`state = 'dead'`),
        inDoubt: await number(sql`in_doubt`),
      };
    },
  };
}
