import { isNull } from "drizzle-orm";
import { index, integer, jsonb, pgSchema, primaryKey, text, uuid } from "drizzle-orm/pg-core";
import { instant } from "../../../database/columns.ts";
import type { Period, Plan } from "../../../shared/plans.ts";
import type { Order } from "../../gateway_ports.ts";
import type { Checkout } from "../../ports.ts";
import type { PurchaseStatus } from "../../purchase.ts";

export const billingSchema = pgSchema("billing");

export const subscriptionTable = billingSchema.table(
  "subscription",
  {
    accountId: uuid("account_id").primaryKey(),
    startedAt: instant("started_at").notNull(),
    trialEndsAt: instant("trial_ends_at"),
    endsAt: instant("ends_at"),
    endedAt: instant("ended_at"),
    cap: integer("cap").default(3),
    customerId: text("customer_id").unique(),
    customers: integer("customers").notNull().default(0),
    asked: integer("asked").notNull().default(0),
    answered: integer("answered").notNull().default(0),
    askAt: instant("ask_at"),
    checkoutUntil: instant("checkout_until"),
    // The purchase; all of these columns are set, or none.
    subscriptionId: text("subscription_id"),
    itemId: text("item_id"),
    status: text("status").$type<PurchaseStatus>(),
    plan: text("plan").$type<Plan>(),
    quantity: integer("quantity"),
    period: text("period").$type<Period>(),
    currency: text("currency"),
    purchasedAt: instant("purchased_at"),
    periodEnd: instant("period_end"),
    cancelAt: instant("cancel_at"),
    pastDueSince: instant("past_due_since"),
    // The plan granted by the operator; all of these columns are set, or none.
    grantedPlan: text("granted_plan").$type<Plan>(),
    grantedQuantity: integer("granted_quantity"),
    grantedFrom: instant("granted_from"),
    grantedUntil: instant("granted_until"),
  },
  (table) => [
    index("subscription_ends_at").on(table.endsAt).where(isNull(table.endedAt)),
    index("subscription_ask_at").on(table.askAt),
  ],
);

/** When a mailbox's first trial ends or ended, keyed by an HMAC of the mailbox, as it outlives the account. */
export const formerTrialTable = billingSchema.table("former_trial", {
  mark: text("mark").primaryKey(),
  endsAt: instant("ends_at").notNull(),
});

export const checkoutTable = billingSchema.table(
  "checkout",
  {
    sessionId: text("session_id").primaryKey(),
    accountId: uuid("account_id").notNull(),
    plan: text("plan").$type<Plan>().notNull(),
    quantity: integer("quantity").notNull(),
    period: text("period").$type<Period>().notNull(),
    currency: text("currency").notNull(),
    click: text("click").notNull(),
    at: instant("at").notNull(),
    state: text("state").$type<Checkout["state"]>().notNull(),
  },
  (table) => [index("checkout_account").on(table.accountId)],
);

export const orderTable = billingSchema.table(
  // Not `order`, which is a reserved word in SQL.
  "orders",
  {
    id: text("id").primaryKey(),
    accountId: uuid("account_id").notNull(),
    at: instant("at").notNull(),
    number: text("number"),
    plan: text("plan").$type<Plan>(),
    quantity: integer("quantity"),
    period: text("period").$type<Period>(),
    amount: integer("amount").notNull(),
    refunded: integer("refunded").notNull(),
    currency: text("currency").notNull(),
    state: text("state").$type<Order["state"]>().notNull(),
  },
  (table) => [index("orders_account").on(table.accountId, table.at)],
);

export const noticeTable = billingSchema.table(
  "notice",
  {
    accountId: uuid("account_id").notNull(),
    key: text("key").notNull(),
    at: instant("at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.key] })],
);

export const paymentEventTable = billingSchema.table(
  "payment_event",
  { id: text("id").primaryKey(), at: instant("at").notNull() },
  (table) => [index("payment_event_at").on(table.at)],
);

export const farewellTable = billingSchema.table(
  "farewell",
  {
    customerId: text("customer_id").primaryKey(),
    sessionIds: jsonb("session_ids").$type<string[]>().notNull(),
    attempts: integer("attempts").notNull(),
    dueAt: instant("due_at").notNull(),
  },
  (table) => [index("farewell_due_at").on(table.dueAt)],
);
