import type { BillingDeps } from "./ports.ts";
import { records } from "./records.ts";
import { trial } from "./trial.ts";

export type { BillingDeps, BillingMode, BillingStore } from "./ports.ts";

/** Plans and what they allow; so far the trial. */
export function createBilling(deps: BillingDeps) {
  return { ...trial(deps), ...records(deps) };
}

export type Billing = ReturnType<typeof createBilling>;
