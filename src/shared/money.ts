import { type Language, localeOf } from "./language.ts";

/** An integer amount in the currency's smallest unit, such as cents; `currency` is ISO 4217. */
export type Money = { amount: number; currency: string };

/** Number of decimal places of a currency: two for most, none for the yen. */
export function minorDigits(currency: string): number {
  return new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
}

/** Formats an amount for a language, exact to the smallest unit. */
export function formatMoney({ amount, currency }: Money, language: Language): string {
  const digits = minorDigits(currency);
  const whole = String(Math.abs(amount)).padStart(digits + 1, "0");
  const decimal = digits === 0 ? whole : `${whole.slice(0, -digits)}.${whole.slice(-digits)}`;
  const signed = amount < 0 ? `-${decimal}` : decimal;
  return new Intl.NumberFormat(localeOf(language), { style: "currency", currency }).format(signed as `${number}`);
}
