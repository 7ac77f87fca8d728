import type { EventPublisher } from "../events/catalogue.ts";
import type { Due } from "../shared/due.ts";
import type { Language } from "../shared/language.ts";
import type { Mac } from "../shared/secrets.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { Order, PaymentGateway } from "./gateway_ports.ts";
import type { Choice } from "./plan.ts";
import type { Subscription } from "./subscription.ts";

export type SubscriptionRepository = {
  find(accountId: string): Promise<Subscription | undefined>;
  /** Like `find`, with a row lock until the end of the transaction. */
  findForUpdate(accountId: string): Promise<Subscription | undefined>;
  /** The account of a customer. */
  findAccount(customerId: string): Promise<string | undefined>;
  /** False when the account has one already. */
  add(subscription: Subscription): Promise<boolean>;
  /** Saves a subscription that is locked. */
  save(subscription: Subscription): Promise<void>;
  remove(accountId: string): Promise<void>;
  /**
   * Accounts whose entitlement has changed by time without being announced, the longest overdue first, those that follow `after`
   * in this order.
   */
  listOverdue(now: Date, after: Due | undefined, limit: number): Promise<Due[]>;
  /** Accounts whose trial, plan or grace period ends within this range. */
  listEnding(from: Date, until: Date): Promise<string[]>;
  /** Claims accounts to reconcile with the provider; each is due again at `again`, in case this run is interrupted. */
  claimDue(now: Date, again: Date, limit: number): Promise<string[]>;
};

/** A checkout session. */
export type Checkout = Choice & {
  sessionId: string;
  accountId: string;
  currency: string;
  click: string;
  at: Date;
  state: "open" | "complete" | "expired";
};
export type CheckoutRepository = {
  /** Does nothing if it exists already. */
  add(checkout: Checkout): Promise<void>;
  find(sessionId: string): Promise<Checkout | undefined>;
  /** Newest first. */
  list(accountId: string): Promise<Checkout[]>;
  setState(sessionId: string, state: Checkout["state"]): Promise<void>;
  removeAll(accountId: string): Promise<void>;
};

export type OrderRepository = {
  /** Upserts. */
  saveAll(accountId: string, orders: Order[]): Promise<void>;
  /** Newest first. */
  list(accountId: string, limit: number): Promise<Order[]>;
  has(accountId: string, orderId: string): Promise<boolean>;
  removeAll(accountId: string): Promise<void>;
};

/** The end of each mailbox's first trial, by the mailbox's HMAC: a new account continues the old trial. */
export type FormerTrialRepository = {
  /** The earliest end is kept. */
  add(mark: string, endsAt: Date): Promise<void>;
  find(mark: string): Promise<Date | undefined>;
};

/** Notices that an account has received. */
export type NoticeRepository = {
  /** True for the one caller that is to send it. */
  add(accountId: string, key: string, at: Date): Promise<boolean>;
  list(accountId: string): Promise<{ key: string; at: Date }[]>;
  removeAll(accountId: string): Promise<void>;
};

/** Events of the provider that have been processed, to ignore repetitions. */
export type PaymentEventRepository = {
  has(id: string): Promise<boolean>;
  add(id: string, at: Date): Promise<void>;
  removeBefore(at: Date): Promise<void>;
};

/** The customer of a deleted account, to be deleted at the provider as well. */
export type Farewell = { customerId: string; sessionIds: string[]; attempts: number; dueAt: Date };
export type FarewellRepository = {
  add(farewell: Farewell): Promise<void>;
  claimDue(now: Date, again: Date, limit: number): Promise<Farewell[]>;
  retryAt(customerId: string, dueAt: Date): Promise<void>;
  remove(customerId: string): Promise<void>;
};

export type BillingStore = {
  subscriptions: SubscriptionRepository;
  checkouts: CheckoutRepository;
  orders: OrderRepository;
  notices: NoticeRepository;
  paymentEvents: PaymentEventRepository;
  farewells: FarewellRepository;
  formerTrials: FormerTrialRepository;
  events: EventPublisher;
};

/** `off`: no payments, no limits. `sandbox`: everything works, but no money moves. */
export type BillingMode = "off" | "sandbox" | "stripe";

export type Payer = { email: string; language: Language; firstName: string; lastName: string };

export type BillingDeps = {
  transaction: Transaction<BillingStore>;
  mode: BillingMode;
  /** What one Professional allows of whole domains. */
  domainLimits: { domains: number; addresses: number };
  payments: PaymentGateway;
  /** Implemented by identity: the payer; undefined when the account has been deleted. */
  payers: { of(accountId: string): Promise<Payer | undefined> };
  /** Implemented by tracking: how many addresses the account tracks. */
  usage: { of(accountId: string): Promise<number> };
  mac: Mac;
  now: () => Date;
  newId: () => string;
  report: (error: unknown, context: Record<string, unknown>) => void;
};
