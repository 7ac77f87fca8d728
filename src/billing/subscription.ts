import { type Plan, TRIAL_DAYS } from "../shared/plans.ts";
import { type Grant, isGranted } from "./grant.ts";
import { capOf, type DomainAllowance, type DomainLimits, domainsOf } from "./plan.ts";
import { endOf, graceEnd, isCovering, type Purchase } from "./purchase.ts";

const DAY_MS = 24 * 3_600_000;
/** The limit of addresses in Personal and in the trial. */
export const TRIAL_CAP = 3;

/** An account's trial, purchase and grant, and which entitlement has been announced. */
export type Subscription = {
  accountId: string;
  startedAt: Date;
  /** Undefined for accounts that registered while billing was off. */
  trialEndsAt: Date | undefined;
  purchase: Purchase | undefined;
  /** The latest grant by the operator, even after its end; independent of purchases. */
  grant: Grant | undefined;
  /** When the entitlement changes by time alone. */
  endsAt: Date | undefined;
  /** Since when its end has been announced to the other modules. */
  endedAt: Date | undefined;
  /** The limit that was announced to the other modules; null is unlimited. */
  cap: number | null;
  /** The provider's id of the customer, and how many customers the account has had. */
  customerId: string | undefined;
  customers: number;
  /** Number of the latest request to the provider, and of the latest one whose answer is stored; older answers are discarded. */
  asked: number;
  answered: number;
  /** When to poll the provider next, in case an event was lost. */
  askAt: Date | undefined;
  /** Until then a checkout holds the lock. */
  checkoutUntil: Date | undefined;
};

/** What an account may do now; a `cap` of null is unlimited. */
export type Entitlement = { active: boolean; cap: number | null };

export function newSubscription(accountId: string, startedAt: Date, trialEndsAt: Date | undefined): Subscription {
  return {
    accountId,
    startedAt,
    trialEndsAt,
    endsAt: trialEndsAt,
    cap: TRIAL_CAP,
    purchase: undefined,
    grant: undefined,
    customerId: undefined,
    customers: 0,
    asked: 0,
    answered: 0,
    endedAt: trialEndsAt ? undefined : startedAt,
    askAt: undefined,
    checkoutUntil: undefined,
  };
}

/** `former`: when the mailbox's first trial ends; the new trial continues that one. */
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

/** Computed from the current time, so that it does not depend on the job that announces ends. */
export function entitlementOf(subscription: Held | undefined, now: Date): Entitlement {
  const { purchase, grant } = subscription ?? {};
  const running = [purchase && isCovering(purchase, now) && purchase, grant && isGranted(grant, now) && grant];
  const caps = running.flatMap((plan) => (plan ? [capOf(plan.plan, plan.quantity)] : []));
  // Of purchase and grant the larger limit counts.
  if (caps.length > 0) return { active: true, cap: widest(caps) };
  const active = subscription !== undefined && inTrial(subscription, now);
  return { active, cap: active || !purchase ? TRIAL_CAP : capOf(purchase.plan, purchase.quantity) };
}

/** What the account may do with whole domains now; the trial allows what Professional does. */
export function domainAllowanceOf(
  subscription: Held | undefined,
  professional: DomainLimits,
  now: Date,
): DomainAllowance & { active: boolean } {
  const { purchase, grant } = subscription ?? {};
  const running = [purchase && isCovering(purchase, now) && purchase, grant && isGranted(grant, now) && grant];
  const plans = running.flatMap((plan) => (plan ? [domainsOf(plan.plan, plan.quantity, professional)] : []));
  const isTrial = subscription !== undefined && inTrial(subscription, now);
  if (plans.length === 0 && isTrial) plans.push(domainsOf("professional", 1, professional));
  if (plans.length === 0) return { active: false, domains: 0, addresses: 0 };
  return {
    active: true,
    domains: widest(plans.map(({ domains }) => domains)),
    addresses: widest(plans.map(({ addresses }) => addresses)),
  };
}

/** When the entitlement changes next by time alone, seen from `now`. */
export function nextEnd(held: Held, now: Date): Date | undefined {
  const isBought = held.purchase && isCovering(held.purchase, now);
  const given = held.grant && isGranted(held.grant, now) ? held.grant.until : undefined;
  const own = isBought ? held.purchase && endOf(held.purchase) : inTrial(held, now) ? held.trialEndsAt : undefined;
  return own && given ? new Date(Math.min(own.getTime(), given.getTime())) : (own ?? given);
}

/** The plan that applies now, or applied last. */
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

/** Remaining days, including the current one. */
export function daysLeft(end: Date, now: Date): number {
  return Math.max(0, Math.ceil((end.getTime() - now.getTime()) / DAY_MS));
}
