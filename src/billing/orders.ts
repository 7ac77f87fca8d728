import type { Period, Plan } from "../shared/plans.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import { type Shown, shown } from "../shared/shown.ts";
import type { CheckoutState, Order } from "./gateway_ports.ts";
import { capOf } from "./plan.ts";
import type { BillingDeps, Checkout, Payer } from "./ports.ts";
import { isCovering } from "./purchase.ts";
import type { Reconciled } from "./reconcile.ts";

const LISTED = 100;

/** Data of the page after payment. */
export type OrderSuccess = {
  state: "paid" | "processing";
  own: boolean;
  account: { name: string | null; email: string };
  plan: Plan;
  quantity: number;
  period: Period;
  amount: number;
  currency: string;
  cap: number | null;
  periodEnd: string | null;
  tracked: number | null;
};

/** Masked, but recognisable to its owner. */
export function masked(email: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, 1)}•••${email.slice(at)}`;
}

/** Invoices, and the result of a checkout. */
export function orders(deps: BillingDeps, { reconcile }: { reconcile: (accountId: string) => Promise<Reconciled> }) {
  const { transaction, payments, payers, usage, now } = deps;

  async function successOf(visit: Checkout, state: CheckoutState, payer: Payer, own: boolean): Promise<OrderSuccess> {
    const { accountId, sessionId } = visit;
    await transaction(({ checkouts }) => checkouts.setState(sessionId, "complete"));
    const found = await transaction(({ subscriptions }) => subscriptions.find(accountId));
    const purchase = found?.purchase && isCovering(found.purchase, now()) ? found.purchase : undefined;
    const { plan, quantity, period, amount, currency, paid } = state;
    const name = `${payer.firstName} ${payer.lastName}`;
    return {
      plan,
      quantity,
      period,
      amount,
      currency,
      own,
      cap: capOf(plan, quantity),
      state: paid ? "paid" : "processing",
      account: own ? { name, email: payer.email } : { name: null, email: masked(payer.email) },
      periodEnd: purchase?.periodEnd.toISOString() ?? null,
      tracked: own ? await usage.of(accountId) : null,
    };
  }

  return {
    /**
     * The purchase behind a checkout session, before and after the provider's event. A session of another account is as unknown
     * as one that never existed. Without a `viewer`, less is shown.
     */
    async showOrder(
      sessionId: string,
      viewer: string | undefined,
    ): Promise<Result<OrderSuccess, "ORDER_NOT_FOUND" | "ORDER_UNAVAILABLE">> {
      const visit = await transaction(({ checkouts }) => checkouts.find(sessionId));
      if (!visit || (viewer !== undefined && viewer !== visit.accountId)) return fail("ORDER_NOT_FOUND");
      const asked = await payments.getCheckout(sessionId);
      if (!asked.ok) return fail(asked.reason === "missing" ? "ORDER_NOT_FOUND" : "ORDER_UNAVAILABLE");
      const payer = await payers.of(visit.accountId);
      const { state, accountId } = asked.value;
      if (!payer || state !== "complete" || accountId !== visit.accountId) return fail("ORDER_NOT_FOUND");
      if ((await reconcile(accountId)) === "unavailable") return fail("ORDER_UNAVAILABLE");
      return ok(await successOf(visit, asked.value, payer, viewer !== undefined));
    },

    async listOrders(accountId: string): Promise<Result<{ items: Shown<Order>[] }>> {
      return ok({ items: (await transaction((store) => store.orders.list(accountId, LISTED))).map(shown) });
    },

    /** The current URL of an invoice. */
    async openInvoice(
      accountId: string,
      orderId: string,
    ): Promise<Result<{ url: string }, "NOT_FOUND" | "PAYMENT_UNAVAILABLE">> {
      const customerId = await transaction(async (store) =>
        (await store.orders.has(accountId, orderId))
          ? (await store.subscriptions.find(accountId))?.customerId
          : undefined,
      );
      if (customerId === undefined) return fail("NOT_FOUND");
      const opened = await payments.invoiceUrl(customerId, orderId);
      if (opened.ok) return ok(opened.value);
      return fail(opened.reason === "missing" ? "NOT_FOUND" : "PAYMENT_UNAVAILABLE");
    },
  };
}
