const DAY_MS = 24 * 3_600_000;
export const TRIAL_DAYS = 14;
/** Personal's capacity, which the trial has too. */
export const TRIAL_CAP = 3;

export type Subscription = {
  accountId: string;
  plan: "trial";
  startedAt: Date;
  endsAt: Date;
  endedAt: Date | undefined;
};

/** What an account may do now; `cap` null is unlimited. */
export type Entitlement = { active: boolean; cap: number | null };

export function newTrial(accountId: string, now: Date): Subscription {
  return {
    accountId,
    plan: "trial",
    startedAt: now,
    endsAt: new Date(now.getTime() + TRIAL_DAYS * DAY_MS),
    endedAt: undefined,
  };
}

/** Decided by the time itself, not by the job that ends trials. */
export function entitlementOf(subscription: Subscription | undefined, now: Date): Entitlement {
  return { active: subscription !== undefined && now < subscription.endsAt, cap: TRIAL_CAP };
}

/** Whole days that remain, the running one included. */
export function daysLeft({ endsAt }: Subscription, now: Date): number {
  return Math.max(0, Math.ceil((endsAt.getTime() - now.getTime()) / DAY_MS));
}
