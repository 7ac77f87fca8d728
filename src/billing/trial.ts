import type { EventOf } from "../events/catalogue.ts";
import type { Currency, Period, Plan } from "../shared/plans.ts";
import { ok, type Result } from "../shared/result.ts";
import { mailboxMark } from "../shared/stranger_mail.ts";
import { isGranted } from "./grant.ts";
import type { DomainAllowance } from "./plan.ts";
import type { BillingDeps } from "./ports.ts";
import { graceEnd, isCovering, isRunning } from "./purchase.ts";
import {
  daysLeft,
  domainAllowanceOf,
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
  /** The plan granted by the operator, while it lasts. */
  granted: { plan: Plan; quantity: number; until: string } | null;
};

const NOTHING = {
  quantity: null,
  period: null,
  currency: null,
  trialEndsAt: null,
  daysLeft: null,
  periodEnd: null,
  cancelAtPeriodEnd: false,
  graceUntil: null,
  unpaid: false,
  canPortal: false,
  canChange: false,
  granted: null,
};

/** The account's plan; includes the purchase only while that is the effective plan. */
function viewOf(held: Subscription, now: Date): Omit<SubscriptionView, "tracked"> {
  const { purchase, trialEndsAt, customerId } = held;
  const plan = planOf(held, now);
  const granted = held.grant && isGranted(held.grant, now) ? held.grant : undefined;
  // The purchase counts only while it applies: a grant replaces one that has ended.
  const isOver = plan === "trial" || (granted !== undefined && !(purchase && isCovering(purchase, now)));
  const bought = isOver ? undefined : purchase;
  const quantity = bought?.quantity ?? granted?.quantity ?? null;
  return {
    ...NOTHING,
    plan,
    status: statusOf(held, now),
    cap: entitlementOf(held, now).cap,
    quantity,
    ...(bought && { period: bought.period, currency: bought.currency }),
    trialEndsAt: trialEndsAt?.toISOString() ?? null,
    daysLeft: trialEndsAt ? daysLeft(trialEndsAt, now) : null,
    periodEnd: (bought?.cancelAt ?? bought?.periodEnd)?.toISOString() ?? null,
    cancelAtPeriodEnd: bought?.cancelAt !== undefined,
    graceUntil: (bought && graceEnd(bought))?.toISOString() ?? null,
    unpaid: purchase?.status === "past_due" || purchase?.status === "suspended",
    canPortal: customerId !== undefined,
    canChange: purchase !== undefined && isRunning(purchase),
    granted: granted ? { plan: granted.plan, quantity: granted.quantity, until: granted.until.toISOString() } : null,
  };
}

/** The trial, which starts at registration, and the current entitlement. */
export function trial({ transaction, mode, domainLimits, usage, mac, now }: BillingDeps) {
  /** The subscription, regardless of the mode. */
  async function subscriptionViewOf(accountId: string): Promise<SubscriptionView> {
    const tracked = await usage.of(accountId);
    if (mode === "off") return { ...NOTHING, status: "off", plan: "off", cap: null, tracked };
    const held = await transaction(({ subscriptions }) => subscriptions.find(accountId));
    if (!held) return { ...NOTHING, status: "inactive", plan: null, cap: TRIAL_CAP, tracked };
    return { ...viewOf(held, now()), tracked };
  }

  return {
    /** The email is not verified yet: only its verified owner may learn what a former trial has left of this one. */
    onRegistered({ accountId, email }: EventOf<"identity.registered">): Promise<void> {
      return transaction(async ({ subscriptions, formerTrials, events }) => {
        if (mode === "off") return;
        const begun = newTrial(accountId, now(), await formerTrials.find(mailboxMark(mac, email)));
        if (!(await subscriptions.add(begun))) return;
        const { active, cap } = entitlementOf(begun, now());
        const changedAt = now().toISOString();
        await events.publish({ type: "billing.subscriptionChanged", accountId, active, cap, changedAt });
      });
    },

    /** Keeps the end of the trial for the account's former mailbox. */
    onEmailChanged({ accountId, from }: EventOf<"identity.emailChanged">): Promise<void> {
      return transaction(async ({ subscriptions, formerTrials }) => {
        const held = await subscriptions.find(accountId);
        if (held?.trialEndsAt) await formerTrials.add(mailboxMark(mac, from), held.trialEndsAt);
      });
    },

    entitlementOf(accountId: string): Promise<Entitlement> {
      if (mode === "off") return Promise.resolve(UNLIMITED);
      return transaction(async ({ subscriptions }) => entitlementOf(await subscriptions.find(accountId), now()));
    },

    /** What the account may do with whole domains. */
    domainAllowanceOf(accountId: string): Promise<DomainAllowance & { active: boolean }> {
      if (mode === "off") return Promise.resolve({ active: true, domains: null, addresses: null });
      return transaction(async ({ subscriptions }) =>
        domainAllowanceOf(await subscriptions.find(accountId), domainLimits, now()),
      );
    },

    subscriptionViewOf,

    showSubscription: async (accountId: string): Promise<Result<SubscriptionView>> =>
      ok(await subscriptionViewOf(accountId)),
  };
}
