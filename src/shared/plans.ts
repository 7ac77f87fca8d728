/** What can be bought. */
export const PLANS = ["personal", "professional", "business"] as const;
export type Plan = (typeof PLANS)[number];

export const PERIODS = ["monthly", "yearly"] as const;
export type Period = (typeof PERIODS)[number];

/** ISO 4217. */
export const CURRENCIES = ["EUR", "USD", "GBP", "CHF"] as const;
export type Currency = (typeof CURRENCIES)[number];

/** How often a plan can be bought at once, where that adds capacity. */
export const MAX_QUANTITY = 50;
export const TRIAL_DAYS = 14;
/** How long watching goes on while a payment fails. */
export const GRACE_DAYS = 7;

/** Whether buying it several times adds capacity; an unlimited plan is bought once. */
export function multiplies(plan: Plan): boolean {
  return plan !== "business";
}
