import type { CustomerState, GatewayAnswer } from "./gateway_ports.ts";
import { changeNotice } from "./notices.ts";
import type { BillingDeps, BillingStore, Payer } from "./ports.ts";
import { bestOf, isRunning, type Purchase } from "./purchase.ts";
import { saveEntitlement } from "./settle.ts";
import type { Subscription } from "./subscription.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Lifetime of a checkout session. */
const CHECKOUT_MS = DAY_MS;
const TRIES = 5;
const BATCH = 20;

/** `unknown`: there is no such account, or it never was a customer. `unavailable`: the provider gave no answer. */
export type Reconciled = "done" | "unknown" | "unavailable";
type Ticket = { customerId: string; number: number };
type Asked = { ticket: Ticket; answer: GatewayAnswer<CustomerState>; payer: Payer | undefined; eventId?: string };

/** When to poll the provider even if no event arrives. */
function nextAsk(purchase: Purchase | undefined, openSince: Date | undefined, now: Date): Date {
  const time = now.getTime();
  const waits = [DAY_MS];
  // A payment may be in progress: poll often at first, then with a growing interval.
  if (openSince) waits.push(Math.max(5 * MINUTE_MS, time - openSince.getTime()));
  if (purchase && purchase.status !== "ended") {
    const ends = [purchase.periodEnd, purchase.cancelAt].filter((end) => end !== undefined);
    for (const end of ends) waits.push(Math.max(HOUR_MS, end.getTime() + MINUTE_MS - time));
  }
  return new Date(time + Math.min(...waits));
}

/** Brings accounts in line with the provider's state, on every event and by polling. */
export function reconciling({ transaction, payments, payers, now, report }: BillingDeps) {
  /** Numbers the requests, so that an answer cannot replace that of a later request. */
  function takeTicket(accountId: string): Promise<Ticket | undefined> {
    return transaction(async ({ subscriptions }) => {
      const held = await subscriptions.findForUpdate(accountId);
      if (held?.customerId === undefined) return undefined;
      const number = held.asked + 1;
      await subscriptions.save({ ...held, asked: number });
      return { customerId: held.customerId, number };
    });
  }

  /** Since when a checkout may be in progress. Sessions that were paid or have expired are closed. */
  async function openSince(
    { checkouts }: BillingStore,
    { accountId, purchase }: Subscription,
  ): Promise<Date | undefined> {
    let since: Date | undefined;
    for (const { sessionId, state, at: begun } of await checkouts.list(accountId)) {
      if (state !== "open") continue;
      // The provider counts in whole seconds.
      const isBought = purchase && isRunning(purchase) && purchase.startedAt.getTime() > begun.getTime() - SECOND_MS;
      if (isBought) await checkouts.setState(sessionId, "complete");
      else if (begun.getTime() + CHECKOUT_MS <= now().getTime()) await checkouts.setState(sessionId, "expired");
      else since ??= begun;
    }
    return since;
  }

  /** False when the answer to a later request is stored already. */
  async function record(store: BillingStore, held: Subscription, { ticket, answer, payer, eventId }: Asked) {
    const at = now();
    if (held.answered > ticket.number) return false;
    const state = answer.ok ? answer.value : { purchases: [], orders: [] };
    const found = bestOf(state.purchases);
    // The provider has deleted this customer, so the next purchase creates a new one.
    const customerId = answer.ok ? held.customerId : undefined;
    const before = held.purchase;
    const purchase: Purchase | undefined = answer.ok ? found : before && { ...before, status: "ended", cancelAt: at };
    const since = await openSince(store, { ...held, purchase });
    const askAt = customerId === undefined ? undefined : nextAsk(purchase, since, at);
    await store.orders.saveAll(held.accountId, state.orders);
    const next = { ...held, purchase, customerId, askAt, answered: ticket.number };
    await saveEntitlement(store, next, { payer, now: at, change: changeNotice(before, purchase, at) });
    if (eventId !== undefined) await store.paymentEvents.add(eventId, at);
    return true;
  }

  /** Fetches the provider's state and stores it, unless a newer one is stored. */
  async function ask(accountId: string, eventId?: string): Promise<Reconciled | "overtaken"> {
    const ticket = await takeTicket(accountId);
    if (!ticket) return "unknown";
    const answer = await payments.getCustomer(ticket.customerId);
    if (!answer.ok && answer.reason !== "missing") return "unavailable";
    const payer = await payers.of(accountId);
    return transaction(async (store) => {
      const held = await store.subscriptions.findForUpdate(accountId);
      if (held?.customerId !== ticket.customerId) return "unknown";
      const asked = { ticket, answer, payer, ...(eventId !== undefined && { eventId }) };
      return (await record(store, held, asked)) ? "done" : "overtaken";
    });
  }

  async function reconcile(accountId: string, eventId?: string): Promise<Reconciled> {
    for (let tried = 0; tried < TRIES; tried++) {
      const result = await ask(accountId, eventId);
      if (result !== "overtaken") return result;
    }
    return "unavailable";
  }

  return {
    reconcile,

    /** Job: reconciles every customer once a day, and sooner where a change is expected. Returns how many it reconciled. */
    async reconcileDue(): Promise<number> {
      const again = new Date(now().getTime() + 10 * MINUTE_MS);
      const due = await transaction(({ subscriptions }) => subscriptions.claimDue(now(), again, BATCH));
      for (const accountId of due)
        await reconcile(accountId).catch((error: unknown) => report(error, { job: "payments", accountId }));
      return due.length;
    },
  };
}
