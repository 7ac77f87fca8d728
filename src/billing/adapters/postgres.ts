import { and, asc, eq, isNull, lte } from "drizzle-orm";
import { index, pgSchema, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { Database } from "../../database/postgres.ts";
import type { EventPublisher } from "../../events/catalogue.ts";
import type { BillingStore } from "../ports.ts";
import type { Subscription } from "../subscription.ts";

export const billingSchema = pgSchema("billing");

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

export const subscriptionTable = billingSchema.table(
  "subscription",
  {
    accountId: uuid("account_id").primaryKey(),
    plan: text("plan").$type<Subscription["plan"]>().notNull(),
    startedAt: instant("started_at").notNull(),
    endsAt: instant("ends_at").notNull(),
    endedAt: instant("ended_at"),
  },
  (table) => [index("subscription_ends_at").on(table.endsAt).where(isNull(table.endedAt))],
);

function subscriptionOf({ endedAt, ...row }: typeof subscriptionTable.$inferSelect): Subscription {
  return { ...row, endedAt: endedAt ?? undefined };
}

export function postgresBilling(tx: Database, events: EventPublisher): BillingStore {
  const accounts = subscriptionTable.accountId;
  return {
    events,
    subscriptions: {
      async find(accountId) {
        const [row] = await tx.select().from(subscriptionTable).where(eq(accounts, accountId));
        return row && subscriptionOf(row);
      },
      async add(subscription) {
        const added = await tx
          .insert(subscriptionTable)
          .values(subscription)
          .onConflictDoNothing()
          .returning({ accountId: accounts });
        return added.length === 1;
      },
      async remove(accountId) {
        await tx.delete(subscriptionTable).where(eq(accounts, accountId));
      },
      async listOverdue(now, limit) {
        const overdue = and(lte(subscriptionTable.endsAt, now), isNull(subscriptionTable.endedAt));
        const rows = await tx
          .select()
          .from(subscriptionTable)
          .where(overdue)
          .orderBy(asc(subscriptionTable.endsAt), asc(accounts))
          .limit(limit);
        return rows.map(subscriptionOf);
      },
      async markEnded(accountId, now) {
        const marked = await tx
          .update(subscriptionTable)
          .set({ endedAt: now })
          .where(and(eq(accounts, accountId), isNull(subscriptionTable.endedAt)))
          .returning({ accountId: accounts });
        return marked.length === 1;
      },
    },
  };
}
