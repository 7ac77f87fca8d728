import { type Currency, GRACE_DAYS, type Period, type Plan } from "../shared/plans.ts";
import { capOf } from "./plan.ts";

const DAY_MS = 24 * 3_600_000;

/** Where a subscription at the provider stands. `pending`: its first payment is not through; `suspended`: unpaid or paused. */
export type PurchaseStatus = "active" | "past_due" | "suspended" | "pending" | "ended";

/** A subscription as the provider has it now: everything that is allowed follows from it, and from nothing else. */
export type Purchase = {
  subscriptionId: string;
  /** The provider's name for the one thing that is subscribed to, which a change has to name. */
  itemId: string;
  status: PurchaseStatus;
  plan: Plan;
  quantity: number;
  period: Period;
  currency: Currency;
  startedAt: Date;
  periodEnd: Date;
  /** When it ends for good, if it was cancelled. */
  cancelAt: Date | undefined;
  /** Since when a payment has failed. */
  pastDueSince: Date | undefined;
};

export function graceEnd({ status, pastDueSince }: Purchase): Date | undefined {
  if (status !== "past_due" || !pastDueSince) return undefined;
  return new Date(pastDueSince.getTime() + GRACE_DAYS * DAY_MS);
}

/** When time alone ends what it allows; undefined while it goes on. */
export function endOf(purchase: Purchase): Date | undefined {
  const ends = [purchase.cancelAt, graceEnd(purchase)].filter((end) => end !== undefined);
  return ends.length === 0 ? undefined : new Date(Math.min(...ends.map((end) => end.getTime())));
}

/** Whether it is paid for, or still within the days of grace. */
export function isCovering(purchase: Purchase, now: Date): boolean {
  const end = endOf(purchase);
  return (purchase.status === "active" || purchase.status === "past_due") && (end === undefined || now < end);
}

/** Whether it stands in the way of another purchase: it goes on, or would once its open payment is settled. */
export function isRunning({ status }: Purchase): boolean {
  return status === "active" || status === "past_due" || status === "suspended";
}

const RANK: Record<PurchaseStatus, number> = { active: 0, past_due: 1, suspended: 2, pending: 3, ended: 4 };

function preference(one: Purchase, other: Purchase): number {
  const cap = ({ plan, quantity }: Purchase) => capOf(plan, quantity) ?? Number.POSITIVE_INFINITY;
  return (
    RANK[one.status] - RANK[other.status] ||
    (cap(one) === cap(other) ? 0 : cap(other) - cap(one)) ||
    other.startedAt.getTime() - one.startedAt.getTime() ||
    (one.subscriptionId < other.subscriptionId ? -1 : 1)
  );
}

/** The one that counts, in whatever order the provider lists them: the best of those that run, else the newest. */
export function bestOf(purchases: readonly Purchase[]): Purchase | undefined {
  return purchases.toSorted(preference)[0];
}
