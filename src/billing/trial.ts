import type { EventOf } from "../events/catalogue.ts";
import type { Currency, Period, Plan } from "../shared/plans.ts";
import { ok, type Result } from "../shared/result.ts";
import type { BillingDeps } from "./ports.ts";
import { graceEnd, isRunning } from "./purchase.ts";
import {
  daysLeft,
  type Entitlement,
  entitlementOf,
  newTrial,
  planOf,
  type Status,
  type Subscription,
  statusOf,
  TRIAL_CAP,
} from "./subscription.ts";

const UNLIMITED: Entitlement = { active: true, cap: null };

export type SubscriptionView = {
  status: Status | "off";
  plan: Plan | "trial" | "off" | null;
  quantity: number | null;
  period: Period | null;
  currency: Currency | null;
  cap: number | null;
  tracked: number;
  trialEndsAt: string | null;
  daysLeft: number | null;
  periodEnd: string | null;
  cancelAtPeriodEnd: boolean;
  graceUntil: string | null;
  unpaid: boolean;
  canPortal: boolean;
  canChange: boolean;
};

const NOTHING = {
  ...{ quantity: null, period: null, currency: null, trialEndsAt: null, daysLeft: null, periodEnd: null },
  ...{ cancelAtPeriodEnd: false, graceUntil: null, unpaid: false, canPortal: false, canChange: false },
};

/** What the account's plan says of itself; of a purchase only while it is the plan. */
function viewOf(held: Subscription, now: Date): Omit<SubscriptionView, "tracked"> {
  const { purchase, trialEndsAt, customerId } = held;
  const plan = planOf(held, now);
  const bought = plan === "trial" ? undefined : purchase;
  return {
    ...NOTHING,
    ...{ plan, status: statusOf(held, now), cap: entitlementOf(held, now).cap },
    ...(bought && { quantity: bought.quantity, period: bought.period, currency: bought.currency }),
    trialEndsAt: trialEndsAt?.toISOString() ?? null,
    daysLeft: trialEndsAt ? daysLeft(trialEndsAt, now) : null,
    periodEnd: (bought?.cancelAt ?? bought?.periodEnd)?.toISOString() ?? null,
    cancelAtPeriodEnd: bought?.cancelAt !== undefined,
    graceUntil: (bought && graceEnd(bought))?.toISOString() ?? null,
    unpaid: purchase?.status === "past_due" || purchase?.status === "suspended",
    canPortal: customerId !== undefined,
    canChange: purchase !== undefined && isRunning(purchase),
  };
}

/** The trial from registration on, and what an account has at any moment. */
export function trial({ transaction, mode, usage, now }: BillingDeps) {
  return {
    onRegistered({ accountId }: EventOf<"identity.registered">): Promise<void> {
      return transaction(async ({ subscriptions, events }) => {
        if (mode === "off" || !(await subscriptions.add(newTrial(accountId, now())))) return;
        await events.publish({
          type: "billing.subscriptionChanged",
          accountId,
          active: true,
          cap: TRIAL_CAP,
          changedAt: now().toISOString(),
        });
      });
    },

    /** What the account may do now. */
    entitlementOf(accountId: string): Promise<Entitlement> {
      if (mode === "off") return Promise.resolve(UNLIMITED);
      return transaction(async ({ subscriptions }) => entitlementOf(await subscriptions.find(accountId), now()));
    },

    async showSubscription(accountId: string): Promise<Result<SubscriptionView>> {
      const tracked = await usage.of(accountId);
      if (mode === "off") return ok({ ...NOTHING, status: "off", plan: "off", cap: null, tracked });
      const held = await transaction(({ subscriptions }) => subscriptions.find(accountId));
      if (!held) return ok({ ...NOTHING, status: "inactive", plan: null, cap: TRIAL_CAP, tracked });
      return ok({ ...viewOf(held, now()), tracked });
    },
  };
}
