import { and, asc, eq, inArray, isNotNull, isNull, lte, min, or, type SQL, sql } from "drizzle-orm";
import { listed, rowsIn } from "../../../database/lists.ts";
import { rowsOf } from "../../../database/logical_dump.ts";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import { FOR_CONTACTS, READERS_REASONS } from "../../delivery/delivery.ts";
import type { DeliveryRepository } from "../../ports.ts";
import type { TriedDelivery } from "../../reporting/delivery_log_ports.ts";
import { claims } from "./delivery_claims.ts";
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

/** As an array, so that rows are looked up by id: for a join the planner would scan the whole table while it is small. */
const idsIn = (list: SQL, id: SQL) => sql`array(select (${id})::uuid from json_array_elements(${list}))`;

export function postgresDeliveries(tx: Database): DeliveryRepository {
  return {
    ...claims(tx),
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
      const number = (where: SQL | undefined) => tx.$count(deliveryTable, where);
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

    async returnSent(id, state, now) {
      const endedAt = state === "dead" ? now : null;
      const returned = await tx
        .update(deliveryTable)
        .set({ state, reason: "refused", runAt: now, turn: now, endedAt })
        .where(and(eq(deliveryTable.id, id), eq(deliveryTable.state, "sent")))
        .returning({ id: deliveryTable.id });
      return returned.length === 1;
    },

    async reviveDead(id, now) {
      const anew = { state: "due", reason: null, endedAt: null, attempts: 0, claims: 0, failingSince: null } as const;
      const kind = sql`${deliveryTable.about} ->> 'kind'`;
      const revived = await tx
        .update(deliveryTable)
        .set({ ...anew, runAt: now, turn: now })
        .where(and(eq(deliveryTable.id, id), eq(deliveryTable.state, "dead"), inArray(kind, FOR_CONTACTS)))
        .returning({ id: deliveryTable.id });
      return revived.length === 1;
    },

    async releaseHeld(reason, contactId, now) {
      const ofContact: SQL | undefined = contactId === undefined ? undefined : eq(deliveryTable.contactId, contactId);
      const due = { state: "due", reason: null } as const;
      const released = await tx
        .update(deliveryTable)
        .set({ ...due, runAt: now, turn: now, ...(READERS_REASONS.includes(reason) && { wantedAt: now }) })
        .where(and(eq(deliveryTable.state, "held"), eq(deliveryTable.reason, reason), ofContact))
        .returning({ id: deliveryTable.id });
      return released.length;
    },

    async resume(channel, now) {
      const held = and(eq(deliveryTable.state, "held"), eq(deliveryTable.reason, "misconfigured"));
      const waiting = and(eq(deliveryTable.state, "due"), eq(deliveryTable.reason, "retry"));
      const resumed = await tx
        .update(deliveryTable)
        .set({ state: "due", reason: null, runAt: now, turn: now, failingSince: null })
        .where(and(eq(deliveryTable.channel, channel), or(held, waiting)))
        .returning({ id: deliveryTable.id });
      return resumed.length;
    },

    async releaseHeldByChannel(channel, now, most) {
      const isHeld = and(
        eq(deliveryTable.state, "held"),
        eq(deliveryTable.reason, "misconfigured"),
        eq(deliveryTable.channel, channel),
        isNull(deliveryTable.failingSince),
      );
      const waiting = tx.select({ id: deliveryTable.id }).from(deliveryTable).where(isHeld).orderBy(deliveryTable.turn);
      const released = await tx
        .update(deliveryTable)
        .set({ state: "due", reason: null, runAt: now, turn: now })
        .where(and(isHeld, most === undefined ? undefined : inArray(deliveryTable.id, waiting.limit(most))))
        .returning({ id: deliveryTable.id });
      return released.length;
    },

    async addAttempt(attempt) {
      await tx.insert(attemptTable).values(attempt);
    },

    async startHeldAttempts(attempts) {
      if (attempts.length === 0) return [];
      const started = sql`${JSON.stringify(attempts)}::json`;
      const rows = await rowsOf<{ id: string }>(
        tx,
        sql`insert into ${attemptTable} (id, delivery_id, started_at) select attempt.id, held.id, attempt."startedAt"
          from json_to_recordset(${started}) as attempt(id uuid, "deliveryId" uuid, "startedAt" timestamptz, "leaseToken" uuid)
          join ${deliveryTable} as held on held.id = attempt."deliveryId" and held.lease_token = attempt."leaseToken"
          where held.id = any(${idsIn(started, sql`value->>'deliveryId'`)}) returning id`,
      );
      return rows.map(({ id }) => id);
    },

    async endAttempts(ends) {
      if (ends.length === 0) return;
      const ended = sql`${JSON.stringify(ends)}::json`;
      await tx.execute(
        sql`update ${attemptTable} as stored set ended_at = ended."endedAt", outcome = ended.outcome, detail = ended.detail
          from json_to_recordset(${ended}) as ended(id uuid, "endedAt" timestamptz, outcome text, detail text)
          where stored.id = any(${idsIn(ended, sql`value->>'id'`)}) and stored.id = ended.id`,
      );
    },

    async listAttempts(deliveryId) {
      const rows = await tx
        .select()
        .from(attemptTable)
        .where(eq(attemptTable.deliveryId, deliveryId))
        .orderBy(asc(attemptTable.startedAt), asc(attemptTable.id));
      return rows.map(withoutNulls);
    },

    async removeByAccount(accountId) {
      await tx.delete(deliveryTable).where(eq(deliveryTable.accountId, accountId));
    },

    async removeByAlert(accountId, alertId) {
      const about = eq(sql`${deliveryTable.about} ->> 'alertId'`, alertId);
      await tx.delete(deliveryTable).where(and(eq(deliveryTable.accountId, accountId), about));
    },

    async removeUnowned(before) {
      const { accountId, endedAt, createdAt } = deliveryTable;
      await tx.delete(deliveryTable).where(and(isNull(accountId), isNotNull(endedAt), lte(createdAt, before)));
    },

    async removeEnded(before, limit) {
      const removed = await rowsOf(
        tx,
        sql`delete from ${deliveryTable} where id in (
          select id from ${deliveryTable} as old
          where ended_at < ${before.toISOString()}::timestamptz and (contact_id is null or state <> 'sent' or exists (
            select 1 from ${deliveryTable} as newer
            where newer.contact_id = old.contact_id and newer.state = 'sent' and newer.ended_at > old.ended_at))
          order by ended_at limit ${limit}) returning 1`,
      );
      return removed.length;
    },
  };
}
