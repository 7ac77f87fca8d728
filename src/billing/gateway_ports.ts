import type { Language } from "../shared/language.ts";
import type { Currency, Period, Plan } from "../shared/plans.ts";
import type { Choice } from "./plan.ts";
import type { Purchase } from "./purchase.ts";

/**
 * Why the provider gave no answer that can be used. `unavailable`: silence, an outage, a limit, nonsense.
 * `missing`: it does not know this customer, session or invoice (any more). `refused`: it will not do that, as with a declined card.
 */
export type GatewayFailure = { ok: false; reason: "unavailable" | "missing" | "refused" };
export type GatewayAnswer<Value> = { ok: true; value: Value } | GatewayFailure;

/** One invoice, as the provider has it. Amounts are in minor units. */
export type Order = {
  id: string;
  at: Date;
  number: string | undefined;
  plan: Plan | undefined;
  quantity: number | undefined;
  period: Period | undefined;
  amount: number;
  refunded: number;
  /** ISO 4217; also one that is not offered any more. */
  currency: string;
  state: "paid" | "open" | "refunded" | "void";
};

/** All that the provider knows of a customer. */
export type CustomerState = { purchases: Purchase[]; orders: Order[] };

export type NewCustomer = { accountId: string; email: string; name: string; language: Language; key: string };
export type NewCheckout = Choice & {
  accountId: string;
  customerId: string;
  currency: Currency;
  language: Language;
  /** The same key gives the same session, however often it is asked for. */
  key: string;
};

/** What happened on the payment page. */
export type CheckoutState = Choice & {
  accountId: string | undefined;
  state: "open" | "expired" | "complete";
  /** False for a complete one whose payment is on its way. */
  paid: boolean;
  amount: number;
  currency: string;
};

export type Change = Choice & {
  customerId: string;
  purchase: Purchase;
  /** From which moment the running period is split. */
  at: Date;
};
/** What a change costs now, or what it gives back as credit; one of them is 0. */
export type ChangePrice = { due: number; credit: number; currency: string };
/** `payUrl`: it takes effect once the payer has confirmed the payment there. */
export type Changed = { payUrl: string | undefined };

/** A payment provider. It is asked outside of transactions, and never throws for what the provider does. */
export type PaymentGateway = {
  createCustomer(customer: NewCustomer): Promise<GatewayAnswer<{ customerId: string }>>;
  createCheckout(checkout: NewCheckout): Promise<GatewayAnswer<{ sessionId: string; url: string }>>;
  getCheckout(sessionId: string): Promise<GatewayAnswer<CheckoutState>>;
  /** It cannot be paid any more; or it was already, which is the answer then. */
  expireCheckout(sessionId: string): Promise<GatewayAnswer<"expired" | "complete">>;
  /** Pages of the provider for invoices, card and cancelling; the address is good for a moment. */
  createPortal(customerId: string, language: Language): Promise<GatewayAnswer<{ url: string }>>;
  getCustomer(customerId: string): Promise<GatewayAnswer<CustomerState>>;
  previewChange(change: Change): Promise<GatewayAnswer<ChangePrice>>;
  changePlan(change: Change & { key: string }): Promise<GatewayAnswer<Changed>>;
  /** The address of an invoice, if it is this customer's; good for a while. */
  invoiceUrl(customerId: string, orderId: string): Promise<GatewayAnswer<{ url: string }>>;
  /** Ends everything at once and forgets the customer. An unknown one is forgotten already. */
  forgetCustomer(customerId: string): Promise<GatewayAnswer<undefined>>;
  /** What an event tells, if the provider has signed it; undefined: it has not, or too long ago. */
  parseWebhook(body: string, signature: string | undefined): Promise<PaymentEvent | undefined>;
};

/** Only a hint: something about this customer may have changed. What, is asked. */
export type PaymentEvent = { id: string; type: string; customerId: string | undefined };
