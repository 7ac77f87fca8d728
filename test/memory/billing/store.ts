import type { Order } from "../../../src/billing/gateway_ports.ts";
import type { BillingStore, Checkout, Farewell, SubscriptionRepository } from "../../../src/billing/ports.ts";
import type { Subscription } from "../../../src/billing/subscription.ts";
import { dueAfter, type MemoryTables } from "../database.ts";
import { memoryEvents } from "../events/outbox.ts";

const byTime = (one: Date | undefined, other: Date | undefined) => (one?.getTime() ?? 0) - (other?.getTime() ?? 0);

function memorySubscriptions(tables: MemoryTables): SubscriptionRepository {
  const rows = tables<Subscription>("billing.subscription");
  const ids = (found: Subscription[]) => found.map(({ accountId }) => accountId);
  return {
    find: async (accountId) => rows.get(accountId),
    findForUpdate: async (accountId) => rows.get(accountId),
    findAccount: async (customerId) => rows.find((row) => row.customerId === customerId)?.accountId,
    async add(subscription) {
      if (rows.get(subscription.accountId)) return false;
      rows.set(subscription.accountId, subscription);
      return true;
    },
    async save(subscription) {
      rows.set(subscription.accountId, subscription);
    },
    async remove(accountId) {
      rows.delete(accountId);
    },
    async listOverdue(now, after, limit) {
      const overdue = rows.filter(({ endsAt, endedAt }) => !endedAt && endsAt !== undefined && endsAt <= now);
      const due = overdue.map(({ accountId: id, endsAt }) => ({ id, at: endsAt ?? now }));
      return dueAfter(due, after, limit);
    },
    async listEnding(from, until) {
      const ending = rows.filter(({ endsAt, endedAt }) => !endedAt && !!endsAt && endsAt > from && endsAt <= until);
      return ids(ending.toSorted((one, other) => byTime(one.endsAt, other.endsAt)));
    },
    async claimDue(now, again, limit) {
      const due = rows.filter(({ askAt }) => askAt !== undefined && askAt <= now);
      const claimed = due.toSorted((one, other) => byTime(one.askAt, other.askAt)).slice(0, limit);
      for (const row of claimed) rows.set(row.accountId, { ...row, askAt: again });
      return ids(claimed);
    },
  };
}

/** The in-memory billing store. */
export function memoryBilling(tables: MemoryTables): BillingStore {
  const checkouts = tables<Checkout>("billing.checkout");
  const orders = tables<Order & { accountId: string }>("billing.order");
  const notices = tables<{ accountId: string; key: string; at: Date }>("billing.notice");
  const paymentEvents = tables<{ at: Date }>("billing.payment_event");
  const farewells = tables<Farewell>("billing.farewell");
  const formerTrials = tables<Date>("billing.former_trial");
  return {
    events: memoryEvents(tables),
    subscriptions: memorySubscriptions(tables),
    checkouts: {
      async add(checkout) {
        if (!checkouts.get(checkout.sessionId)) checkouts.set(checkout.sessionId, checkout);
      },
      find: async (sessionId) => checkouts.get(sessionId),
      list: async (accountId) =>
        checkouts.filter((row) => row.accountId === accountId).toSorted((one, other) => byTime(other.at, one.at)),
      async setState(sessionId, state) {
        const row = checkouts.get(sessionId);
        if (row) checkouts.set(sessionId, { ...row, state });
      },
      async removeAll(accountId) {
        checkouts.removeWhere((row) => row.accountId === accountId);
      },
    },
    orders: {
      async saveAll(accountId, list) {
        for (const order of list) orders.set(order.id, { ...order, accountId });
      },
      list: async (accountId, limit) =>
        orders
          .filter((row) => row.accountId === accountId)
          .toSorted((one, other) => byTime(other.at, one.at) || (one.id < other.id ? 1 : -1))
          .slice(0, limit)
          .map(({ accountId: _, ...order }) => order),
      has: async (accountId, orderId) => orders.get(orderId)?.accountId === accountId,
      async removeAll(accountId) {
        orders.removeWhere((row) => row.accountId === accountId);
      },
    },
    notices: {
      async add(accountId, key, at) {
        if (notices.get(`${accountId} ${key}`)) return false;
        notices.set(`${accountId} ${key}`, { accountId, key, at });
        return true;
      },
      list: async (accountId) =>
        notices
          .filter((row) => row.accountId === accountId)
          .map(({ key, at }) => ({ key, at }))
          .toSorted((one, other) => byTime(one.at, other.at) || (one.key < other.key ? -1 : 1)),
      async removeAll(accountId) {
        notices.removeWhere((row) => row.accountId === accountId);
      },
    },
    paymentEvents: {
      has: async (id) => paymentEvents.get(id) !== undefined,
      async add(id, at) {
        paymentEvents.set(id, { at });
      },
      async removeBefore(at) {
        paymentEvents.removeWhere((row) => row.at < at);
      },
    },
    formerTrials: {
      async add(mark, endsAt) {
        const known = formerTrials.get(mark);
        if (!known || endsAt < known) formerTrials.set(mark, endsAt);
      },
      find: async (mark) => formerTrials.get(mark),
    },
    farewells: {
      async add(farewell) {
        farewells.set(farewell.customerId, farewell);
      },
      async claimDue(now, again, limit) {
        const due = farewells
          .filter(({ dueAt }) => dueAt <= now)
          .toSorted((one, other) => byTime(one.dueAt, other.dueAt));
        const claimed = due.slice(0, limit).map((row) => ({ ...row, attempts: row.attempts + 1, dueAt: again }));
        for (const row of claimed) farewells.set(row.customerId, row);
        return claimed;
      },
      async retryAt(customerId, dueAt) {
        const row = farewells.get(customerId);
        if (row) farewells.set(customerId, { ...row, dueAt });
      },
      async remove(customerId) {
        farewells.delete(customerId);
      },
    },
  };
}
