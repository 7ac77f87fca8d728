import { describe, expect, test } from "bun:test";
import { masked } from "../../src/billing/orders.ts";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { DAY, type TestClock } from "../support/clock.ts";
import { STRIPE_FAILURES, type StripePeer } from "../support/stripe_peer.ts";
import { aChoice, stripeWorld, withStripe } from "./billing_world.ts";

const { accountId } = ALICE;
let peer: StripePeer;
let clock: TestClock;

withStripe((stage) => {
  ({ peer, clock } = stage);
});

describe("showOrder()", () => {
  const choice = { quantity: 5, period: "yearly", currency: "USD" } as const;

  test("shows the purchase before any event has arrived, and the plan is active", async () => {
    const { billing, register, paid } = stripeWorld(peer, clock);
    await register(ALICE);
    const { sessionId } = await paid({ ...choice, plan: "professional", quantity: 5 });
    const shown = accepted(await billing.showOrder(sessionId, accountId));
    expect(shown).toEqual({
      plan: "professional",
      quantity: 5,
      period: "yearly",
      amount: 49_680,
      currency: "USD",
      cap: 50,
      state: "paid",
      own: true,
      account: { name: "Alice Meyer", email: ALICE.address },
      tracked: 2,
      periodEnd: "2027-11-20T12:00:00.000Z",
    });
    expect(await billing.entitlementOf(accountId)).toEqual({ active: true, cap: 50 });
  });

  test("shows the same after the events, and later", async () => {
    const { billing, register, paid, deliver } = stripeWorld(peer, clock);
    await register(ALICE);
    const { sessionId } = await paid();
    for (const event of peer.takeEvents()) await deliver(event);
    const first = accepted(await billing.showOrder(sessionId, accountId));
    expect(first).toMatchObject({ state: "paid", amount: 800, periodEnd: "2026-12-20T12:00:00.000Z" });
    clock.pass(DAY);
    expect(accepted(await billing.showOrder(sessionId, accountId))).toEqual(first);
  });

  test("shows less without a session", async () => {
    const { billing, register, paid } = stripeWorld(peer, clock);
    await register(ALICE);
    const { sessionId } = await paid();
    expect(accepted(await billing.showOrder(sessionId, undefined))).toMatchObject({
      state: "paid",
      own: false,
      tracked: null,
      account: { name: null, email: "a•••@example.com" },
    });
    expect(masked("x@y.example")).toBe("x•••@y.example");
  });

  test("shows that the payment is processing while it is", async () => {
    const { billing, register, sessionOf } = stripeWorld(peer, clock);
    await register(ALICE);
    const { url } = accepted(await billing.startCheckout(accountId, aChoice()));
    peer.completeCheckout(sessionOf(url), { delayed: true });
    expect(accepted(await billing.showOrder(sessionOf(url), accountId))).toMatchObject({ state: "processing" });
  });

  test("grants nothing by itself: an unfinished purchase leaves the account without a plan", async () => {
    const { billing, register, sessionOf } = stripeWorld(peer, clock);
    await register(ALICE);
    clock.pass(15 * DAY);
    const without = await billing.entitlementOf(accountId);
    expect(without).toMatchObject({ active: false });
    const { url } = accepted(await billing.startCheckout(accountId, aChoice()));
    expect(await billing.showOrder(sessionOf(url), accountId)).toMatchObject({ code: "ORDER_NOT_FOUND" });
    expect(await billing.entitlementOf(accountId)).toEqual(without);
  });

  test("finds no session id that is foreign, unknown, still open or expired", async () => {
    const { billing, register, paid, sessionOf } = stripeWorld(peer, clock);
    await register(ALICE);
    await register(BOB);
    const { sessionId } = await paid();
    const { url } = accepted(await billing.startCheckout(BOB.accountId, aChoice()));
    const unknown = { ok: false, code: "ORDER_NOT_FOUND" };
    expect(await billing.showOrder(sessionId, BOB.accountId)).toMatchObject(unknown);
    for (const viewer of [undefined, BOB.accountId])
      for (const wrong of ["", "cs_test_unknown", "../customers/cus_1", "{CHECKOUT_SESSION_ID}", sessionOf(url)])
        expect(await billing.showOrder(wrong, viewer)).toMatchObject(unknown);
    peer.state.find("sessions", sessionOf(url)).status = "expired";
    expect(await billing.showOrder(sessionOf(url), BOB.accountId)).toMatchObject(unknown);
    // An unknown id is not requested.
    expect(peer.requests.filter(({ operation }) => operation === "getCheckoutSessionsId")).toHaveLength(3);
  });

  test.each(STRIPE_FAILURES)(
    "reports a failure if Stripe responds with %s, and works shortly afterwards",
    async (kind) => {
      const { billing, register, paid } = stripeWorld(peer, clock);
      await register(ALICE);
      const { sessionId } = await paid();
      for (const operation of ["getCheckoutSessionsId", "getInvoices"]) {
        peer.failNext(kind, { times: 9, operation });
        expect(await billing.showOrder(sessionId, accountId)).toMatchObject({ code: "ORDER_UNAVAILABLE" });
        peer.heal();
      }
      expect(accepted(await billing.showOrder(sessionId, accountId))).toMatchObject({ state: "paid" });
    },
  );
});

describe("listOrders() and openInvoice()", () => {
  test("list paid orders, newest first, each with a fresh link to its invoice, for their owner only", async () => {
    const { billing, register, paid } = stripeWorld(peer, clock);
    await register(ALICE);
    await register(BOB);
    const { customer } = await paid({ currency: "GBP" });
    clock.set("2026-12-20T12:00:00Z");
    peer.renew(customer);
    await billing.reconcile(accountId);
    const { items } = accepted(await billing.listOrders(accountId));
    expect(items).toMatchObject([
      { at: "2026-12-20T12:00:00.000Z", amount: 700, currency: "GBP", state: "paid", plan: "professional" },
      { at: "2026-11-20T12:00:00.000Z", amount: 700, quantity: 1, period: "monthly", refunded: 0 },
    ]);
    const id = items[0]?.id ?? "";
    expect(accepted(await billing.openInvoice(accountId, id)).url).toBe(`https://invoice.stripe.com/i/${id}`);
    expect(accepted(await billing.listOrders(BOB.accountId))).toEqual({ items: [] });
    expect(await billing.openInvoice(BOB.accountId, id)).toMatchObject({ code: "NOT_FOUND" });
    expect(await billing.openInvoice(accountId, "in_unknown")).toMatchObject({ code: "NOT_FOUND" });
    peer.failNext("500", { times: 9 });
    expect(await billing.openInvoice(accountId, id)).toMatchObject({ code: "PAYMENT_UNAVAILABLE" });
  });
});
