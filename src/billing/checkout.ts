import { fail, ok, type Result } from "../shared/result.ts";
import type { CheckoutInput } from "./inputs.ts";
import type { BillingDeps, Checkout, Payer } from "./ports.ts";
import { isRunning } from "./purchase.ts";
import type { Reconciled } from "./reconcile.ts";
import { newSubscription, type Subscription } from "./subscription.ts";

/** How long a checkout holds the account's lock, even if its process dies. */
const LOCK_MS = 90_000;
const FIRST_ASK_MS = 5 * 60_000;

type CheckoutError = "ALREADY_SUBSCRIBED" | "PAYMENT_UNAVAILABLE" | "BUSY" | "NOT_FOUND";
type Reconcile = (accountId: string) => Promise<Reconciled>;
type Buyer = { accountId: string; payer: Payer };

/** From the choice of a plan to the payment page. This buys nothing: only what the provider reports later counts. */
export function checkout(deps: BillingDeps, { reconcile }: { reconcile: Reconcile }) {
  const { transaction, payments, payers, now } = deps;

  /** Allows one checkout at a time, and none while a plan is running. */
  function lockCheckout(accountId: string): Promise<Result<undefined, CheckoutError>> {
    return transaction(async ({ subscriptions }) => {
      const at = now();
      await subscriptions.add(newSubscription(accountId, at, undefined));
      const held = await subscriptions.findForUpdate(accountId);
      if (!held) return fail("NOT_FOUND");
      if (held.purchase && isRunning(held.purchase)) return fail("ALREADY_SUBSCRIBED");
      const { checkoutUntil: until } = held;
      if (until && until > at) return fail("BUSY", { retryAfter: Math.ceil((until.getTime() - at.getTime()) / 1000) });
      await subscriptions.save({ ...held, checkoutUntil: new Date(at.getTime() + LOCK_MS) });
      return ok();
    });
  }

  function update(accountId: string, change: (held: Subscription) => Partial<Subscription>): Promise<boolean> {
    return transaction(async ({ subscriptions }) => {
      const held = await subscriptions.findForUpdate(accountId);
      if (held) await subscriptions.save({ ...held, ...change(held) });
      return held !== undefined;
    });
  }

  /** Queues what was created at the provider for an account that has been deleted in the meantime. */
  function leave(customerId: string, sessionIds: string[]): Promise<void> {
    return transaction(({ farewells }) => farewells.add({ customerId, sessionIds, attempts: 0, dueAt: now() }));
  }

  /** The account's customer at the provider, created with its first purchase. */
  async function customerOf({ accountId, payer }: Buyer): Promise<Result<string, CheckoutError>> {
    const known = await transaction(({ subscriptions }) => subscriptions.find(accountId));
    if (known?.customerId !== undefined) return ok(known.customerId);
    const { email, language, firstName, lastName } = payer;
    const key = `customer:${accountId}:${known?.customers ?? 0}`;
    const made = await payments.createCustomer({ accountId, email, name: `${firstName} ${lastName}`, language, key });
    if (!made.ok) return fail("PAYMENT_UNAVAILABLE");
    const { customerId } = made.value;
    if (await update(accountId, ({ customers }) => ({ customerId, customers: customers + 1 }))) return ok(customerId);
    await leave(customerId, []);
    return fail("NOT_FOUND");
  }

  /** Expires earlier checkout sessions, so that no two of them can be paid. */
  async function closeOthers(accountId: string, click: string): Promise<CheckoutError | undefined> {
    const all = await transaction(({ checkouts }) => checkouts.list(accountId));
    for (const { sessionId } of all.filter((one) => one.state === "open" && one.click !== click)) {
      const ended = await payments.expireCheckout(sessionId);
      if (!ended.ok && ended.reason !== "missing") return "PAYMENT_UNAVAILABLE";
      const state = ended.ok ? ended.value : "expired";
      if (state === "complete") {
        // It was paid in the meantime, and no event has arrived yet.
        if ((await reconcile(accountId)) === "unavailable") return "PAYMENT_UNAVAILABLE";
        const found = await transaction(({ subscriptions }) => subscriptions.find(accountId));
        if (found?.purchase && isRunning(found.purchase)) return "ALREADY_SUBSCRIBED";
      }
      await transaction(({ checkouts }) => checkouts.setState(sessionId, state));
    }
    return undefined;
  }

  /** `missing`: the provider no longer knows the customer. */
  async function open(buyer: Buyer, input: CheckoutInput): Promise<Result<{ url: string }, CheckoutError> | "missing"> {
    const { accountId, payer } = buyer;
    const { click, language = payer.language, ...choice } = input;
    const customer = await customerOf(buyer);
    if (!customer.ok) return customer;
    const customerId = customer.value;
    const key = `checkout:${accountId}:${customerId}:${click}`;
    const made = await payments.createCheckout({ ...choice, accountId, customerId, language, key });
    if (!made.ok) return made.reason === "missing" ? "missing" : fail("PAYMENT_UNAVAILABLE");
    const { sessionId, url } = made.value;
    const visit: Checkout = { ...choice, sessionId, accountId, click, at: now(), state: "open" };
    const isKept = await transaction(async ({ subscriptions, checkouts }) => {
      const held = await subscriptions.findForUpdate(accountId);
      if (!held) return false;
      await checkouts.add(visit);
      await subscriptions.save({ ...held, askAt: new Date(now().getTime() + FIRST_ASK_MS) });
      return true;
    });
    if (isKept) return ok({ url });
    await leave(customerId, [sessionId]);
    return fail("NOT_FOUND");
  }

  async function visit(buyer: Buyer, input: CheckoutInput): Promise<Result<{ url: string }, CheckoutError>> {
    const refused = await closeOthers(buyer.accountId, input.click);
    if (refused) return fail(refused);
    let opened = await open(buyer, input);
    if (opened === "missing") {
      // The next customer gets another idempotency key, and thereby a new id at the provider.
      await update(buyer.accountId, () => ({ customerId: undefined }));
      opened = await open(buyer, input);
    }
    return opened === "missing" ? fail("PAYMENT_UNAVAILABLE") : opened;
  }

  return {
    /** The URL of the payment page. Repeating a click returns the same page. */
    async startCheckout(accountId: string, input: CheckoutInput): Promise<Result<{ url: string }, CheckoutError>> {
      const payer = await payers.of(accountId);
      if (!payer) return fail("NOT_FOUND");
      const locked = await lockCheckout(accountId);
      if (!locked.ok) return locked;
      try {
        return await visit({ accountId, payer }, input);
      } finally {
        await update(accountId, () => ({ checkoutUntil: undefined }));
      }
    },
  };
}
