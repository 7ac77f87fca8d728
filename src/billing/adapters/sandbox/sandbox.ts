import { timingSafeEqual } from "node:crypto";
import type { Mac, NewToken } from "../../../shared/secrets.ts";
import type { Change, ChangePrice, CustomerState, GatewayAnswer, Order, PaymentGateway } from "../../gateway_ports.ts";
import { priceOf } from "../../plan.ts";
import type { Purchase } from "../../purchase.ts";
import {
  addInvoice,
  periodAfter,
  rollForward,
  type SandboxInvoice,
  type SandboxMemory,
  type SandboxState,
  type SandboxSubscription,
} from "./sandbox_state.ts";

export type SandboxDeps = { memory: SandboxMemory; publicUrl: string; mac: Mac; newToken: NewToken; now: () => Date };
/** An event that the sandbox sends to our webhook, signed as a real provider would. */
export type SignedEvent = { body: string; signature: string };

const TOLERANCE_MS = 300_000;
const SESSION_MS = 24 * 3_600_000;

const answer = <Value>(value: Value): GatewayAnswer<Value> => ({ ok: true, value });
const missing = { ok: false, reason: "missing" } as const;

function purchaseOf(subscription: SandboxSubscription): Purchase {
  const { id, status, plan, quantity, period, currency, startedAt, periodEnd, cancels, endedAt, pastDueSince } =
    subscription;
  const ends = endedAt ?? (cancels ? periodEnd : undefined);
  return {
    subscriptionId: id,
    itemId: `item_${id}`,
    status,
    plan,
    quantity,
    period,
    currency,
    startedAt: new Date(startedAt),
    periodEnd: new Date(periodEnd),
    cancelAt: ends === undefined ? undefined : new Date(ends),
    pastDueSince: pastDueSince === undefined ? undefined : new Date(pastDueSince),
  };
}

function orderOf({ customerId: _, at, ...invoice }: SandboxInvoice): Order {
  return { ...invoice, at: new Date(at), refunded: invoice.state === "refunded" ? invoice.amount : 0 };
}

/** Proration: the rest of the current period is credited, and the new one is paid from `at` on. */
export function sandboxPrice(subscription: SandboxSubscription, { plan, period, quantity, at }: Change): ChangePrice {
  const { currency, periodStart, periodEnd } = subscription;
  const left = Math.max(0, Math.min(1, (periodEnd - at.getTime()) / (periodEnd - periodStart)));
  const unused = priceOf(subscription.plan, subscription.period, currency) * subscription.quantity * left;
  const wanted = priceOf(plan, period, currency) * quantity * (period === subscription.period ? left : 1);
  const total = Math.round(wanted) - Math.round(unused);
  return { due: Math.max(0, total), credit: Math.max(0, -total), currency };
}

/** Signs in the format of the real provider, with a key of this installation. */
function signer({ mac, now }: SandboxDeps) {
  const signatureOf = (body: string, at: string) => mac("sandbox event", `${at}.${body}`);
  return {
    sign(body: string): SignedEvent {
      const at = String(Math.floor(now().getTime() / 1000));
      return { body, signature: `t=${at},v1=${signatureOf(body, at)}` };
    },
    isSigned(body: string, signature = ""): boolean {
      const [, at = "", given = ""] = /^t=(\d+),v1=([\w-]+)$/.exec(signature) ?? [];
      const [one, other] = [Buffer.from(given), Buffer.from(signatureOf(body, at))];
      const isRecent = now().getTime() - Number(at) * 1000 <= TOLERANCE_MS;
      return one.length === other.length && timingSafeEqual(one, other) && isRecent;
    },
  };
}

/** A payment provider for development. Its pages say that no money moves; otherwise it behaves like a real one. */
export function sandboxPayments(deps: SandboxDeps) {
  const { memory, publicUrl, newToken, now } = deps;
  const { sign, isSigned } = signer(deps);
  const nextId = (kind: string) => `${kind}_sandbox_${newToken()}`;

  function onState<T>(work: (state: SandboxState, at: number) => T): T {
    const at = now().getTime();
    return memory.change((state) => {
      rollForward(state, at, () => nextId("in"));
      for (const session of Object.values(state.sessions))
        if (session.state === "open" && session.at + SESSION_MS <= at) session.state = "expired";
      return work(state, at);
    });
  }

  /** Idempotent: returns what was created under this key, or creates it. */
  function once(state: SandboxState, key: string, make: () => string): string {
    state.keys[key] ??= make();
    return state.keys[key];
  }

  const checkoutUrl = (sessionId: string) => `${publicUrl}/sandbox/checkout/${sessionId}`;

  const gateway: PaymentGateway = {
    createCustomer: async ({ key, ...customer }) =>
      onState((state) => {
        const customerId = once(state, key, () => nextId("cus"));
        state.customers[customerId] ??= customer;
        return answer({ customerId });
      }),

    createCheckout: async ({ key, accountId: _, ...choice }) =>
      onState((state, at) => {
        if (!state.customers[choice.customerId]) return missing;
        const sessionId = once(state, key, () => nextId("cs"));
        state.sessions[sessionId] ??= { ...choice, state: "open", at };
        return answer({ sessionId, url: checkoutUrl(sessionId) });
      }),

    getCheckout: async (sessionId) =>
      onState((state) => {
        const session = state.sessions[sessionId];
        if (!session) return missing;
        const { plan, period, quantity, currency, customerId } = session;
        const amount = priceOf(plan, period, currency) * quantity;
        const accountId = state.customers[customerId]?.accountId;
        const paid = session.state === "complete";
        return answer({ plan, period, quantity, currency, amount, accountId, state: session.state, paid });
      }),

    expireCheckout: async (sessionId) =>
      onState((state) => {
        const session = state.sessions[sessionId];
        if (!session) return missing;
        if (session.state === "open") session.state = "expired";
        return answer(session.state === "complete" ? ("complete" as const) : ("expired" as const));
      }),

    createPortal: async (customerId, language) =>
      onState((state, at) => {
        if (!state.customers[customerId]) return missing;
        const id = nextId("bps");
        state.portals[id] = { customerId, language, at };
        return answer({ url: `${publicUrl}/sandbox/portal/${id}` });
      }),

    getCustomer: async (customerId) =>
      onState((state): GatewayAnswer<CustomerState> => {
        if (!state.customers[customerId]) return missing;
        const isTheirs = (one: { customerId: string }) => one.customerId === customerId;
        return answer({
          purchases: Object.values(state.subscriptions).filter(isTheirs).map(purchaseOf),
          orders: Object.values(state.invoices).filter(isTheirs).map(orderOf),
        });
      }),

    previewChange: async (change) =>
      onState((state) => {
        const subscription = state.subscriptions[change.purchase.subscriptionId];
        return subscription ? answer(sandboxPrice(subscription, change)) : missing;
      }),

    changePlan: async ({ key, ...change }) =>
      onState((state) => {
        const subscription = state.subscriptions[change.purchase.subscriptionId];
        if (!subscription) return missing;
        once(state, key, () => {
          const { plan, period, quantity, at } = change;
          const { due, credit } = sandboxPrice(subscription, change);
          if (period !== subscription.period) {
            subscription.periodStart = at.getTime();
            subscription.periodEnd = periodAfter(at.getTime(), period);
          }
          Object.assign(subscription, { plan, period, quantity });
          addInvoice(state, subscription, { id: nextId("in"), at: at.getTime(), amount: due - credit, state: "paid" });
          return subscription.id;
        });
        return answer({ payUrl: undefined });
      }),

    invoiceUrl: async (customerId, orderId) =>
      onState((state) =>
        state.invoices[orderId]?.customerId === customerId
          ? answer({ url: `${publicUrl}/sandbox/invoice/${orderId}` })
          : missing,
      ),

    forgetCustomer: async (customerId) =>
      onState((state) => {
        delete state.customers[customerId];
        for (const kind of [state.sessions, state.subscriptions, state.invoices, state.portals])
          for (const [id, one] of Object.entries(kind)) if (one.customerId === customerId) delete kind[id];
        const { customers, sessions, subscriptions } = state;
        for (const [key, id] of Object.entries(state.keys))
          if (!(id in customers) && !(id in sessions) && !(id in subscriptions)) delete state.keys[key];
        return answer(undefined);
      }),

    async parseWebhook(body, signature) {
      if (!isSigned(body, signature)) return undefined;
      const { id, type, customerId } = JSON.parse(body) as Record<string, string>;
      return { id: String(id), type: String(type), customerId };
    },
  };

  /** For the sandbox's pages: access to the state, and signed events about a customer. */
  return {
    ...gateway,
    look: onState,
    tell(type: string, customerId: string): SignedEvent {
      return sign(JSON.stringify({ id: nextId("evt"), type, customerId }));
    },
    newId: nextId,
  };
}

export type SandboxPayments = ReturnType<typeof sandboxPayments>;
