import type { Language } from "../shared/language.ts";
import type { Currency, Period, Plan } from "../shared/plans.ts";
import type { Choice } from "./plan.ts";
import type { Purchase } from "./purchase.ts";

/**
 * Why the provider gave no usable answer. `unavailable`: timeout, outage, rate limit or invalid response. `missing`: it does not
 * know this customer, session or invoice (any more). `refused`: it rejects the request, such as for a declined card.
 */
export type GatewayFailure = { ok: false; reason: "unavailable" | "missing" | "refused" };
export type GatewayAnswer<Value> = { ok: true; value: Value } | GatewayFailure;

/** An invoice at the provider. Amounts are in minor units. */
export type Order = {
  id: string;
  at: Date;
  number: string | undefined;
  plan: Plan | undefined;
  quantity: number | undefined;
  period: Period | undefined;
  amount: number;
  refunded: number;
  /** ISO 4217; may be a currency that is no longer offered. */
  currency: string;
  state: "paid" | "open" | "refunded" | "void";
};

/** Everything the provider knows about a customer. */
export type CustomerState = { purchases: Purchase[]; orders: Order[] };

export type NewCustomer = { accountId: string; email: string; name: string; language: Language; key: string };
export type NewCheckout = Choice & {
  accountId: string;
  customerId: string;
  currency: Currency;
  language: Language;
  /** Idempotency key: the same key returns the same session. */
  key: string;
};

/** The outcome of a checkout session. */
export type CheckoutState = Choice & {
  accountId: string | undefined;
  state: "open" | "expired" | "complete";
  /** False for a completed session whose payment is still processing. */
  paid: boolean;
  amount: number;
  currency: string;
};

export type Change = Choice & {
  customerId: string;
  purchase: Purchase;
  /** The instant from which the running period is prorated. */
  at: Date;
};
/** The amount due now, or the credit; one of them is 0. */
export type ChangePrice = { due: number; credit: number; currency: string };
/** `payUrl`: the change takes effect once the payer has confirmed the payment there. */
export type Changed = { payUrl: string | undefined };

/** A payment provider. Called outside of transactions; failures of the provider are returned, never thrown. */
export type PaymentGateway = {
  createCustomer(customer: NewCustomer): Promise<GatewayAnswer<{ customerId: string }>>;
  createCheckout(checkout: NewCheckout): Promise<GatewayAnswer<{ sessionId: string; url: string }>>;
  getCheckout(sessionId: string): Promise<GatewayAnswer<CheckoutState>>;
  /** Makes the session unpayable. Returns "complete" if it has been paid already. */
  expireCheckout(sessionId: string): Promise<GatewayAnswer<"expired" | "complete">>;
  /** The provider's portal for invoices, card and cancellation; the URL is short-lived. */
  createPortal(customerId: string, language: Language): Promise<GatewayAnswer<{ url: string }>>;
  getCustomer(customerId: string): Promise<GatewayAnswer<CustomerState>>;
  previewChange(change: Change): Promise<GatewayAnswer<ChangePrice>>;
  changePlan(change: Change & { key: string }): Promise<GatewayAnswer<Changed>>;
  /** The URL of an invoice, if it belongs to this customer; valid for a limited time. */
  invoiceUrl(customerId: string, orderId: string): Promise<GatewayAnswer<{ url: string }>>;
  /** Cancels everything immediately and deletes the customer. Unknown customers count as deleted. */
  forgetCustomer(customerId: string): Promise<GatewayAnswer<undefined>>;
  /** Parses an event; undefined if the signature is invalid or too old. */
  parseWebhook(body: string, signature: string | undefined): Promise<PaymentEvent | undefined>;
};

/** Only a hint that something about this customer may have changed; the current state is then fetched. */
export type PaymentEvent = { id: string; type: string; customerId: string | undefined };
