/** The plans on sale. */
export const PLANS = ["personal", "professional", "business"] as const;
export type Plan = (typeof PLANS)[number];

export const PERIODS = ["monthly", "yearly"] as const;
export type Period = (typeof PERIODS)[number];

/** ISO 4217. */
export const CURRENCIES = ["EUR", "USD", "GBP", "CHF"] as const;
export type Currency = (typeof CURRENCIES)[number];

/** The highest quantity of a plan in one subscription, where quantity adds capacity. */
export const MAX_QUANTITY = 50;
export const TRIAL_DAYS = 14;
/** Grace period: how long tracking continues after a failed payment. */
export const GRACE_DAYS = 7;

/** Whether the quantity adds capacity; an unlimited plan is bought once. */
export function multiplies(plan: Plan): boolean {
  return plan !== "business";
}
