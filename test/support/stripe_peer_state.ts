import { checkEvent, STRIPE_VERSION, stripeObject } from "./stripe_schema.ts";

export type Params = Record<string, unknown>;
export type StripeObject = { id: string } & Record<string, unknown>;
type Item = StripeObject & {
  price: StripeObject;
  quantity: number;
  current_period_start: number;
  current_period_end: number;
};
export type StripeSubscription = StripeObject & {
  status: string;
  customer: string;
  currency: string;
  items: { data: [Item] };
  cancel_at_period_end: boolean;
};
export type StripeEvent = { id: string; type: string; body: string };
/** Stripe's error responses. */
export class StripeRefusal extends Error {
  readonly status: number;
  readonly error: { type: string; code?: string; param?: string; message: string };

  constructor(status: number, error: StripeRefusal["error"]) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}
export const refuse = (code: string, param: string, message: string, status = 400) =>
  new StripeRefusal(status, { type: "invalid_request_error", code, param, message });

const list = (data: unknown[], url: string) => ({ object: "list", data, has_more: false, url });

export { list as listOf };

export type Bill = {
  subscription: StripeSubscription;
  lines: [price: string, quantity: number, amount: number][];
  status: string;
};

/** The state of this fake Stripe and its automatic behaviour. Times are Unix seconds, as in the API. */
export function stripeState(now: () => Date) {
  let count = 0;
  const nextId = (kind: string) => `${kind}_${String(++count).padStart(14, "0")}`;
  const seconds = () => Math.floor(now().getTime() / 1000);
  const objects = {
    products: new Map<string, StripeObject>(),
    prices: new Map<string, StripeObject>(),
    customers: new Map<string, StripeObject>(),
    sessions: new Map<string, StripeObject>(),
    subscriptions: new Map<string, StripeSubscription>(),
    invoices: new Map<string, StripeObject>(),
    configurations: new Map<string, StripeObject>(),
  };
  const events: StripeEvent[] = [];
  /** Customers whose card is declined. */
  const declined = new Set<string>();

  function find(kind: keyof typeof objects, id: unknown, param = "id"): StripeObject {
    const found = objects[kind].get(String(id));
    if (!found) throw refuse("resource_missing", param, `No such ${kind.slice(0, -1)}: '${id}'`, 404);
    return found;
  }

  function findCustomer(id: unknown, param = "customer"): StripeObject {
    const found = find("customers", id, param);
    if (found.deleted) throw refuse("resource_missing", param, `No such customer: '${id}'`, 400);
    return found;
  }

  /** Records an event with a copy of the object's current state. */
  function emit(type: string, object: StripeObject): void {
    const event = stripeObject("event", {
      id: nextId("evt"),
      object: "event",
      type,
      api_version: STRIPE_VERSION,
      created: seconds(),
      data: { object: structuredClone(object) },
      pending_webhooks: 1,
    });
    checkEvent(type, event);
    events.push({ id: event.id, type, body: JSON.stringify(event) });
  }

  function periodAfter(start: number, price: StripeObject): number {
    const date = new Date(start * 1000);
    const { interval } = price.recurring as { interval: string };
    date.setUTCMonth(date.getUTCMonth() + (interval === "month" ? 1 : 12));
    return date.getTime() / 1000;
  }

  function amountOf(price: StripeObject, currency: string): number {
    const options = price.currency_options as Record<string, { unit_amount: number }> | undefined;
    const amount = price.currency === currency ? price.unit_amount : options?.[currency]?.unit_amount;
    if (typeof amount !== "number")
      throw refuse("parameter_invalid", "currency", `The price ${price.id} is not offered in ${currency}`);
    return amount;
  }

  function bill({ subscription, lines, status }: Bill): StripeObject {
    const id = nextId("in");
    const total = lines.reduce((sum, [, , amount]) => sum + amount, 0);
    const { customer, currency } = subscription;
    const due = Math.max(0, total);
    const invoice: StripeObject = stripeObject("invoice", {
      id,
      customer,
      currency,
      status,
      total,
      subtotal: total,
      created: seconds(),
      number: `BB-${count}`,
      amount_due: due,
      amount_paid: status === "paid" ? due : 0,
      amount_remaining: status === "paid" ? 0 : due,
      hosted_invoice_url: `https://invoice.stripe.com/i/${id}`,
      parent: {
        type: "subscription_details",
        quote_details: null,
        subscription_details: { metadata: {}, subscription: subscription.id },
      },
      lines: list(
        lines.map(([price, quantity, amount]) =>
          stripeObject("line_item", {
            id: nextId("il"),
            amount,
            currency,
            quantity,
            subtotal: amount,
            invoice: id,
            pricing: { price_details: { price, product: "prod" }, type: "price_details", unit_amount_decimal: null },
          }),
        ),
        `/v1/invoices/${id}/lines`,
      ),
    });
    objects.invoices.set(id, invoice);
    subscription.latest_invoice = id;
    return invoice;
  }

  type NewSubscription = {
    customer: string;
    currency: string;
    price: StripeObject;
    quantity: number;
    metadata: Params;
  };

  function subscribe({ customer, currency, price, quantity, metadata }: NewSubscription): StripeSubscription {
    const id = nextId("sub");
    const start = seconds();
    const item = stripeObject("subscription_item", {
      id: nextId("si"),
      subscription: id,
      price: priceAsListed(price),
      quantity,
      created: start,
      tax_rates: [],
      current_period_start: start,
      current_period_end: periodAfter(start, price),
      plan: { id: price.id, object: "plan" },
    });
    const subscription = stripeObject("subscription", {
      id,
      customer,
      currency,
      status: "active",
      created: start,
      start_date: start,
      metadata,
      items: list([item], "/v1/subscription_items"),
    }) as unknown as StripeSubscription;
    objects.subscriptions.set(id, subscription);
    return subscription;
  }

  function end(subscription: StripeSubscription): void {
    if (subscription.status === "canceled") return;
    Object.assign(subscription, { status: "canceled", ended_at: seconds(), canceled_at: seconds() });
    emit("customer.subscription.deleted", subscription);
  }

  const subscriptionsOf = (customer: string) =>
    [...objects.subscriptions.values()].filter((one) => one.customer === customer);

  return {
    objects,
    events,
    declined,
    nextId,
    seconds,
    find,
    findCustomer,
    emit,
    periodAfter,
    amountOf,
    bill,
    subscribe,
    end,
    subscriptionsOf,
  };
}

export type StripeState = ReturnType<typeof stripeState>;

/** Amounts in other currencies are only returned when expanded. */
export function priceAsListed({ currency_options: _, ...price }: StripeObject): StripeObject {
  return price as StripeObject;
}
