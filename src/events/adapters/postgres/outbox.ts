import { aliasedTable, and, asc, count, eq, inArray, isNull, lt, lte, min, or, sql } from "drizzle-orm";
import { bigint, boolean, index, integer, jsonb, pgSchema, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "../../../database/columns.ts";
import type { Database } from "../../../database/postgres.ts";
import type { Transaction } from "../../../shared/transaction.ts";
import { type Event, type EventPublisher, orderKeyOf } from "../../catalogue.ts";
import type { Outbox } from "../../outbox.ts";

export const eventsSchema = pgSchema("events");

export const outboxTable = eventsSchema.table(
  "outbox",
  {
    id: uuid("id").primaryKey(),
    // Publishing order is assigned by the database, as the clocks of several machines differ.
    position: bigint("position", { mode: "number" }).generatedAlwaysAsIdentity().notNull(),
    orderKey: text("order_key"),
    event: jsonb("event").$type<Event>().notNull(),
    doneBy: jsonb("done_by").$type<string[]>().notNull().default([]),
    attempts: integer("attempts").notNull().default(0),
    runAt: instant("run_at").notNull(),
    leaseToken: uuid("lease_token"),
    leaseUntil: instant("lease_until"),
    lastError: text("last_error"),
    publishedAt: instant("published_at"),
  },
  (table) => [index("outbox_run_at").on(table.runAt), index("outbox_order").on(table.orderKey, table.position)],
);

/** Unsolicited mails of the last week; mailboxes and requesters are stored as keyed hashes only. */
export const strangerMailTable = eventsSchema.table(
  "stranger_mail",
  {
    id: uuid("id").primaryKey(),
    mailbox: text("mailbox").notNull(),
    asker: text("asker"),
    network: text("network"),
    claimed: boolean("claimed").notNull(),
    at: instant("at").notNull(),
  },
  (table) => [
    index("stranger_mail_mailbox").on(table.mailbox, table.at),
    index("stranger_mail_asker").on(table.asker, table.at),
    index("stranger_mail_network").on(table.network, table.at),
    index("stranger_mail_at").on(table.at),
  ],
);

/** The publisher of a store: it writes in the store's transaction, due immediately by the dispatcher's clock. */
export function postgresEvents(transaction: Database, now: () => Date): EventPublisher {
  return {
    async publish(...events) {
      if (events.length === 0) return;
      const rows = events.map((event) => ({ id: Bun.randomUUIDv7(), orderKey: orderKeyOf(event) ?? null, event }));
      const at = sql`${now().toISOString()}::timestamptz`;
      // One parameter for any number of rows.
      await transaction.execute(sql`insert into ${outboxTable} (id, order_key, event, run_at, published_at)
        select id, "orderKey", event, ${at}, ${at}
        from json_to_recordset(${JSON.stringify(rows)}::json) as row(id uuid, "orderKey" text, event jsonb)`);
    },
  };
}

/** The dispatcher's side of the outbox. */
export function postgresOutbox(transaction: Transaction<Database>): Outbox {
  const held = (id: string, leaseToken: string) => and(eq(outboxTable.id, id), eq(outboxTable.leaseToken, leaseToken));
  return {
    claim: (limit, now, leaseMs, { type, orderKey } = {}) =>
      transaction(async (tx) => {
        const earlier = aliasedTable(outboxTable, "earlier");
        // A scalar subquery rather than "not exists", which a planner without statistics turns into a join of all rows.
        const first = tx
          .select({ position: min(earlier.position) })
          .from(earlier)
          .where(eq(earlier.orderKey, outboxTable.orderKey));
        const isNext = or(isNull(outboxTable.orderKey), eq(outboxTable.position, first));
        const isFree = or(isNull(outboxTable.leaseUntil), lt(outboxTable.leaseUntil, now));
        const isWanted = and(
          type === undefined ? undefined : sql`${outboxTable.event}->>'type' = ${type}`,
          orderKey === undefined ? undefined : eq(outboxTable.orderKey, orderKey),
        );
        // The row lock materialises it, so that the limit holds with every plan.
        const due = tx.$with("due").as(
          tx
            .select({ id: outboxTable.id })
            .from(outboxTable)
            .where(and(lte(outboxTable.runAt, now), isFree, isNext, isWanted))
            .orderBy(asc(outboxTable.runAt), asc(outboxTable.position))
            .limit(limit)
            .for("update", { skipLocked: true }),
        );
        const claimed = await tx
          .with(due)
          .update(outboxTable)
          .set({
            attempts: sql`${outboxTable.attempts} + 1`,
            leaseToken: sql`gen_random_uuid()`,
            leaseUntil: new Date(now.getTime() + leaseMs),
          })
          .where(inArray(outboxTable.id, tx.select({ id: due.id }).from(due)))
          .returning();
        return claimed
          .sort((a, b) => a.position - b.position)
          .map(({ id, event, doneBy, attempts, leaseToken }) => ({
            id,
            event,
            doneBy,
            attempts,
            leaseToken: leaseToken ?? "",
          }));
      }),
    waits: (orderKey) =>
      transaction(async (tx) => {
        const ofKey = tx.select({ id: outboxTable.id }).from(outboxTable).where(eq(outboxTable.orderKey, orderKey));
        return (await ofKey.limit(1)).length > 0;
      }),
    markDone: (id, leaseToken, subscriber) =>
      transaction(async (tx) => {
        const doneBy = sql`${outboxTable.doneBy} || ${JSON.stringify([subscriber])}::jsonb`;
        const rows = await tx
          .update(outboxTable)
          .set({ doneBy })
          .where(held(id, leaseToken))
          .returning({ id: outboxTable.id });
        return rows.length === 1;
      }),
    remove: (list) =>
      transaction(async (tx) => {
        const claims = JSON.stringify(list.map(({ id, leaseToken }) => ({ id, token: leaseToken })));
        await tx.execute(sql`delete from ${outboxTable} as stored
          using json_to_recordset(${claims}::json) as claim(id uuid, token uuid)
          where stored.id = claim.id and stored.lease_token = claim.token`);
      }),
    retryAt: (id, leaseToken, runAt, error) =>
      transaction(async (tx) => {
        await tx
          .update(outboxTable)
          .set({ runAt, leaseToken: null, leaseUntil: null, lastError: error.slice(0, 500).replaceAll("\0", "") })
          .where(held(id, leaseToken));
      }),
    backlog: () =>
      transaction(async (tx) => {
        const [row] = await tx.select({ waiting: count(), oldest: min(outboxTable.runAt) }).from(outboxTable);
        return { waiting: row?.waiting ?? 0, oldest: row?.oldest ?? undefined };
      }),
    hasOlderThan: (at) =>
      transaction(async (tx) => {
        const isOlder = or(isNull(outboxTable.publishedAt), lt(outboxTable.publishedAt, at));
        return (await tx.select({ id: outboxTable.id }).from(outboxTable).where(isOlder).limit(1)).length > 0;
      }),
  };
}
