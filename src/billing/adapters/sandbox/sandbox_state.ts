import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Language } from "../../../shared/language.ts";
import type { Currency, Period, Plan } from "../../../shared/plans.ts";
import type { Order } from "../../gateway_ports.ts";
import { type Choice, priceOf } from "../../plan.ts";
import type { PurchaseStatus } from "../../purchase.ts";

/** Instants are in milliseconds, so that the state can be stored as JSON. */
export type SandboxCustomer = { accountId: string; email: string; name: string; language: Language };
export type SandboxSession = Choice & {
  customerId: string;
  currency: Currency;
  language: Language;
  state: "open" | "expired" | "complete";
  at: number;
};
export type SandboxSubscription = {
  id: string;
  customerId: string;
  status: PurchaseStatus;
  plan: Plan;
  quantity: number;
  period: Period;
  currency: Currency;
  startedAt: number;
  periodStart: number;
  periodEnd: number;
  cancels: boolean;
  endedAt?: number;
  pastDueSince?: number;
  /** Whether the card is to fail at the next renewal. */
  failsNext: boolean;
};
export type SandboxInvoice = Choice & {
  id: string;
  customerId: string;
  at: number;
  number: string;
  amount: number;
  currency: Currency;
  state: Order["state"];
};
export type SandboxState = {
  customers: Record<string, SandboxCustomer>;
  sessions: Record<string, SandboxSession>;
  subscriptions: Record<string, SandboxSubscription>;
  invoices: Record<string, SandboxInvoice>;
  portals: Record<string, { customerId: string; language: Language; at: number }>;
  /** Ids by idempotency key. */
  keys: Record<string, string>;
};
/** `change` gets the whole state; its mutations are saved. */
export type SandboxMemory = { change<T>(work: (state: SandboxState) => T): T };

const EMPTY: SandboxState = {
  customers: {},
  sessions: {},
  subscriptions: {},
  invoices: {},
  portals: {},
  keys: {},
};

/** Ids come from URLs: objects without a prototype, so that "constructor" finds nothing. */
function bare(state: SandboxState): SandboxState {
  const kinds = Object.entries(state).map(([kind, all]) => [kind, Object.assign(Object.create(null), all)]);
  return Object.fromEntries(kinds);
}

/** Stored in a file, for a single process in development. */
export function sandboxFile(path: string): SandboxMemory {
  return {
    change(work) {
      const state = bare(existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : EMPTY);
      const result = work(state);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(`${path}.tmp`, JSON.stringify(state), { mode: 0o600 });
      renameSync(`${path}.tmp`, path);
      return result;
    },
  };
}

/** For tests. */
export function sandboxMemory(): SandboxMemory {
  const state = bare(EMPTY);
  return { change: (work) => work(state) };
}

/** The same day of the next month or year, or the last day of a shorter month. */
export function periodAfter(start: number, period: Period): number {
  const date = new Date(start);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + (period === "monthly" ? 1 : 12));
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime();
}

type Bill = { id: string; at: number; amount: number; state: Order["state"] };

export function addInvoice(state: SandboxState, subscription: SandboxSubscription, { id, ...bill }: Bill): void {
  const { customerId, plan, quantity, period, currency } = subscription;
  const number = `SANDBOX-${String(Object.keys(state.invoices).length + 1).padStart(4, "0")}`;
  state.invoices[id] = { id, customerId, plan, quantity, period, currency, number, ...bill };
}

export function amountOf({ plan, period, quantity, currency }: SandboxSubscription): number {
  return priceOf(plan, period, currency) * quantity;
}

const SUSPENDED_AFTER_MS = 14 * 24 * 3_600_000;

/** Applies what has happened since the last read: renewals, ends and failed payments. */
export function rollForward(state: SandboxState, now: number, newId: () => string): void {
  for (const subscription of Object.values(state.subscriptions)) {
    while (subscription.status === "active" && subscription.periodEnd <= now) {
      const { periodEnd: at } = subscription;
      if (subscription.cancels) {
        Object.assign(subscription, { status: "ended", endedAt: at });
        break;
      }
      const failed = subscription.failsNext;
      addInvoice(state, subscription, {
        id: newId(),
        at,
        amount: amountOf(subscription),
        state: failed ? "open" : "paid",
      });
      Object.assign(subscription, { periodStart: at, periodEnd: periodAfter(at, subscription.period) });
      if (failed) Object.assign(subscription, { status: "past_due", pastDueSince: at, failsNext: false });
    }
    const { status, pastDueSince = now } = subscription;
    if (status === "past_due" && pastDueSince + SUSPENDED_AFTER_MS <= now) subscription.status = "suspended";
  }
}
