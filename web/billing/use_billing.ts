import { useState } from "react";
import type { Subscription } from "../api/api.ts";
import type { Plans } from "../api/billing_api.ts";
import { type Billing, CURRENCY_KEY, currencyOf } from "./choice.ts";

/** Currency and period: from the current plan, or else the earlier choice in this browser, or the server's guess. */
export function useBilling({ currencies, currency: guess }: Plans, held: Subscription) {
  const [period, setPeriod] = useState(held.period ?? "monthly");
  const [remembered, setRemembered] = useState(() => localStorage.getItem(CURRENCY_KEY));
  const running = held.canChange ? held.currency : null;
  const currency = currencyOf(currencies, { running, remembered, guess });
  function setBilling(next: Billing) {
    setPeriod(next.period);
    if (next.currency === currency) return;
    localStorage.setItem(CURRENCY_KEY, next.currency);
    setRemembered(next.currency);
  }
  return { billing: { currency, period } satisfies Billing, setBilling };
}
