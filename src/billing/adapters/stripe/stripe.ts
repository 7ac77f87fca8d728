import { Stripe } from "stripe";
import * as v from "valibot";
import type { Language } from "../../../shared/language.ts";
import { MAX_QUANTITY, multiplies } from "../../../shared/plans.ts";
import type { Change, CheckoutState, GatewayAnswer, NewCheckout, PaymentGateway } from "../../gateway_ports.ts";
import { caller, type OnTrouble } from "./stripe_call.ts";
import { changePlan, previewChange } from "./stripe_changes.ts";
import { stripeEvents } from "./stripe_events.ts";
import {
  checkoutModel,
  invoiceModel,
  isOurs,
  linkModel,
  listOf,
  namedModel,
  offerOf,
  orderOf,
  pricesIn,
  purchaseOf,
  subscriptionModel,
} from "./stripe_model.ts";
import { stripePortal } from "./stripe_portal.ts";
import { stripePrices } from "./stripe_prices.ts";

export type StripeDeps = {
  baseUrl: string;
  secretKey: string;
  webhookSecret: string;
  /** Stripe Tax: off, or on with prices that include or exclude tax. */
  tax: "off" | "inclusive" | "exclusive";
  promotionCodes: boolean;
  publicUrl: string;
  now: () => Date;
  /** Reports errors to the operator, without the request's content. */
  onTrouble: OnTrouble;
  timeoutMs?: number;
};

const TIMEOUT_MS = 15_000;
const RETRIES = 1;
const LISTED = 100;

const answer = <Value>(value: Value): GatewayAnswer<Value> => ({ ok: true, value });
const missing = { ok: false, reason: "missing" } as const;

function clientOf({ baseUrl, secretKey, timeoutMs = TIMEOUT_MS }: StripeDeps): Stripe {
  const { protocol, hostname, port } = new URL(baseUrl);
  return new Stripe(secretKey, {
    host: hostname,
    port: port === "" ? (protocol === "https:" ? 443 : 80) : Number(port),
    protocol: protocol === "https:" ? "https" : "http",
    timeout: timeoutMs,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    // Uses the proxy of HTTPS_PROXY, as Stripe's own client does not.
    httpClient: Stripe.createFetchHttpClient(),
  });
}

/** The parameters of the hosted checkout page. */
function checkoutParams(
  { accountId, customerId, plan, quantity, currency, language }: NewCheckout,
  price: string,
  { publicUrl, tax, promotionCodes }: StripeDeps,
): Stripe.Checkout.SessionCreateParams {
  const adjustable = { adjustable_quantity: { enabled: true, minimum: 1, maximum: MAX_QUANTITY } };
  const metadata = { account_id: accountId, plan };
  return {
    mode: "subscription",
    customer: customerId,
    client_reference_id: accountId,
    line_items: [{ price, quantity, ...(multiplies(plan) && adjustable) }],
    currency: currency.toLowerCase(),
    locale: language,
    metadata,
    subscription_data: { metadata },
    // Stripe fills in the session. The fragment keeps it out of logs and Referer headers.
    success_url: `${publicUrl}/${language}/success-order#t={CHECKOUT_SESSION_ID}`,
    cancel_url: `${publicUrl}/${language}/subscription`,
    payment_method_collection: "always",
    billing_address_collection: "auto",
    ...(promotionCodes && { allow_promotion_codes: true }),
    ...(tax !== "off" && {
      automatic_tax: { enabled: true },
      tax_id_collection: { enabled: true },
      customer_update: { address: "auto", name: "auto" },
    }),
  };
}

function checkoutStateOf(session: v.InferOutput<typeof checkoutModel>): CheckoutState | undefined {
  const [line] = session.line_items?.data ?? [];
  const offer = line?.price && offerOf(line.price);
  if (!offer || session.status === null) return undefined;
  return {
    ...offer,
    quantity: line.quantity ?? 1,
    state: session.status,
    amount: session.amount_total ?? 0,
    accountId: session.client_reference_id ?? undefined,
    paid: session.status === "complete" && session.payment_status !== "unpaid",
    currency: session.currency ?? "",
  };
}

/** Stripe, through its official client. Entitlements follow from its subscriptions only, never from a browser or an event. */
export function stripePayments(deps: StripeDeps): PaymentGateway {
  const { publicUrl, tax, now, onTrouble } = deps;
  const stripe = clientOf(deps);
  const call = caller(onTrouble);
  const prices = stripePrices({ stripe, tax, now });
  const portal = stripePortal({ stripe, publicUrl });
  const changeOf = async (change: Change) => ({ ...change, price: await prices.idOf(change) });

  const listSubscriptions = async (customer: string) =>
    v
      .parse(listOf(v.unknown()), await stripe.subscriptions.list({ customer, status: "all", limit: LISTED }))
      .data.flatMap((one) => {
        // Other products on the same account may have any shape.
        const parsed = v.safeParse(subscriptionModel, one);
        if (!parsed.success && isOurs(one)) throw new v.ValiError(parsed.issues);
        return parsed.success ? [parsed.output] : [];
      });

  return {
    createCustomer: ({ accountId, email, name, language, key }) =>
      call(async () => {
        const params = { email, name, preferred_locales: [language], metadata: { account_id: accountId } };
        const made = await stripe.customers.create(params, { idempotencyKey: key });
        return answer({ customerId: v.parse(namedModel, made).id });
      }),

    createCheckout: (checkout) =>
      call(async () => {
        const params = checkoutParams(checkout, await prices.idOf(checkout), deps);
        const made = await stripe.checkout.sessions.create(params, { idempotencyKey: checkout.key });
        const { id: sessionId, url } = v.parse(v.object({ id: v.string(), url: v.string() }), made);
        return answer({ sessionId, url });
      }),

    getCheckout: (sessionId) =>
      call(async () => {
        const found = await stripe.checkout.sessions.retrieve(sessionId, { expand: ["line_items"] });
        const state = checkoutStateOf(v.parse(checkoutModel, found));
        return state ? answer(state) : missing;
      }),

    expireCheckout: (sessionId) =>
      call(async () => {
        const found = v.parse(checkoutModel, await stripe.checkout.sessions.retrieve(sessionId));
        if (found.status !== "open") return answer(found.status === "complete" ? "complete" : "expired");
        const ended = v.parse(checkoutModel, await stripe.checkout.sessions.expire(sessionId));
        return answer(ended.status === "complete" ? "complete" : "expired");
      }),

    createPortal: (customerId: string, language: Language) =>
      call(async () => answer(v.parse(linkModel, await portal.open(customerId, language)))),

    getCustomer: (customerId) =>
      call(async () => {
        const customer = v.parse(
          v.object({ id: v.string(), deleted: v.optional(v.boolean()) }),
          await stripe.customers.retrieve(customerId),
        );
        if (customer.deleted) return missing;
        const subscriptions = await listSubscriptions(customerId);
        const listed = await stripe.invoices.list({ customer: customerId, limit: LISTED });
        const invoices = v.parse(listOf(invoiceModel), listed).data;
        const offers = await prices.offersOf(pricesIn(invoices));
        return answer({
          purchases: subscriptions.flatMap((one) => purchaseOf(one, invoices) ?? []),
          orders: invoices.flatMap((one) => orderOf(one, offers) ?? []),
        });
      }),

    previewChange: (change) => call(async () => answer(await previewChange(stripe, await changeOf(change)))),
    changePlan: ({ key, ...change }) =>
      call(async () => answer(await changePlan(stripe, { ...(await changeOf(change)), key }))),

    invoiceUrl: (customerId, orderId) =>
      call(async () => {
        const { customer, hosted_invoice_url: url } = v.parse(invoiceModel, await stripe.invoices.retrieve(orderId));
        return customer === customerId && url ? answer({ url }) : missing;
      }),

    async forgetCustomer(customerId) {
      const forgotten = await call(async () => {
        for (const { id, status } of await listSubscriptions(customerId))
          if (status !== "canceled" && status !== "incomplete_expired") await stripe.subscriptions.cancel(id);
        await stripe.customers.del(customerId);
        return answer(undefined);
      });
      return !forgotten.ok && forgotten.reason === "missing" ? answer(undefined) : forgotten;
    },

    parseWebhook: stripeEvents({ stripe, ...deps }),
  };
}
