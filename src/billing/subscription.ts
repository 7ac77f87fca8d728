import { type Plan, TRIAL_DAYS } from "../shared/plans.ts";
import { capOf } from "./plan.ts";
import { endOf, graceEnd, isCovering, type Purchase } from "./purchase.ts";

const DAY_MS = 24 * 3_600_000;
/** Personal's capacity, which the trial has too. */
export const TRIAL_CAP = 3;

/** What one account has: its trial, what it bought, and how much of both has been announced. */
export type Subscription = {
  accountId: string;
  startedAt: Date;
  /** Undefined for an account that never had a trial, as it came when nobody paid. */
  trialEndsAt: Date | undefined;
  purchase: Purchase | undefined;
  /** When time alone changes what is allowed. */
  endsAt: Date | undefined;
  /** Since when the others have known that nothing is allowed. */
  endedAt: Date | undefined;
  /** The capacity that the others know of; null is unlimited. */
  cap: number | null;
  /** The provider's name for the account, and how many of these it has had. */
  customerId: string | undefined;
  customers: number;
  /** The newest question to the provider, and the newest one whose answer is stored: an older answer is not. */
  asked: number;
  answered: number;
  /** When the provider is asked next, for what it may have told in vain. */
  askAt: Date | undefined;
  /** Until then one press of the button has the turn. */
  checkoutUntil: Date | undefined;
};

/** What an account may do now; `cap` null is unlimited. */
export type Entitlement = { active: boolean; cap: number | null };

export function newSubscription(accountId: string, startedAt: Date, trialEndsAt: Date | undefined): Subscription {
  return {
    ...{ accountId, startedAt, trialEndsAt, endsAt: trialEndsAt, cap: TRIAL_CAP },
    ...{ purchase: undefined, customerId: undefined, customers: 0, asked: 0, answered: 0 },
    endedAt: trialEndsAt ? undefined : startedAt,
    ...{ askAt: undefined, checkoutUntil: undefined },
  };
}

export function newTrial(accountId: string, now: Date): Subscription {
  return newSubscription(accountId, now, new Date(now.getTime() + TRIAL_DAYS * DAY_MS));
}

type Held = Pick<Subscription, "purchase" | "trialEndsAt">;

function inTrial({ trialEndsAt }: Held, now: Date): boolean {
  return trialEndsAt !== undefined && now < trialEndsAt;
}

/** Decided by the time itself, not by the job that announces ends. */
export function entitlementOf(subscription: Held | undefined, now: Date): Entitlement {
  const { purchase } = subscription ?? {};
  if (purchase && isCovering(purchase, now)) return { active: true, cap: capOf(purchase.plan, purchase.quantity) };
  const active = subscription !== undefined && inTrial(subscription, now);
  return { active, cap: active || !purchase ? TRIAL_CAP : capOf(purchase.plan, purchase.quantity) };
}

/** When time alone changes that, seen from `now`. */
export function nextEnd(held: Held, now: Date): Date | undefined {
  if (held.purchase && isCovering(held.purchase, now)) return endOf(held.purchase);
  return inTrial(held, now) ? held.trialEndsAt : undefined;
}

/** Which plan counts now, or counted last. */
export function planOf(held: Held, now: Date): Plan | "trial" | null {
  const { purchase, trialEndsAt } = held;
  if (purchase && (isCovering(purchase, now) || !inTrial(held, now))) return purchase.plan;
  return trialEndsAt ? "trial" : null;
}

export type Status = "trial" | "active" | "grace" | "inactive";

export function statusOf(subscription: Held | undefined, now: Date): Status {
  const { purchase } = subscription ?? {};
  if (purchase && isCovering(purchase, now)) return graceEnd(purchase) ? "grace" : "active";
  return subscription && inTrial(subscription, now) ? "trial" : "inactive";
}

/** Whole days that remain, the running one included. */
export function daysLeft(end: Date, now: Date): number {
  return Math.max(0, Math.ceil((end.getTime() - now.getTime()) / DAY_MS));
}
