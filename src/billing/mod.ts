import { changes } from "./changes.ts";
import { checkout } from "./checkout.ts";
import { farewell } from "./farewell.ts";
import { grants } from "./grants.ts";
import { orders } from "./orders.ts";
import type { BillingDeps } from "./ports.ts";
import { reconciling } from "./reconcile.ts";
import { records } from "./records.ts";
import { settling } from "./settle.ts";
import { trial } from "./trial.ts";
import { webhooks } from "./webhooks.ts";

export type { PaymentGateway } from "./gateway_ports.ts";
export type { BillingDeps, BillingMode, BillingStore } from "./ports.ts";

/** Plans, their limits, and payment. */
export function createBilling(deps: BillingDeps) {
  const reconciled = reconciling(deps);
  return {
    mode: deps.mode,
    ...trial(deps),
    ...settling(deps),
    ...reconciled,
    ...webhooks(deps, reconciled),
    ...checkout(deps, reconciled),
    ...changes(deps, reconciled),
    ...orders(deps, reconciled),
    ...grants(deps),
    ...farewell(deps),
    ...records(deps),
  };
}

export type Billing = ReturnType<typeof createBilling>;
