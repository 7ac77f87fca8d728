import { type Plan, TRIAL_DAYS } from "../shared/plans.ts";
import { type Grant, isGranted } from "./grant.ts";
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
  /** What the operator gave, beside whatever is bought; the last one stays when it is over. */
  grant: Grant | undefined;
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
    ...{ purchase: undefined, grant: undefined, customerId: undefined, customers: 0, asked: 0, answered: 0 },
    endedAt: trialEndsAt ? undefined : startedAt,
    ...{ askAt: undefined, checkoutUntil: undefined },
  };
}

/** `former`: when the first trial of its mailbox ends. A second one goes on with that. */
export function newTrial(accountId: string, now: Date, former?: Date): Subscription {
  const end = new Date(Math.min(now.getTime() + TRIAL_DAYS * DAY_MS, former?.getTime() ?? Number.POSITIVE_INFINITY));
  const trial = newSubscription(accountId, now, end);
  return end > now ? trial : { ...trial, endsAt: undefined, endedAt: now };
}

type Held = Pick<Subscription, "purchase" | "grant" | "trialEndsAt">;

function inTrial({ trialEndsAt }: Held, now: Date): boolean {
  return trialEndsAt !== undefined && now < trialEndsAt;
}

const widest = (caps: (number | null)[]): number | null => (caps.includes(null) ? null : Math.max(...caps.map(Number)));

/** Decided by the time itself, not by the job that announces ends. */
export function entitlementOf(subscription: Held | undefined, now: Date): Entitlement {
  const { purchase, grant } = subscription ?? {};
  const running = [purchase && isCovering(purchase, now) && purchase, grant && isGranted(grant, now) && grant];
  const caps = running.flatMap((plan) => (plan ? [capOf(plan.plan, plan.quantity)] : []));
  // Of what is bought and what is given, the wider one counts.
  if (caps.length > 0) return { active: true, cap: widest(caps) };
  const active = subscription !== undefined && inTrial(subscription, now);
  return { active, cap: active || !purchase ? TRIAL_CAP : capOf(purchase.plan, purchase.quantity) };
}

/** When time alone changes that, seen from `now`. */
export function nextEnd(held: Held, now: Date): Date | undefined {
  const isBought = held.purchase && isCovering(held.purchase, now);
  const given = held.grant && isGranted(held.grant, now) ? held.grant.until : undefined;
  const own = isBought ? held.purchase && endOf(held.purchase) : inTrial(held, now) ? held.trialEndsAt : undefined;
  return own && given ? new Date(Math.min(own.getTime(), given.getTime())) : (own ?? given);
}

/** Which plan counts now, or counted last. */
export function planOf(held: Held, now: Date): Plan | "trial" | null {
  const { purchase, grant, trialEndsAt } = held;
  if (purchase && isCovering(purchase, now)) return purchase.plan;
  if (grant && isGranted(grant, now)) return grant.plan;
  if (purchase && !inTrial(held, now)) return purchase.plan;
  return trialEndsAt ? "trial" : null;
}

export type Status = "trial" | "active" | "grace" | "inactive";

export function statusOf(subscription: Held | undefined, now: Date): Status {
  const { purchase } = subscription ?? {};
  if (purchase && isCovering(purchase, now)) return graceEnd(purchase) ? "grace" : "active";
  if (subscription?.grant && isGranted(subscription.grant, now)) return "active";
  return subscription && inTrial(subscription, now) ? "trial" : "inactive";
}

/** Whole days that remain, the running one included. */
export function daysLeft(end: Date, now: Date): number {
  return Math.max(0, Math.ceil((end.getTime() - now.getTime()) / DAY_MS));
}
