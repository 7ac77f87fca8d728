import type { EventPublisher } from "../events/catalogue.ts";
import type { Language } from "../shared/language.ts";
import type { Mac } from "../shared/secrets.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { Order, PaymentGateway } from "./gateway_ports.ts";
import type { Choice } from "./plan.ts";
import type { Subscription } from "./subscription.ts";

export type SubscriptionRepository = {
  find(accountId: string): Promise<Subscription | undefined>;
  /** The same, and nobody else can change it before this transaction ends. */
  hold(accountId: string): Promise<Subscription | undefined>;
  /** Whose customer this is. */
  findAccount(customerId: string): Promise<string | undefined>;
  /** False when the account has one already. */
  add(subscription: Subscription): Promise<boolean>;
  /** Of one that is held. */
  save(subscription: Subscription): Promise<void>;
  remove(accountId: string): Promise<void>;
  /** Accounts whose entitlement time has changed and nobody has announced it, at most `limit`, the longest first. */
  listOverdue(now: Date, limit: number): Promise<string[]>;
  /** Accounts whose trial, plan or grace ends within a while. */
  listEnding(from: Date, until: Date): Promise<string[]>;
  /** Accounts that the provider is to be asked about; each is due again at `again`, should this run end half-way. */
  claimDue(now: Date, again: Date, limit: number): Promise<string[]>;
};

/** A visit to the payment page. */
export type Checkout = Choice & {
  sessionId: string;
  accountId: string;
  currency: string;
  click: string;
  at: Date;
  state: "open" | "complete" | "expired";
};
export type CheckoutRepository = {
  /** One that is there already stays as it is. */
  add(checkout: Checkout): Promise<void>;
  find(sessionId: string): Promise<Checkout | undefined>;
  /** Newest first. */
  list(accountId: string): Promise<Checkout[]>;
  setState(sessionId: string, state: Checkout["state"]): Promise<void>;
  removeAll(accountId: string): Promise<void>;
};

export type OrderRepository = {
  /** Adds what is new and replaces what is known. */
  saveAll(accountId: string, orders: Order[]): Promise<void>;
  /** Newest first. */
  list(accountId: string, limit: number): Promise<Order[]>;
  has(accountId: string, orderId: string): Promise<boolean>;
  removeAll(accountId: string): Promise<void>;
};

/** When the first trial of a mailbox ends, by its mark: whoever comes back goes on with it. */
export type FormerTrialRepository = {
  /** The earliest end stays. */
  add(mark: string, endsAt: Date): Promise<void>;
  find(mark: string): Promise<Date | undefined>;
};

/** What an account was told already. */
export type NoticeRepository = {
  /** True for the one caller that is to tell it. */
  add(accountId: string, key: string, at: Date): Promise<boolean>;
  list(accountId: string): Promise<{ key: string; at: Date }[]>;
  removeAll(accountId: string): Promise<void>;
};

/** Events of the provider that are done with, so that a repeated one is. */
export type PaymentEventRepository = {
  has(id: string): Promise<boolean>;
  add(id: string, at: Date): Promise<void>;
  removeBefore(at: Date): Promise<void>;
};

/** A customer of an account that is gone: to be forgotten by the provider too, sooner or later. */
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

/** `off`: nobody pays, nothing is capped. `sandbox`: everything runs, and no money moves. */
export type BillingMode = "off" | "sandbox" | "stripe";

export type Payer = { email: string; language: Language; firstName: string; lastName: string };

export type BillingDeps = {
  transaction: Transaction<BillingStore>;
  mode: BillingMode;
  payments: PaymentGateway;
  /** Who pays; undefined when the account is gone. */
  payers: { of(accountId: string): Promise<Payer | undefined> };
  /** How many addresses the account tracks. */
  usage: { of(accountId: string): Promise<number> };
  mac: Mac;
  now: () => Date;
  newId: () => string;
  report: (error: unknown, context: Record<string, unknown>) => void;
};
