import type { Language } from "./language.ts";

/** An amount in the currency's smallest unit, as cents; `currency` is ISO 4217. Never a fraction. */
export type Money = { amount: number; currency: string };

/** How many of its digits are behind the point: two for most, none for the yen. */
export function minorDigits(currency: string): number {
  return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** As people of that language write it, exact to the smallest unit. */
export function formatMoney({ amount, currency }: Money, language: Language): string {
  const digits = minorDigits(currency);
  const whole = String(Math.abs(amount)).padStart(digits + 1, "0");
  const decimal = digits === 0 ? whole : `${whole.slice(0, -digits)}.${whole.slice(-digits)}`;
  const signed = amount < 0 ? `-${decimal}` : decimal;
  return new Intl.NumberFormat(language, { style: "currency", currency }).format(signed as `${number}`);
}
