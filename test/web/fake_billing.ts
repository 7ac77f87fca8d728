import { OFFER } from "../../src/billing/plan.ts";
import { CURRENCIES, multiplies } from "../../src/shared/plans.ts";
import type { Subscription } from "../../web/api/api.ts";
import type { Order, OrderSuccess, PlanPreview, Plans } from "../../web/api/billing_api.ts";
import type { Given } from "./fake_account.ts";
import { ALICE, ago, DAY } from "./fake_alerts.ts";

/** The fake server's plans and payments. */
export type BillingScene = {
  plans: Plans;
  subscription: Subscription;
  preview: Omit<PlanPreview, "plan" | "period" | "quantity">;
  order: OrderSuccess;
  orders: Order[];
};

const NOTHING = {
  quantity: null,
  period: null,
  currency: null,
  trialEndsAt: null,
  daysLeft: null,
  periodEnd: null,
  granted: null,
  cancelAtPeriodEnd: false,
  graceUntil: null,
  unpaid: false,
  canPortal: false,
  canChange: false,
};

export function trialOf(daysLeft: number, more: Partial<Subscription> = {}): Subscription {
  const trial = { status: "trial", plan: "trial", cap: 3, tracked: 2 } as const;
  return { ...NOTHING, ...trial, daysLeft, trialEndsAt: ago(-daysLeft * DAY), ...more };
}

/** Two units of Professional, billed yearly in francs. */
export function paidPlan(more: Partial<Subscription> = {}): Subscription {
  return {
    ...NOTHING,
    status: "active",
    plan: "professional",
    quantity: 2,
    period: "yearly",
    currency: "CHF",
    cap: 20,
    tracked: 12,
    trialEndsAt: ago(DAY),
    daysLeft: 0,
    periodEnd: ago(-200 * DAY),
    canPortal: true,
    canChange: true,
    ...more,
  };
}

export function overPlan(): Subscription {
  return { ...NOTHING, status: "inactive", plan: "trial", cap: 3, tracked: 2, trialEndsAt: ago(DAY), daysLeft: 0 };
}

export function aPreview(more: Partial<BillingScene["preview"]> = {}): BillingScene["preview"] {
  const validUntil = ago(-15 * 60_000);
  return {
    currency: "CHF",
    due: 1234,
    credit: 0,
    regular: 800,
    cap: 10,
    tracked: 12,
    quote: "q1",
    validUntil,
    ...more,
  };
}

export function anOrder(more: Partial<OrderSuccess> = {}): OrderSuccess {
  return {
    state: "paid",
    own: true,
    account: { name: "Alice Archer", email: ALICE },
    plan: "professional",
    quantity: 2,
    period: "yearly",
    amount: 17664,
    currency: "CHF",
    cap: 20,
    periodEnd: ago(-365 * DAY),
    tracked: 4,
    ...more,
  };
}

/** One of every kind. */
export function someOrders(): Order[] {
  const bought = { plan: "professional", quantity: 2, period: "yearly", currency: "CHF", refunded: 0 } as const;
  return [
    { id: "o4", at: ago(DAY), number: "BB-0004", amount: 17664, state: "open", ...bought },
    { id: "o3", at: ago(370 * DAY), number: "BB-0003", amount: 17664, state: "paid", ...bought },
    { id: "o2", at: ago(400 * DAY), number: null, amount: 800, state: "refunded", ...bought, refunded: 800 },
    {
      id: "o1",
      at: ago(430 * DAY),
      number: "BB-0001",
      amount: 800,
      state: "paid",
      ...bought,
      plan: null,
      refunded: 300,
    },
  ];
}

export function billing(): BillingScene {
  return {
    plans: {
      mode: "sandbox",
      currencies: [...CURRENCIES],
      currency: "GBP",
      discount: 8,
      trialDays: 14,
      maxQuantity: 50,
      plans: OFFER.map((offer) => ({ ...offer, multiplies: multiplies(offer.plan) })),
    },
    subscription: trialOf(9),
    preview: aPreview(),
    order: anOrder(),
    orders: [],
  };
}

/** The fake payment provider's URL: pages of this very site, so that the browser never leaves it. */
export const AWAY = { checkout: "/pay/checkout", portal: "/pay/portal", bank: "/pay/bank", invoice: "/pay/invoice" };

/** The response to a call about plans and payments; undefined for any other call. */
export function answerBilling(stage: BillingScene & { instance: { billing: string } }, call: string, sent: unknown) {
  const isOff = stage.instance.billing === "off";
  const answers: Record<string, () => unknown> = {
    "GET /api/plans": () => stage.plans,
    "POST /api/checkout": () => ({ url: AWAY.checkout }),
    "POST /api/subscription/preview": () => ({ ...stage.preview, ...(sent as object) }),
    "POST /api/subscription/change": () => ({ state: "changed" }),
    "POST /api/portal": () => ({ url: AWAY.portal }),
    "POST /api/order-success": () => stage.order,
    "GET /api/orders": () => ({ items: stage.orders }),
  };
  if (call === "GET /api/subscription")
    return isOff ? { ...NOTHING, status: "off", plan: "off", cap: null, tracked: 2 } : stage.subscription;
  if (/^POST \/api\/orders\/\w+\/invoice$/.test(call)) return { url: AWAY.invoice };
  return isOff ? undefined : answers[call]?.();
}

export function refusal(status: number, code: string, more: object = {}): Given {
  return { status, body: { code, ...more } };
}
