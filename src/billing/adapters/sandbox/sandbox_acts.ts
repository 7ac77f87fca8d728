import type { SandboxPayments, SignedEvent } from "./sandbox.ts";
import { addInvoice, amountOf, periodAfter, type SandboxState, type SandboxSubscription } from "./sandbox_state.ts";

const PORTAL_MS = 3_600_000;
/** What payers can do in the portal, and what developers want to see: a failed payment, a renewal, a refund. */
export const PORTAL_ACTS = ["cancel", "keep", "fail", "pay", "renew", "refund"] as const;
export type PortalAct = (typeof PORTAL_ACTS)[number];

const isLive = ({ status }: SandboxSubscription) => status !== "ended" && status !== "pending";

/** The actions available in the current state. */
export function actsFor({ status, cancels, failsNext }: SandboxSubscription): PortalAct[] {
  if (status === "past_due" || status === "suspended") return ["pay"];
  if (status !== "active") return [];
  return [cancels ? "keep" : "cancel", ...(failsNext ? [] : (["fail"] as const)), "renew", "refund"];
}

/** The customer behind a portal's address, and their running subscription. */
export function portalOf(state: SandboxState, portalId: string, at: number) {
  const portal = state.portals[portalId];
  if (!portal || portal.at + PORTAL_MS <= at) return undefined;
  const { customerId, language } = portal;
  const customer = state.customers[customerId];
  const subscription = Object.values(state.subscriptions).find((one) => one.customerId === customerId && isLive(one));
  const invoices = Object.values(state.invoices).filter((one) => one.customerId === customerId);
  return customer && { customerId, customer, language, subscription, invoices };
}

type Doing = { state: SandboxState; subscription: SandboxSubscription; at: number };

const TRANSITIONS: Record<PortalAct, (doing: Doing) => void> = {
  cancel({ subscription }) {
    subscription.cancels = true;
  },
  keep({ subscription }) {
    subscription.cancels = false;
  },
  fail({ subscription }) {
    subscription.failsNext = true;
  },
  pay({ state, subscription }) {
    subscription.status = "active";
    delete subscription.pastDueSince;
    for (const invoice of Object.values(state.invoices))
      if (invoice.customerId === subscription.customerId && invoice.state === "open") invoice.state = "paid";
  },
  /** Ends the period immediately; the consequences follow with the next read. */
  renew({ subscription, at }) {
    subscription.periodEnd = at;
  },
  refund({ state, subscription, at }) {
    Object.assign(subscription, { status: "ended", endedAt: at });
    for (const invoice of Object.values(state.invoices))
      if (invoice.customerId === subscription.customerId && invoice.state === "paid") invoice.state = "refunded";
  },
};

/** The actions on the sandbox's pages. Each change emits a signed event. */
export function sandboxActs(payments: SandboxPayments) {
  const { look, tell, newId } = payments;
  return {
    /** Undefined when the session is not open. */
    pay(sessionId: string): SignedEvent | undefined {
      return look((state, at) => {
        const session = state.sessions[sessionId];
        if (session?.state !== "open" || !state.customers[session.customerId]) return undefined;
        const { customerId, plan, quantity, period, currency } = session;
        session.state = "complete";
        const subscription: SandboxSubscription = {
          id: newId("sub"),
          customerId,
          plan,
          quantity,
          period,
          currency,
          status: "active",
          startedAt: at,
          periodStart: at,
          periodEnd: periodAfter(at, period),
          cancels: false,
          failsNext: false,
        };
        state.subscriptions[subscription.id] = subscription;
        addInvoice(state, subscription, { id: newId("in"), at, amount: amountOf(subscription), state: "paid" });
        return tell("checkout.session.completed", customerId);
      });
    },

    /** Undefined when the portal's address has expired, or there is nothing to act on. */
    act(portalId: string, act: PortalAct): SignedEvent | undefined {
      return look((state, at) => {
        const { customerId, subscription } = portalOf(state, portalId, at) ?? {};
        if (customerId === undefined || !subscription || !actsFor(subscription).includes(act)) return undefined;
        TRANSITIONS[act]({ state, subscription, at });
        return tell("customer.subscription.updated", customerId);
      });
    },
  };
}
