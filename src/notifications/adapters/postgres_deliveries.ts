import { and, asc, count, eq, inArray, isNotNull, lte, max, min, type SQL, sql } from "drizzle-orm";
import { listed, rowsIn } from "../../database/lists.ts";
import type { Database } from "../../database/postgres.ts";
import { rowsOf } from "../../database/snapshot.ts";
import { SUSPECT_CLAIMS } from "../delivery.ts";
import type { TriedDelivery } from "../ledger_ports.ts";
import type { Delivery, DeliveryRepository } from "../ports.ts";
import { attemptOf, attempts } from "./postgres_attempts.ts";
import { removals } from "./postgres_delivery_removals.ts";
import { returns } from "./postgres_delivery_returns.ts";
import { attemptTable, deliveryTable } from "./tables.ts";

type Row = typeof deliveryTable.$inferSelect;

/** Small statements: PGlite runs on the thread that serves requests. */
const CHUNK = 100;

export function deliveryOf({ channel, value, ...row }: Row): Delivery {
  return {
    ...row,
    recipient: { channel, value },
    contactId: row.contactId ?? undefined,
    accountId: row.accountId ?? undefined,
    sealed: row.sealed ?? undefined,
    notAfter: row.notAfter ?? undefined,
    reason: row.reason ?? undefined,
    endedAt: row.endedAt ?? undefined,
    failingSince: row.failingSince ?? undefined,
    providerId: row.providerId ?? undefined,
    receipt: row.receipt ?? undefined,
    acknowledgedAt: row.acknowledgedAt ?? undefined,
    wantedAt: row.wantedAt ?? undefined,
    gatheredIn: row.gatheredIn ?? undefined,
    leaseToken: row.leaseToken ?? undefined,
    leaseUntil: row.leaseUntil ?? undefined,
  };
}

function rowOf({ recipient, ...delivery }: Delivery): Row {
  return {
    ...delivery,
    channel: recipient.channel,
    value: recipient.value,
    contactId: delivery.contactId ?? null,
    accountId: delivery.accountId ?? null,
    sealed: delivery.sealed ?? null,
    notAfter: delivery.notAfter ?? null,
    reason: delivery.reason ?? null,
    endedAt: delivery.endedAt ?? null,
    failingSince: delivery.failingSince ?? null,
    providerId: delivery.providerId ?? null,
    receipt: delivery.receipt ?? null,
    acknowledgedAt: delivery.acknowledgedAt ?? null,
    wantedAt: delivery.wantedAt ?? null,
    gatheredIn: delivery.gatheredIn ?? null,
    leaseToken: delivery.leaseToken ?? null,
    leaseUntil: delivery.leaseUntil ?? null,
  };
}

const inOrder = [asc(deliveryTable.lane), asc(deliveryTable.turn), asc(deliveryTable.id)];

/** Rows of the ledger, each with its attempts. */
export async function withTries(tx: Database, rows: (typeof deliveryTable.$inferSelect)[]): Promise<TriedDelivery[]> {
  const ids = rows.map(({ id }) => id);
  const tried = await tx
    .select()
    .from(attemptTable)
    .where(inArray(attemptTable.deliveryId, ids))
    .orderBy(asc(attemptTable.startedAt), asc(attemptTable.id));
  const triesOf = Map.groupBy(tried.map(attemptOf), ({ deliveryId }) => deliveryId);
  return rows.map((row) => ({ ...deliveryOf(row), tries: triesOf.get(row.id) ?? [] }));
}

export function postgresDeliveries(tx: Database): DeliveryRepository {
  /**
   * What a dead worker left behind is due again. It may have been sent already. Of what several died with one at a time:
   * the others stay as they are until it has ended.
   */
  async function takeBack(at: Date): Promise<void> {
    const now = sql`${at.toISOString()}::timestamptz`;
    const isTried = sql`select 1 from ${deliveryTable}
      where state = 'sending' and lease_until >= ${now} and claims > ${SUSPECT_CLAIMS}`;
    await tx.execute(sql`
      with left_behind as materialized (select id, claims, lane, lease_until from ${deliveryTable}
        where state = 'sending' and lease_until < ${now} for update skip locked),
      suspect as (select id from left_behind where claims >= ${SUSPECT_CLAIMS} and not exists (${isTried})
        order by lane, lease_until, id limit 1)
      update ${deliveryTable} set state = 'due', in_doubt = true, lease_token = null, lease_until = null
        where id in (select id from left_behind where claims < ${SUSPECT_CLAIMS} union all select id from suspect)`);
  }

  return {
    ...removals(tx),
    ...returns(tx),
    ...attempts(tx),
    async addMissing(deliveries) {
      const added: string[] = [];
      for (let start = 0; start < deliveries.length; start += CHUNK) {
        const { columns, rows } = rowsIn(deliveryTable, deliveries.slice(start, start + CHUNK).map(rowOf));
        const inserted = await rowsOf<{ id: string }>(
          tx,
          sql`insert into ${deliveryTable} (${columns}) select ${columns} from ${rows} on conflict do nothing returning id`,
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

    async lastTurns(accountIds, lane) {
      // Of all lanes: by lane a planner who saw the queue empty, as it mostly is, would go through the whole of a full one.
      const rows = await tx
        .select({ accountId: deliveryTable.accountId, lane: deliveryTable.lane, turn: max(deliveryTable.turn) })
        .from(deliveryTable)
        .where(and(sql`${deliveryTable.accountId} = any(${listed(accountIds, "uuid")})`, sql`state = 'due'`))
        .groupBy(deliveryTable.accountId, deliveryTable.lane);
      const theirs = rows.filter((row) => row.lane === lane);
      return new Map(theirs.flatMap(({ accountId, turn }) => (accountId && turn ? [[accountId, turn]] : [])));
    },

    async listKnownSubjects(subjects) {
      if (subjects.length === 0) return [];
      const rows = await tx
        .selectDistinct({ subject: deliveryTable.subject })
        .from(deliveryTable)
        .where(sql`${deliveryTable.subject} = any(${listed(subjects)})`);
      return rows.map(({ subject }) => subject);
    },

    async claimDue(channels, limit, now, leaseUntil, lastLane) {
      await takeBack(now);
      // Materialised by its lock, so that the limit holds whatever the planner does.
      const due = tx.$with("due").as(
        tx
          .select({ id: deliveryTable.id })
          .from(deliveryTable)
          .where(
            and(
              eq(deliveryTable.state, "due"),
              lte(deliveryTable.runAt, now),
              inArray(deliveryTable.channel, channels),
              lastLane === undefined ? undefined : lte(deliveryTable.lane, lastLane),
            ),
          )
          .orderBy(...inOrder)
          .limit(limit)
          .for("update", { skipLocked: true }),
      );
      const claimed = await tx
        .with(due)
        .update(deliveryTable)
        .set({
          state: "sending",
          claims: sql`${deliveryTable.claims} + 1`,
          leaseToken: sql`gen_random_uuid()`,
          leaseUntil,
        })
        .where(inArray(deliveryTable.id, tx.select({ id: due.id }).from(due)))
        .returning();
      return claimed
        .map(deliveryOf)
        .sort((one, other) => one.lane - other.lane || one.turn.getTime() - other.turn.getTime());
    },

    async replaceClaimed(leaseToken, delivery) {
      const held = and(eq(deliveryTable.id, delivery.id), eq(deliveryTable.leaseToken, leaseToken));
      const replaced = await tx
        .update(deliveryTable)
        .set(rowOf(delivery))
        .where(held)
        .returning({ id: deliveryTable.id });
      return replaced.length === 1;
    },

    async replaceAllClaimed(claims) {
      if (claims.length === 0) return [];
      const { columns, rows } = rowsIn(
        deliveryTable,
        claims.map(({ delivery }) => rowOf(delivery)),
      );
      const held = JSON.stringify(claims.map(({ leaseToken, delivery: { id } }) => ({ id, token: leaseToken })));
      const replaced = await rowsOf<{ id: string }>(
        tx,
        sql`update ${deliveryTable} as stored set (${columns}) = (select ${columns} from (select next.*) as one)
          from ${rows} as next join json_to_recordset(${held}::json) as claim(id uuid, token uuid) using (id)
          where stored.id = next.id and stored.lease_token = claim.token returning stored.id`,
      );
      return replaced.map(({ id }) => id);
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
      // One count per partial index: the ledger itself only grows.
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
        oldestDueAt: oldest?.at ?? undefined,
        held: await number(sql`state = 'held'`),
        dead: await number(sql`state = 'dead'`),
        inDoubt: await number(sql`in_doubt`),
      };
    },
  };
}
