import { CURRENCIES, type Currency, PERIODS, type Period, PLANS, type Plan } from "../shared/plans.ts";

/** Discount for yearly payment, in per cent. */
export const DISCOUNT = 8;
export const POPULAR: Plan = "professional";

/** How many addresses a plan covers; null is unlimited. */
const CAPS: Record<Plan, number | null> = { personal: 3, professional: 10, business: null };

/** Price per month in minor units. */
const MONTHLY: Record<Plan, Record<Currency, number>> = {
  personal: { EUR: 300, USD: 350, GBP: 275, CHF: 300 },
  professional: { EUR: 800, USD: 900, GBP: 700, CHF: 800 },
  business: { EUR: 3000, USD: 3400, GBP: 2600, CHF: 3000 },
};

/** A plan chosen for purchase. */
export type Choice = { plan: Plan; period: Period; quantity: number };

/** Twelve months less the discount, rounded to one minor unit. */
export function yearlyOf(monthly: number): number {
  return Math.round((monthly * 12 * (100 - DISCOUNT)) / 100);
}

/** The price of a single unit, in minor units. */
export function priceOf(plan: Plan, period: Period, currency: Currency): number {
  const monthly = MONTHLY[plan][currency];
  return period === "monthly" ? monthly : yearlyOf(monthly);
}

export function capOf(plan: Plan, quantity: number): number | null {
  const cap = CAPS[plan];
  return cap === null ? null : cap * quantity;
}

/** What a plan allows of whole domains; null is unlimited. */
export type DomainAllowance = { domains: number | null; addresses: number | null };

/** `professional`: the operator's setting for one unit of that plan. */
export function domainsOf(plan: Plan, quantity: number, professional: DomainLimits): DomainAllowance {
  if (plan === "business") return { domains: null, addresses: null };
  if (plan === "personal") return { domains: 0, addresses: 0 };
  return { domains: professional.domains * quantity, addresses: professional.addresses * quantity };
}
/** Domains, and found addresses of each, in one Professional. */
export type DomainLimits = { domains: number; addresses: number };

export type Price = { currency: Currency; period: Period; amount: number };

export function pricesOf(plan: Plan): Price[] {
  return CURRENCIES.flatMap((currency) =>
    PERIODS.map((period) => ({ currency, period, amount: priceOf(plan, period, currency) })),
  );
}

const BY_REGION: Record<string, Currency> = {
  ...Object.fromEntries(["GB", "IM", "JE", "GG"].map((region) => [region, "GBP"])),
  ...Object.fromEntries(["CH", "LI"].map((region) => [region, "CHF"])),
  ...Object.fromEntries(["US", "CA", "AU", "NZ", "BR", "MX", "AR", "CL", "CO", "PE"].map((region) => [region, "USD"])),
};

/** The visitor's most likely currency, from the language tags of an Accept-Language header in order of preference. */
export function guessCurrency(tags: readonly string[]): Currency {
  for (const tag of tags) {
    const [name = ""] = tag.trim().split(";");
    const region = name.split(/[-_]/).find((part, index) => index > 0 && /^[a-z]{2}$/i.test(part));
    if (region !== undefined) return BY_REGION[region.toUpperCase()] ?? "EUR";
  }
  return "EUR";
}

/** All plans as offered. */
export const OFFER = PLANS.map((plan) => ({
  plan,
  cap: CAPS[plan],
  popular: plan === POPULAR,
  prices: pricesOf(plan),
}));
