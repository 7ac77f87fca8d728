import { describe, expect, test } from "bun:test";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { DAY, MINUTE, type TestClock } from "../support/clock.ts";
import { STRIPE_FAILURES, type StripePeer } from "../support/stripe_peer.ts";
import { aChoice, changesOf, mailsOf, stripeWorld, withStripe } from "./billing_world.ts";

const { accountId } = ALICE;
let peer: StripePeer;
let clock: TestClock;

withStripe((stage) => {
  ({ peer, clock } = stage);
});

const made = (operation: string) => peer.requests.filter((request) => request.operation === operation);

describe("startCheckout()", () => {
  test("sends the selection to the payment page, in the buyer's language and currency, with promotion codes", async () => {
    const { billing, register, sessionOf } = stripeWorld(peer, clock);
    await register(ALICE);
    const { url } = accepted(await billing.startCheckout(accountId, aChoice({ quantity: 5, currency: "CHF" })));
    expect(url).toStartWith("https://checkout.stripe.com/");
    expect(peer.state.find("sessions", sessionOf(url))).toMatchObject({
      currency: "chf",
      locale: "en",
      amount_total: 4000,
      client_reference_id: accountId,
      mode: "subscription",
      success_url: "https://breachbell.example/en/success-order#t={CHECKOUT_SESSION_ID}",
      cancel_url: "https://breachbell.example/en/subscription",
      subscription_data: { metadata: { account_id: accountId, plan: "professional" } },
    });
    const [sent] = made("postCheckoutSessions");
    expect(sent?.params).toMatchObject({ allow_promotion_codes: true, line_items: [{ quantity: 5 }] });
    expect(sent?.params).not.toHaveProperty("automatic_tax");
    expect([...peer.state.objects.customers.values()]).toMatchObject([
      { email: ALICE.address, name: "Alice Meyer", preferred_locales: ["en"], metadata: { account_id: accountId } },
    ]);
  });

  test("uses the language of the page it was called from, and leads back there", async () => {
    const { billing, register, sessionOf } = stripeWorld(peer, clock);
    await register(ALICE);
    const { url } = accepted(await billing.startCheckout(accountId, aChoice({ language: "it" })));
    expect(peer.state.find("sessions", sessionOf(url))).toMatchObject({
      locale: "it",
      success_url: "https://breachbell.example/it/success-order#t={CHECKOUT_SESSION_ID}",
      cancel_url: "https://breachbell.example/it/subscription",
    });
  });

  test("opens one page per click however often it is sent, and a new one for the next click, closing the first", async () => {
    const { billing, register, sessionOf } = stripeWorld(peer, clock);
    await register(ALICE);
    const choice = aChoice();
    const first = accepted(await billing.startCheckout(accountId, choice)).url;
    expect(accepted(await billing.startCheckout(accountId, choice)).url).toBe(first);
    const second = accepted(await billing.startCheckout(accountId, aChoice({ plan: "business" }))).url;
    expect(second).not.toBe(first);
    const stateOf = (url: string) => peer.state.find("sessions", sessionOf(url)).status;
    expect([stateOf(first), stateOf(second)]).toEqual(["expired", "open"]);
    expect(peer.state.objects.customers.size).toBe(1);
  });

  test("of ten concurrent clicks one gets a page and the others are told to wait", async () => {
    const { billing, register } = stripeWorld(peer, clock);
    await register(ALICE);
    const answers = await Promise.all(Array.from({ length: 10 }, () => billing.startCheckout(accountId, aChoice())));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    for (const answer of answers) if (!answer.ok) expect(answer).toMatchObject({ code: "BUSY", retryAfter: 90 });
    expect([...peer.state.objects.sessions.values()].filter(({ status }) => status === "open")).toHaveLength(1);
    expect(accepted(await billing.startCheckout(accountId, aChoice())).url).toStartWith("https://");
  });

  test("sells no second plan besides a running one, even if no event of the first has arrived", async () => {
    const { billing, register, paid } = stripeWorld(peer, clock);
    await register(ALICE);
    await paid();
    const again = () => billing.startCheckout(accountId, aChoice({ plan: "business" }));
    expect(await again()).toMatchObject({ code: "ALREADY_SUBSCRIBED" });
    expect(await billing.entitlementOf(accountId)).toEqual({ active: true, cap: 10 });
    expect(await again()).toMatchObject({ code: "ALREADY_SUBSCRIBED" });
    expect(peer.state.objects.subscriptions.size).toBe(1);
  });

  test.each(STRIPE_FAILURES)(
    "if Stripe responds with %s it says so, nothing is half-bought, and the next click works",
    async (kind) => {
      const { billing, register } = stripeWorld(peer, clock);
      await register(ALICE);
      for (const operation of ["postCustomers", "getPrices", "postCheckoutSessions"]) {
        peer.failNext(kind, { times: 3, operation });
        const answer = await billing.startCheckout(accountId, aChoice());
        // A lost response is requested again with the same key, and then exists.
        expect(answer).toMatchObject({ code: "PAYMENT_UNAVAILABLE" });
        peer.heal();
        expect(await billing.entitlementOf(accountId)).toEqual({ active: true, cap: 3 });
      }
      expect(accepted(await billing.startCheckout(accountId, aChoice())).url).toStartWith("https://");
      expect(peer.state.objects.customers.size).toBe(1);
      expect(peer.state.objects.subscriptions.size).toBe(0);
      expect(peer.state.objects.prices.size).toBe(6);
    },
    120_000,
  );

  test("a single failure goes unnoticed", async () => {
    const { billing, register } = stripeWorld(peer, clock);
    await register(ALICE);
    peer.failNext("500", { operation: "postCustomers" });
    peer.failNext("answer lost", { operation: "postCheckoutSessions" });
    expect((await billing.startCheckout(accountId, aChoice())).ok).toBe(true);
    expect(peer.state.objects.customers.size).toBe(1);
    expect(peer.state.objects.sessions.size).toBe(1);
  });

  test("creates another customer if Stripe has lost the first, even within the life of its idempotency keys", async () => {
    const { billing, register, stored } = stripeWorld(peer, clock);
    await register(ALICE);
    accepted(await billing.startCheckout(accountId, aChoice()));
    const customer = (await stored())?.customerId ?? "";
    peer.deleteCustomer(customer);
    const { url } = accepted(await billing.startCheckout(accountId, aChoice()));
    expect(url).toStartWith("https://");
    expect((await stored())?.customerId).not.toBe(customer);
    expect(await stored()).toMatchObject({ customers: 2, checkoutUntil: undefined });
  });

  test("an account created while billing was disabled can buy too", async () => {
    const { billing, paid, published } = stripeWorld(peer, clock);
    expect(await billing.entitlementOf(BOB.accountId)).toMatchObject({ active: false });
    await paid({ plan: "personal" }, BOB.accountId);
    await billing.reconcile(BOB.accountId);
    expect(await billing.entitlementOf(BOB.accountId)).toEqual({ active: true, cap: 3 });
    const told = await published();
    expect(changesOf(told)).toEqual([[true, 3]]);
    expect(mailsOf(told)).toEqual(["plan_started"]);
  });

  test("without events the purchase is found by polling: soon after the page was opened, then less often, and finally daily", async () => {
    const { billing, register, paid } = stripeWorld(peer, clock);
    await register(ALICE);
    await paid();
    clock.pass(5 * MINUTE - 1);
    expect(await billing.reconcileDue()).toBe(0);
    clock.pass(1);
    expect(await billing.reconcileDue()).toBe(1);
    expect(await billing.entitlementOf(accountId)).toEqual({ active: true, cap: 10 });
    expect((await billing.recordsOf(accountId)).checkouts).toMatchObject([{ state: "complete" }]);
    clock.pass(DAY - 1);
    expect(await billing.reconcileDue()).toBe(0);
    clock.pass(1);
    expect(await billing.reconcileDue()).toBe(1);
  });

  test("an unpaid page is polled less and less often, and finally daily", async () => {
    const { billing, register } = stripeWorld(peer, clock);
    await register(ALICE);
    accepted(await billing.startCheckout(accountId, aChoice()));
    let asked = 0;
    for (let minute = 0; minute < 25 * 60; minute += 5) {
      clock.pass(5 * MINUTE);
      asked += await billing.reconcileDue();
    }
    expect(asked).toBeWithin(5, 12);
    clock.pass(DAY);
    expect(await billing.reconcileDue()).toBe(1);
    expect((await billing.recordsOf(accountId)).checkouts).toMatchObject([{ state: "expired" }]);
  });
});
