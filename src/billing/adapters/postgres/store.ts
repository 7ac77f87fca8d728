import { and, asc, eq, gt, inArray, isNull, lte } from "drizzle-orm";
import { followsDue } from "../../../database/due.ts";
import { withNulls, withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { EventPublisher } from "../../../events/catalogue.ts";
import type { Currency } from "../../../shared/plans.ts";
import type { BillingStore, SubscriptionRepository } from "../../ports.ts";
import type { Purchase } from "../../purchase.ts";
import type { Subscription } from "../../subscription.ts";
import {
  postgresCheckouts,
  postgresFarewells,
  postgresFormerTrials,
  postgresNotices,
  postgresOrders,
  postgresPaymentEvents,
} from "./records.ts";
import { subscriptionTable } from "./tables.ts";

export * from "./tables.ts";

type Row = typeof subscriptionTable.$inferSelect;

/** The columns of a purchase are either all set or all null. */
function purchaseOf(row: Row): Purchase | undefined {
  const { subscriptionId, itemId, status, plan, quantity, period, currency, purchasedAt, periodEnd } = row;
  if (subscriptionId === null || itemId === null || status === null || plan === null || quantity === null)
    return undefined;
  if (period === null || currency === null || purchasedAt === null || periodEnd === null) return undefined;
  return {
    subscriptionId,
    itemId,
    status,
    plan,
    quantity,
    period,
    periodEnd,
    currency: currency as Currency,
    startedAt: purchasedAt,
    cancelAt: row.cancelAt ?? undefined,
    pastDueSince: row.pastDueSince ?? undefined,
  };
}

function grantOf({ grantedPlan: plan, grantedQuantity: quantity, grantedFrom: from, grantedUntil: until }: Row) {
  return plan === null || quantity === null || from === null || until === null
    ? undefined
    : { plan, quantity, from, until };
}

function subscriptionOf(row: Row): Subscription {
  const { accountId, startedAt, cap, customers, asked, answered } = row;
  const { trialEndsAt, endsAt, endedAt, customerId, askAt, checkoutUntil } = withoutNulls(row);
  const own = { accountId, startedAt, cap, customers, asked, answered };
  const rest = { trialEndsAt, endsAt, endedAt, customerId, askAt, checkoutUntil };
  return { ...own, ...rest, purchase: purchaseOf(row), grant: grantOf(row) };
}

const noPurchase = {
  subscriptionId: null,
  itemId: null,
  status: null,
  plan: null,
  quantity: null,
  period: null,
  currency: null,
  purchasedAt: null,
  periodEnd: null,
  cancelAt: null,
  pastDueSince: null,
};

function rowOf({ purchase, grant, ...held }: Subscription): typeof subscriptionTable.$inferInsert {
  const { startedAt: purchasedAt, cancelAt = null, pastDueSince = null, ...bought } = purchase ?? {};
  return {
    ...withNulls(held),
    grantedPlan: grant?.plan ?? null,
    grantedQuantity: grant?.quantity ?? null,
    grantedFrom: grant?.from ?? null,
    grantedUntil: grant?.until ?? null,
    ...noPurchase,
    ...(purchasedAt && { ...bought, purchasedAt, cancelAt, pastDueSince }),
  };
}

function postgresSubscriptions(tx: Database): SubscriptionRepository {
  const table = subscriptionTable;
  const ids = (rows: { accountId: string }[]) => rows.map(({ accountId }) => accountId);
  return {
    async find(accountId) {
      const [row] = await tx.select().from(table).where(eq(table.accountId, accountId));
      return row && subscriptionOf(row);
    },
    async findForUpdate(accountId) {
      const [row] = await tx.select().from(table).where(eq(table.accountId, accountId)).for("update");
      return row && subscriptionOf(row);
    },
    async findAccount(customerId) {
      const found = await tx.select({ accountId: table.accountId }).from(table).where(eq(table.customerId, customerId));
      return found[0]?.accountId;
    },
    async add(subscription) {
      const added = await tx.insert(table).values(rowOf(subscription)).onConflictDoNothing().returning();
      return added.length === 1;
    },
    async save(subscription) {
      const { accountId, ...columns } = rowOf(subscription);
      await tx.update(table).set(columns).where(eq(table.accountId, accountId));
    },
    async remove(accountId) {
      await tx.delete(table).where(eq(table.accountId, accountId));
    },
    async listOverdue(now, after, limit) {
      const { accountId: id, endsAt } = table;
      const overdue = and(lte(endsAt, now), isNull(table.endedAt), followsDue(endsAt, id, after));
      const due = await tx.select({ id, endsAt }).from(table).where(overdue).orderBy(asc(endsAt), asc(id)).limit(limit);
      return due.map((row) => ({ id: row.id, at: row.endsAt ?? now }));
    },
    async listEnding(from, until) {
      const ending = and(gt(table.endsAt, from), lte(table.endsAt, until), isNull(table.endedAt));
      return ids(await tx.select().from(table).where(ending).orderBy(asc(table.endsAt), asc(table.accountId)));
    },
    async claimDue(now, again, limit) {
      const due = tx
        .select({ accountId: table.accountId })
        .from(table)
        .where(lte(table.askAt, now))
        .orderBy(asc(table.askAt), asc(table.accountId))
        .limit(limit)
        .for("update", { skipLocked: true });
      const claimed = await due;
      if (claimed.length === 0) return [];
      await tx
        .update(table)
        .set({ askAt: again })
        .where(inArray(table.accountId, ids(claimed)));
      return ids(claimed);
    },
  };
}

/** The billing store within one transaction. */
export function postgresBilling(tx: Database, events: EventPublisher): BillingStore {
  return {
    events,
    subscriptions: postgresSubscriptions(tx),
    checkouts: postgresCheckouts(tx),
    orders: postgresOrders(tx),
    notices: postgresNotices(tx),
    paymentEvents: postgresPaymentEvents(tx),
    farewells: postgresFarewells(tx),
    formerTrials: postgresFormerTrials(tx),
  };
}
