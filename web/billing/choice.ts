import { safeParse } from "valibot";
import { changeInput } from "../../src/billing/inputs.ts";
import type { Currency, Period } from "../../src/shared/plans.ts";
import type { ErrorCode } from "../../src/shared/result.ts";
import type { Subscription } from "../api/api.ts";
import type { Offer } from "../api/billing_api.ts";

/** The local storage key of the chosen currency. */
export const CURRENCY_KEY = "currency";

/** How somebody wants to pay. */
export type Billing = { currency: Currency; period: Period };

type CurrencySources = {
  /** The currency of the current plan, which cannot be changed. */
  running: Currency | null;
  remembered: string | null;
  guess: Currency;
};

export function currencyOf(offered: readonly Currency[], { running, remembered, guess }: CurrencySources): Currency {
  return running ?? offered.find((currency) => currency === remembered) ?? guess;
}

/** The price of one plan unit, in minor units. */
export function unitPrice({ plan, prices }: Offer, { currency, period }: Billing): number {
  const price = prices.find((one) => one.currency === currency && one.period === period);
  if (price === undefined) throw new Error(`Cannot find a price of "${plan}" in ${currency}, ${period}`);
  return price.amount;
}

export type Quantity = { value: number; error?: never } | { value?: never; error: ErrorCode };

/** Validates the typed quantity with the schema that the server uses too. */
export function quantityOf({ plan }: Offer, typed: string): Quantity {
  const { success, issues, output } = safeParse(changeInput, {
    plan,
    period: "monthly",
    quantity: typed.trim() === "" ? undefined : Number(typed),
  });
  return success ? { value: output.quantity } : { error: (issues[0].message as ErrorCode) ?? "QUANTITY_INVALID" };
}

/** What a plan's button does for this account. */
export type Step = "buy" | "switch" | "adjust" | "none";

type Choice = { plan: Offer["plan"]; period: Period; quantity: number | undefined };

export function stepOf(held: Subscription, { plan, period, quantity }: Choice): Step {
  if (!held.canChange) return "buy";
  if (held.plan !== plan) return "switch";
  return held.period === period && held.quantity === quantity ? "none" : "adjust";
}

/** How many tracked addresses exceed a capacity. */
export function beyond(tracked: number, cap: number | null): number {
  return cap === null ? 0 : Math.max(0, tracked - cap);
}
