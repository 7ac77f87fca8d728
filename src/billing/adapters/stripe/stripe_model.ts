import * as v from "valibot";
import { CURRENCIES, type Period, PLANS } from "../../../shared/plans.ts";
import { PRODUCT } from "../../../shared/product.ts";
import type { Order } from "../../gateway_ports.ts";
import type { Purchase, PurchaseStatus } from "../../purchase.ts";

// The parts of Stripe's responses that are used. Unknown fields are ignored.
const seconds = v.pipe(v.number(), v.integer());
const minor = v.pipe(v.number(), v.integer());
const reference = v.pipe(
  v.union([v.string(), v.object({ id: v.string() })]),
  v.transform((found) => (typeof found === "string" ? found : found.id)),
);
const upper = v.pipe(v.string(), v.toUpperCase());
const INTERVALS: Record<string, Period> = { month: "monthly", year: "yearly" };

export const priceModel = v.object({
  id: v.string(),
  lookup_key: v.nullable(v.string()),
  tax_behavior: v.nullable(v.string()),
  metadata: v.record(v.string(), v.string()),
  recurring: v.nullable(v.object({ interval: v.string() })),
  currency_options: v.optional(v.record(v.string(), v.object({ unit_amount: v.nullable(minor) }))),
});
export type PriceModel = v.InferOutput<typeof priceModel>;

const item = v.object({
  id: v.string(),
  quantity: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1),
  current_period_start: seconds,
  current_period_end: seconds,
  price: priceModel,
});
export const subscriptionModel = v.object({
  id: v.string(),
  status: v.string(),
  created: seconds,
  currency: v.pipe(upper, v.picklist(CURRENCIES)),
  cancel_at: v.nullable(seconds),
  cancel_at_period_end: v.boolean(),
  ended_at: v.nullable(seconds),
  items: v.object({ data: v.pipe(v.array(item), v.minLength(1)) }),
});
const line = v.object({
  amount: minor,
  quantity: v.nullable(v.number()),
  pricing: v.nullish(v.object({ price_details: v.optional(v.object({ price: reference })) })),
});
export const invoiceModel = v.object({
  id: v.string(),
  created: seconds,
  number: v.nullable(v.string()),
  status: v.nullable(v.string()),
  total: minor,
  currency: upper,
  customer: v.nullable(reference),
  hosted_invoice_url: v.nullish(v.string()),
  post_payment_credit_notes_amount: v.optional(v.number(), 0),
  parent: v.nullable(v.object({ subscription_details: v.nullish(v.object({ subscription: reference })) })),
  lines: v.object({ data: v.array(line) }),
});
export const checkoutModel = v.object({
  id: v.string(),
  url: v.nullish(v.string()),
  status: v.nullable(v.picklist(["open", "complete", "expired"])),
  payment_status: v.string(),
  client_reference_id: v.nullable(v.string()),
  amount_total: v.nullable(minor),
  currency: v.nullable(upper),
  line_items: v.optional(
    v.object({
      data: v.pipe(
        v.array(v.object({ quantity: v.nullable(v.number()), price: v.nullable(priceModel) })),
        v.minLength(1),
      ),
    }),
  ),
});
export const changedModel = v.object({
  pending_update: v.nullish(v.object({})),
  latest_invoice: v.nullish(v.object({ hosted_invoice_url: v.nullish(v.string()) })),
});
export const namedModel = v.object({ id: v.string() });
export const linkModel = v.object({ url: v.string() });
export const totalModel = v.object({ total: minor, amount_due: minor, currency: upper });
export const listOf = <Model extends v.GenericSchema>(model: Model) => v.object({ data: v.array(model) });

export type SubscriptionModel = v.InferOutput<typeof subscriptionModel>;
export type InvoiceModel = v.InferOutput<typeof invoiceModel>;

const plan = v.picklist(PLANS);
/** Identifies our products on an account that may sell others too. */
export const APP = PRODUCT.toLowerCase();
const ours = v.object({
  items: v.object({ data: v.array(v.object({ price: v.object({ metadata: v.object({ app: v.literal(APP) }) }) })) }),
});
export const isOurs = (subscription: unknown) => v.is(ours, subscription);

/** The offer behind a price, if it is one of ours; other products may share the account. */
export function offerOf({ metadata, recurring }: Pick<PriceModel, "metadata" | "recurring">) {
  const period = INTERVALS[recurring?.interval ?? ""];
  return metadata.app === APP && v.is(plan, metadata.plan) && period ? { plan: metadata.plan, period } : undefined;
}

const STATUSES: Record<string, PurchaseStatus> = {
  trialing: "active",
  active: "active",
  past_due: "past_due",
  unpaid: "suspended",
  paused: "suspended",
  incomplete: "pending",
  incomplete_expired: "ended",
  canceled: "ended",
};

const date = (time: number) => new Date(time * 1000);

/** When the oldest unpaid invoice of the subscription was created. */
function unpaidSince(subscription: SubscriptionModel, invoices: InvoiceModel[], start: number): Date {
  const open = invoices.filter(
    ({ status, parent }) =>
      (status === "open" || status === "uncollectible") &&
      parent?.subscription_details?.subscription === subscription.id,
  );
  return date(Math.min(...open.map(({ created }) => created), ...(open.length === 0 ? [start] : [])));
}

/** Undefined for subscriptions to other products. An unknown status grants nothing and ends nothing. */
export function purchaseOf(subscription: SubscriptionModel, invoices: InvoiceModel[]): Purchase | undefined {
  const [only] = subscription.items.data;
  const offer = only && offerOf(only.price);
  if (!only || !offer) return undefined;
  const { id, created, currency, ended_at, cancel_at, cancel_at_period_end } = subscription;
  const status = STATUSES[subscription.status] ?? "suspended";
  const end = ended_at ?? cancel_at ?? (cancel_at_period_end ? only.current_period_end : null);
  return {
    subscriptionId: id,
    itemId: only.id,
    status,
    ...offer,
    quantity: only.quantity,
    currency,
    startedAt: date(created),
    periodEnd: date(only.current_period_end),
    cancelAt: end === null ? undefined : date(end),
    pastDueSince:
      status === "past_due" || status === "suspended"
        ? unpaidSince(subscription, invoices, only.current_period_start)
        : undefined,
  };
}

const ORDER_STATES: Record<string, Order["state"]> = {
  paid: "paid",
  open: "open",
  uncollectible: "open",
  void: "void",
};

type Offer = ReturnType<typeof offerOf>;

/** Undefined for drafts and for invoices of other products. `offers` maps prices to offers. */
export function orderOf(invoice: InvoiceModel, offers: ReadonlyMap<string, Offer>): Order | undefined {
  const { id, created, number, status, total, currency, post_payment_credit_notes_amount: credited } = invoice;
  const state = ORDER_STATES[status ?? ""];
  const lines = invoice.lines.data.flatMap(({ amount, quantity, pricing }) => {
    const offer = offers.get(pricing?.price_details?.price ?? "");
    return offer ? [{ amount, quantity, offer }] : [];
  });
  if (state === undefined || lines.length === 0) return undefined;
  const bought = lines.find(({ amount }) => amount >= 0);
  const refunded = Math.round(credited);
  return {
    id,
    at: date(created),
    number: number ?? undefined,
    amount: total,
    refunded,
    currency,
    plan: bought?.offer?.plan,
    period: bought?.offer?.period,
    quantity: bought?.quantity ?? undefined,
    state: state === "paid" && refunded > 0 && refunded >= total ? "refunded" : state,
  };
}

/** The ids of the prices on these invoices. */
export function pricesIn(invoices: InvoiceModel[]): string[] {
  const named = invoices.flatMap(({ lines }) => lines.data.map(({ pricing }) => pricing?.price_details?.price));
  return [...new Set(named.filter((price) => price !== undefined))];
}
