import {
  listOf,
  type Params,
  priceAsListed,
  refuse,
  type StripeObject,
  type StripeState,
  type StripeSubscription,
} from "./stripe_peer_state.ts";
import { stripeObject } from "./stripe_schema.ts";

type Call = { id: string; params: Params };
type Handlers = Record<string, (call: Call) => unknown>;
type Line = { price: string; quantity?: number };

const wants = ({ expand = [] }: { expand?: string[] }, name: string) => expand.includes(name);

function catalogue(state: StripeState): Handlers {
  const { products, prices } = state.objects;
  return {
    getProductsId: ({ id }) => state.find("products", id),
    postProducts({ params }) {
      const { id = state.nextId("prod") } = params as { id?: string };
      if (products.has(id)) throw refuse("resource_already_exists", "id", "Product already exists.");
      const made = stripeObject("product", { metadata: {}, ...params, id, active: true, created: state.seconds() });
      products.set(id, made as StripeObject);
      return made;
    },
    getPrices({ params }) {
      const { lookup_keys: keys, active } = params as { lookup_keys?: string[]; active?: boolean };
      const found = [...prices.values()].filter(
        (price) =>
          (!keys || keys.includes(String(price.lookup_key))) && (active === undefined || price.active === active),
      );
      const isWhole = wants(params, "data.currency_options");
      return listOf(isWhole ? found : found.map(priceAsListed), "/v1/prices");
    },
    getPricesId: ({ id }) => priceAsListed(state.find("prices", id)),
    postPrices({ params }) {
      const { product, lookup_key, transfer_lookup_key, currency_options = {}, recurring, ...more } = params;
      state.find("products", product, "product");
      const holder = [...prices.values()].find((price) => price.lookup_key === lookup_key);
      if (holder && !transfer_lookup_key) throw refuse("parameter_invalid", "lookup_key", "A price has it already");
      if (holder) holder.lookup_key = null;
      const options = Object.entries({
        ...(currency_options as Record<string, Params>),
        [String(more.currency)]: { unit_amount: more.unit_amount, tax_behavior: more.tax_behavior },
      }).map(([code, option]) => [
        code,
        { custom_unit_amount: null, tax_behavior: null, unit_amount_decimal: null, ...option },
      ]);
      const { interval } = recurring as { interval: string };
      const made: StripeObject = stripeObject("price", {
        ...more,
        id: state.nextId("price"),
        product,
        lookup_key,
        active: true,
        type: "recurring",
        recurring: { interval, interval_count: 1, meter: null, trial_period_days: null, usage_type: "licensed" },
        currency_options: Object.fromEntries(options),
      });
      prices.set(made.id, made);
      return priceAsListed(made);
    },
  };
}

function customers(state: StripeState): Handlers {
  const { customers } = state.objects;
  return {
    postCustomers({ params }) {
      const { email, name, metadata = {}, preferred_locales = null } = params;
      const part = { id: state.nextId("cus"), email, name, metadata, preferred_locales, created: state.seconds() };
      customers.set(part.id, stripeObject("customer", part));
      return customers.get(part.id);
    },
    getCustomersId: ({ id }) => state.find("customers", id),
    deleteCustomersId({ id }) {
      const customer = state.findCustomer(id, "id");
      for (const subscription of state.subscriptionsOf(id)) state.end(subscription);
      state.emit("customer.deleted", customer);
      const gone = { id, object: "customer", deleted: true };
      customers.set(id, gone);
      return gone;
    },
    getBillingPortalConfigurations: () =>
      listOf([...state.objects.configurations.values()], "/v1/billing_portal/configurations"),
    postBillingPortalConfigurations({ params }) {
      const blank = stripeObject("billing_portal.configuration", {});
      const features = { ...(blank.features as Params) };
      for (const [name, wanted] of Object.entries(params.features as Record<string, Params>))
        features[name] = { ...(features[name] as Params), ...wanted };
      const made = { ...blank, id: state.nextId("bpc"), active: true, features, metadata: params.metadata };
      state.objects.configurations.set(made.id, made);
      return made;
    },
    postBillingPortalSessions({ params }) {
      const customer = state.findCustomer(params.customer);
      state.find("configurations", params.configuration, "configuration");
      const id = state.nextId("bps");
      return stripeObject("billing_portal.session", {
        id,
        customer: customer.id,
        url: `https://billing.stripe.com/p/session/${id}`,
        created: state.seconds(),
        configuration: params.configuration,
        locale: params.locale,
        return_url: params.return_url,
      });
    },
  };
}

function checkouts(state: StripeState): Handlers {
  const { sessions } = state.objects;
  function shown(session: StripeObject, params: Params): StripeObject {
    const { line_items, subscription_data: _, ...rest } = session;
    return (wants(params, "line_items") ? { ...rest, line_items } : rest) as StripeObject;
  }
  return {
    postCheckoutSessions({ params }) {
      const { customer, line_items, currency, mode, subscription_data, ...more } = params as Params & {
        currency: string;
      };
      const owner = state.findCustomer(customer);
      const [line] = line_items as [Line];
      const price = state.find("prices", line.price, "line_items[0][price]");
      const quantity = line.quantity ?? 1;
      const running = state
        .subscriptionsOf(owner.id)
        .find(({ status }) => status === "active" || status === "past_due");
      if (running && running.currency !== currency)
        throw refuse("currency_mismatch", "currency", "You cannot combine currencies on a single customer");
      const amount = state.amountOf(price, currency) * quantity;
      const id = `cs_test_${state.nextId("a1")}`;
      const item = stripeObject("item", {
        id: state.nextId("li"),
        currency,
        quantity,
        price: priceAsListed(price),
        amount_total: amount,
        amount_subtotal: amount,
      });
      const { locale, client_reference_id, success_url, cancel_url, metadata } = more;
      const session: StripeObject = stripeObject("checkout.session", {
        id,
        customer: owner.id,
        currency,
        mode,
        locale,
        client_reference_id,
        success_url,
        cancel_url,
        metadata,
        amount_total: amount,
        amount_subtotal: amount,
        status: "open",
        payment_status: "unpaid",
        url: `https://checkout.stripe.com/c/pay/${id}`,
        created: state.seconds(),
        expires_at: state.seconds() + 24 * 3600,
        line_items: listOf([item], `/v1/checkout/sessions/${id}/line_items`),
        subscription_data,
      });
      sessions.set(id, session);
      return shown(session, params);
    },
    getCheckoutSessionsId: ({ id, params }) => shown(state.find("sessions", id), params),
    postCheckoutSessionsIdExpire({ id, params }) {
      const session = state.find("sessions", id);
      if (session.status !== "open")
        throw refuse("resource_invalid", "status", `Only Checkout Sessions with a status in ["open"] can be expired.`);
      Object.assign(session, { status: "expired", url: null });
      state.emit("checkout.session.expired", shown(session, {}));
      return shown(session, params);
    },
  };
}

type Change = { items?: [{ id?: string; price: string; quantity: number }]; proration_date?: number };

function subscriptions(state: StripeState): Handlers {
  const { invoices } = state.objects;
  const live = (id: string) => {
    const found = state.find("subscriptions", id) as StripeSubscription;
    if (found.status === "canceled") throw refuse("resource_missing", "id", `No such subscription: '${id}'`, 404);
    return found;
  };

  /** Proration: the rest of the running period is credited, and the new price is charged from now on. */
  function linesOf(subscription: StripeSubscription, { items, proration_date: at = state.seconds() }: Change) {
    const [item] = subscription.items.data;
    const [wanted] = items ?? [];
    if (!wanted || wanted.id !== item.id) throw refuse("parameter_invalid", "items[0][id]", "The item has to be named");
    const { current_period_start: start, current_period_end: end } = item;
    if (at < start || at > end) throw refuse("parameter_invalid", "proration_date", "It is not within the period");
    const price = state.find("prices", wanted.price, "items[0][price]");
    const left = (end - at) / (end - start);
    const isSamePeriod = JSON.stringify(price.recurring) === JSON.stringify(item.price.recurring);
    const old = state.find("prices", item.price.id);
    const lines: [string, number, number][] = [
      [old.id, item.quantity, -Math.round(state.amountOf(old, subscription.currency) * item.quantity * left)],
      [
        price.id,
        wanted.quantity,
        Math.round(state.amountOf(price, subscription.currency) * wanted.quantity * (isSamePeriod ? left : 1)),
      ],
    ];
    return { lines, price, quantity: wanted.quantity, isSamePeriod };
  }

  return {
    getSubscriptions({ params }) {
      const { customer, status } = params;
      const found = state.subscriptionsOf(String(customer));
      const listed = status === "all" ? found : found.filter((one) => one.status !== "canceled");
      return listOf(listed.toReversed(), "/v1/subscriptions");
    },
    postSubscriptionsId({ id, params }) {
      const subscription = live(id);
      const { lines, price, quantity, isSamePeriod } = linesOf(subscription, params as Change);
      const isPaid = !state.declined.has(subscription.customer);
      const invoice = state.bill({ subscription, lines, status: isPaid ? "paid" : "open" });
      const [item] = subscription.items.data;
      if (isPaid) {
        Object.assign(item, { price: priceAsListed(price), quantity });
        if (!isSamePeriod)
          Object.assign(item, {
            current_period_start: state.seconds(),
            current_period_end: state.periodAfter(state.seconds(), price),
          });
      } else {
        const pending = { expires_at: state.seconds() + 23 * 3600, billing_cycle_anchor: null, trial_end: null };
        const unchanged = { cancel_at_period_end: null, discount: null, discounts: null, metadata: null };
        subscription.pending_update = { ...pending, ...unchanged, subscription_items: null, trial_from_plan: null };
      }
      state.emit("customer.subscription.updated", subscription);
      return wants(params, "latest_invoice") ? { ...subscription, latest_invoice: invoice } : subscription;
    },
    deleteSubscriptionsId({ id }) {
      const subscription = live(id);
      state.end(subscription);
      return subscription;
    },
    getInvoices({ params }) {
      const found = [...invoices.values()].filter(({ customer }) => customer === params.customer);
      return listOf(found.toReversed(), "/v1/invoices");
    },
    getInvoicesId: ({ id }) => state.find("invoices", id),
    postInvoicesCreatePreview({ params }) {
      state.findCustomer(params.customer);
      const subscription = live(String(params.subscription));
      const { lines } = linesOf(subscription, params.subscription_details as Change);
      const latest = subscription.latest_invoice;
      const preview = state.bill({ subscription, lines, status: "draft" });
      subscription.latest_invoice = latest;
      invoices.delete(preview.id);
      return { ...preview, id: `upcoming_${preview.id}`, hosted_invoice_url: null };
    },
  };
}

/** The implementation of each operation, by its name in the contract. */
export function stripeHandlers(state: StripeState): Handlers {
  return { ...catalogue(state), ...customers(state), ...checkouts(state), ...subscriptions(state) };
}
