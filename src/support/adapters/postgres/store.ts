import { and, asc, count, desc, eq, inArray, like, lte, type SQL, sql } from "drizzle-orm";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { EventPublisher } from "../../../events/catalogue.ts";
import { PRIORITIES } from "../../inputs.ts";
import type { LimitRepository } from "../../limit_ports.ts";
import type { PostRepository, Range, SupportStore, TicketPage, TicketRepository } from "../../ports.ts";
import { limitTable, postTable, ticketTable } from "./tables.ts";

export * from "./tables.ts";

const rows = ticketTable;

/** The support store within one transaction. */
export function postgresSupport(tx: Database, events: EventPublisher): SupportStore {
  return { tickets: ticketsIn(tx), posts: postsIn(tx), limits: limitsIn(tx), events };
}

function ticketsIn(tx: Database): TicketRepository {
  const lastChangedFirst = [desc(rows.changedAt), desc(rows.id)];
  const rank = sql`coalesce(array_position(array[${sql.join(
    PRIORITIES.map((priority) => sql`${priority}`),
    sql`, `,
  )}]::text[], ${rows.priority}), 0)`;
  const mostUrgentFirst = [desc(rank), asc(rows.changedAt), asc(rows.id)];

  async function pageOf(wanted: SQL | undefined, order: SQL[], { offset, limit }: Range): Promise<TicketPage> {
    const page = await tx
      .select()
      .from(rows)
      .where(wanted)
      .orderBy(...order)
      .offset(offset)
      .limit(limit);
    const [total] = await tx.select({ count: count() }).from(rows).where(wanted);
    return { tickets: page.map(withoutNulls), total: total?.count ?? 0 };
  }

  return {
    async add(ticket) {
      const added = tx.insert(rows).values(ticket).onConflictDoNothing({ target: rows.reference });
      return (await added.returning({ id: rows.id })).length === 1;
    },
    async findByKey(accountId, key) {
      const [row] = await tx
        .select()
        .from(rows)
        .where(and(eq(rows.accountId, accountId), eq(rows.key, key)));
      return withoutNulls(row);
    },
    async find(reference) {
      const [row] = await tx.select().from(rows).where(eq(rows.reference, reference));
      return withoutNulls(row);
    },
    async findForUpdate(reference) {
      const [row] = await tx.select().from(rows).where(eq(rows.reference, reference)).for("no key update");
      return withoutNulls(row);
    },
    async setState({ id, state, changedAt, closedAt }) {
      await tx
        .update(rows)
        .set({ state, changedAt, closedAt: closedAt ?? null })
        .where(eq(rows.id, id));
    },
    pageOwn: (accountId, kind, range) =>
      pageOf(and(eq(rows.accountId, accountId), eq(rows.kind, kind)), lastChangedFirst, range),
    pageAll({ kind, state, type, priority, reference }, range) {
      const wanted = and(
        kind && eq(rows.kind, kind),
        state && eq(rows.state, state),
        type && eq(rows.type, type),
        priority && eq(rows.priority, priority),
        // References contain no wildcards of LIKE.
        reference === "" ? undefined : like(rows.reference, `${reference}%`),
      );
      return pageOf(wanted, state === "open" ? mostUrgentFirst : lastChangedFirst, range);
    },
    async removeByAccount(accountId) {
      await tx.delete(rows).where(eq(rows.accountId, accountId));
    },
    async removeClosed(before, limit) {
      const over = tx.select({ id: rows.id }).from(rows).where(lte(rows.closedAt, before)).limit(limit);
      return (await tx.delete(rows).where(inArray(rows.id, over)).returning({ id: rows.id })).length;
    },
  };
}

function postsIn(tx: Database): PostRepository {
  return {
    async add(post) {
      const added = tx
        .insert(postTable)
        .values(post)
        .onConflictDoNothing({ target: [postTable.ticketId, postTable.key] });
      return (await added.returning({ id: postTable.id })).length === 1;
    },
    list: (ticketId) =>
      tx.select().from(postTable).where(eq(postTable.ticketId, ticketId)).orderBy(asc(postTable.at), asc(postTable.id)),
  };
}

/** Implements `counted` of `limits.ts` as a single statement. */
function limitsIn(tx: Database): LimitRepository {
  const { key, count: counter, until } = limitTable;
  return {
    async count(of, { most, windowMs }, now) {
      const isOver = sql`${until} <= ${sql.param(now, until)}`;
      const end = new Date(now.getTime() + windowMs);
      const [row] = await tx
        .insert(limitTable)
        .values({ key: of, count: 1, until: end })
        .onConflictDoUpdate({
          target: key,
          set: {
            count: sql`case when ${isOver} then 1 else least(${counter} + 1, ${most + 1}::integer) end`,
            until: sql`case when ${isOver} then ${sql.param(end, until)} else ${until} end`,
          },
        })
        .returning();
      if (!row) throw new Error("Cannot count what was sent: the database returned no row");
      return { count: row.count, until: row.until };
    },
    async giveBack(of) {
      await tx
        .update(limitTable)
        .set({ count: sql`greatest(${counter} - 1, 0)` })
        .where(eq(key, of));
    },
    async removeExpired(now) {
      const over = tx.select({ key }).from(limitTable).where(lte(until, now)).for("update", { skipLocked: true });
      await tx.delete(limitTable).where(inArray(key, over));
    },
  };
}
