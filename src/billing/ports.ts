import type { EventPublisher } from "../events/catalogue.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { Subscription } from "./subscription.ts";

export type SubscriptionRepository = {
  find(accountId: string): Promise<Subscription | undefined>;
  /** False when the account has one already. */
  add(subscription: Subscription): Promise<boolean>;
  remove(accountId: string): Promise<void>;
  /** Trials past their end that nobody has ended yet, at most `limit`. */
  listOverdue(now: Date, limit: number): Promise<Subscription[]>;
  /** True for the one caller that ends it. */
  markEnded(accountId: string, now: Date): Promise<boolean>;
};

export type BillingStore = { subscriptions: SubscriptionRepository; events: EventPublisher };

/** `off`: nobody pays, nothing is capped. `sandbox`: trials run, and no money moves. */
export type BillingMode = "off" | "sandbox";

export type BillingDeps = { transaction: Transaction<BillingStore>; mode: BillingMode; now: () => Date };
