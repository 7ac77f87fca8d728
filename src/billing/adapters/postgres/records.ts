import { and, asc, desc, eq, inArray, lt, lte, sql } from "drizzle-orm";
import { withNulls, withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type {
  CheckoutRepository,
  FarewellRepository,
  FormerTrialRepository,
  NoticeRepository,
  OrderRepository,
  PaymentEventRepository,
} from "../../ports.ts";
import {
  checkoutTable,
  farewellTable,
  formerTrialTable,
  noticeTable,
  orderTable,
  paymentEventTable,
} from "./tables.ts";

export function postgresCheckouts(tx: Database): CheckoutRepository {
  const table = checkoutTable;
  return {
    async add(checkout) {
      await tx.insert(table).values(checkout).onConflictDoNothing();
    },
    async find(sessionId) {
      const [row] = await tx.select().from(table).where(eq(table.sessionId, sessionId));
      return row;
    },
    list: async (accountId) => tx.select().from(table).where(eq(table.accountId, accountId)).orderBy(desc(table.at)),
    async setState(sessionId, state) {
      await tx.update(table).set({ state }).where(eq(table.sessionId, sessionId));
    },
    async removeAll(accountId) {
      await tx.delete(table).where(eq(table.accountId, accountId));
    },
  };
}

export function postgresOrders(tx: Database): OrderRepository {
  const table = orderTable;
  return {
    async saveAll(accountId, orders) {
      for (const order of orders) {
        const columns = { ...withNulls(order), accountId };
        await tx.insert(table).values(columns).onConflictDoUpdate({ target: table.id, set: columns });
      }
    },
    async list(accountId, limit) {
      const mine = eq(table.accountId, accountId);
      const rows = await tx.select().from(table).where(mine).orderBy(desc(table.at), desc(table.id)).limit(limit);
      return rows.map(({ accountId: _, ...row }) => withoutNulls(row));
    },
    async has(accountId, orderId) {
      const found = await tx
        .select({ id: table.id })
        .from(table)
        .where(and(eq(table.accountId, accountId), eq(table.id, orderId)));
      return found.length > 0;
    },
    async removeAll(accountId) {
      await tx.delete(table).where(eq(table.accountId, accountId));
    },
  };
}

export function postgresNotices(tx: Database): NoticeRepository {
  const table = noticeTable;
  return {
    async add(accountId, key, at) {
      const added = await tx.insert(table).values({ accountId, key, at }).onConflictDoNothing().returning();
      return added.length === 1;
    },
    list: async (accountId) =>
      tx
        .select({ key: table.key, at: table.at })
        .from(table)
        .where(eq(table.accountId, accountId))
        .orderBy(asc(table.at), asc(table.key)),
    async removeAll(accountId) {
      await tx.delete(table).where(eq(table.accountId, accountId));
    },
  };
}

export function postgresPaymentEvents(tx: Database): PaymentEventRepository {
  const table = paymentEventTable;
  return {
    has: async (id) => (await tx.select().from(table).where(eq(table.id, id))).length > 0,
    async add(id, at) {
      await tx.insert(table).values({ id, at }).onConflictDoNothing();
    },
    async removeBefore(at) {
      await tx.delete(table).where(lt(table.at, at));
    },
  };
}

export function postgresFarewells(tx: Database): FarewellRepository {
  const table = farewellTable;
  return {
    async add(farewell) {
      const { customerId: _, ...columns } = farewell;
      await tx.insert(table).values(farewell).onConflictDoUpdate({ target: table.customerId, set: columns });
    },
    async claimDue(now, again, limit) {
      const due = await tx
        .select({ customerId: table.customerId })
        .from(table)
        .where(lte(table.dueAt, now))
        .orderBy(asc(table.dueAt), asc(table.customerId))
        .limit(limit)
        .for("update", { skipLocked: true });
      if (due.length === 0) return [];
      const customers = due.map(({ customerId }) => customerId);
      return tx
        .update(table)
        .set({ dueAt: again, attempts: sql`${table.attempts} + 1` })
        .where(inArray(table.customerId, customers))
        .returning();
    },
    async retryAt(customerId, dueAt) {
      await tx.update(table).set({ dueAt }).where(eq(table.customerId, customerId));
    },
    async remove(customerId) {
      await tx.delete(table).where(eq(table.customerId, customerId));
    },
  };
}

export function postgresFormerTrials(tx: Database): FormerTrialRepository {
  const { mark: key, endsAt: end } = formerTrialTable;
  return {
    async add(mark, endsAt) {
      const earliest = { endsAt: sql`least(${end}, excluded.ends_at)` };
      await tx.insert(formerTrialTable).values({ mark, endsAt }).onConflictDoUpdate({ target: key, set: earliest });
    },
    async find(mark) {
      return (await tx.select().from(formerTrialTable).where(eq(key, mark)))[0]?.endsAt;
    },
  };
}
