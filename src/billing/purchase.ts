import { type Currency, GRACE_DAYS, type Period, type Plan } from "../shared/plans.ts";
import { capOf } from "./plan.ts";

const DAY_MS = 24 * 3_600_000;

/** The status of a subscription at the provider. `pending`: the first payment is not complete; `suspended`: unpaid or paused. */
export type PurchaseStatus = "active" | "past_due" | "suspended" | "pending" | "ended";

/** A subscription's current state at the provider; the only source of what a purchase allows. */
export type Purchase = {
  subscriptionId: string;
  /** The provider's id of the subscription's only item, needed for changes. */
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
  /** Since when a payment has been overdue. */
  pastDueSince: Date | undefined;
};

export function graceEnd({ status, pastDueSince }: Purchase): Date | undefined {
  if (status !== "past_due" || !pastDueSince) return undefined;
  return new Date(pastDueSince.getTime() + GRACE_DAYS * DAY_MS);
}

/** When it ends by time alone; undefined if it renews. */
export function endOf(purchase: Purchase): Date | undefined {
  const ends = [purchase.cancelAt, graceEnd(purchase)].filter((end) => end !== undefined);
  return ends.length === 0 ? undefined : new Date(Math.min(...ends.map((end) => end.getTime())));
}

/** Whether it is paid, or within its grace period. */
export function isCovering(purchase: Purchase, now: Date): boolean {
  const end = endOf(purchase);
  return (purchase.status === "active" || purchase.status === "past_due") && (end === undefined || now < end);
}

/** Whether it rules out another purchase: it is running, or would be once the open payment is settled. */
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

/** The purchase that counts, regardless of the provider's order: the best of the running ones, otherwise the newest. */
export function bestOf(purchases: readonly Purchase[]): Purchase | undefined {
  return purchases.toSorted(preference)[0];
}
