import { describe, expect, test } from "bun:test";
import type { ChangeInput } from "../../src/billing/inputs.ts";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { DAY, MINUTE, type TestClock } from "../support/clock.ts";
import type { StripePeer } from "../support/stripe_peer.ts";
import { changesOf, mailsOf, stripeWorld, withStripe } from "./billing_world.ts";

const { accountId } = ALICE;
const BUSINESS: ChangeInput = { plan: "business", period: "monthly", quantity: 1 };
let peer: StripePeer;
let clock: TestClock;

withStripe((stage) => {
  ({ peer, clock } = stage);
});

/** Fifteen of thirty days into Professional, in euros. */
async function subscribed() {
  const world = stripeWorld(peer, clock);
  await world.register(ALICE);
  const { customer } = await world.paid();
  await world.billing.reconcile(accountId);
  await world.published();
  clock.pass(15 * DAY);
  const preview = async (choice: ChangeInput) => accepted(await world.billing.previewChange(accountId, choice));
  return { ...world, customer, preview };
}

describe("previewChange()", () => {
  test("shows what Stripe will charge now, the later price, and for how many addresses", async () => {
    const { preview, billing } = await subscribed();
    expect(await preview(BUSINESS)).toEqual({
      ...BUSINESS,
      due: 1100,
      credit: 0,
      currency: "EUR",
      regular: 3000,
      cap: null,
      tracked: 2,
      quote: expect.any(String),
      validUntil: "2026-12-05T12:15:00.000Z",
    });
    expect(await preview({ plan: "personal", period: "monthly", quantity: 2 })).toMatchObject({
      due: 0,
      credit: 100,
      regular: 600,
      cap: 6,
    });
    expect(await preview({ plan: "professional", period: "yearly", quantity: 1 })).toMatchObject({
      due: 8832 - 400,
      credit: 0,
      regular: 8832,
      cap: 10,
    });
    expect(await billing.entitlementOf(accountId)).toEqual({ active: true, cap: 10 });
  });

  test("refuses the current plan, an account without one, and an outage", async () => {
    const { billing } = await subscribed();
    const same = { plan: "professional", period: "monthly", quantity: 1 } as const;
    expect(await billing.previewChange(accountId, same)).toMatchObject({ code: "PLAN_UNCHANGED" });
    expect(await billing.previewChange(BOB.accountId, BUSINESS)).toMatchObject({ code: "NOT_SUBSCRIBED" });
    peer.failNext("hang", { times: 2 });
    expect(await billing.previewChange(accountId, BUSINESS)).toMatchObject({ code: "PAYMENT_UNAVAILABLE" });
  });
});

describe("changePlan()", () => {
  test("charges what was shown some minutes earlier, once; the cap changes immediately, and the change is published", async () => {
    const { billing, preview, published } = await subscribed();
    const { quote, due } = await preview({ plan: "professional", period: "monthly", quantity: 4 });
    clock.pass(10 * MINUTE);
    const results = await Promise.all([1, 2, 3].map(() => billing.changePlan(accountId, quote)));
    expect(results.filter(({ ok }) => ok).length).toBeGreaterThan(0);
    const told = await published();
    expect(changesOf(told)).toEqual([[true, 40]]);
    expect(mailsOf(told)).toEqual(["plan_changed"]);
    const { items } = accepted(await billing.listOrders(accountId));
    expect(items.map(({ amount }) => amount)).toEqual([due, 800]);
    expect(due).toBe(1200);
    // The plan has changed now, so the quote is void.
    expect(await billing.changePlan(accountId, quote)).toMatchObject({ code: "QUOTE_OUTDATED" });
  });

  test("repeats a request whose response was lost, and nothing is charged twice", async () => {
    const { billing, preview } = await subscribed();
    const { quote } = await preview(BUSINESS);
    peer.failNext("answer lost", { times: 9, operation: "postSubscriptionsId" });
    expect(await billing.changePlan(accountId, quote)).toMatchObject({ code: "PAYMENT_UNAVAILABLE" });
    peer.heal();
    expect(await billing.changePlan(accountId, quote)).toEqual({ ok: true, value: { state: "changed" } });
    expect(accepted(await billing.listOrders(accountId)).items).toHaveLength(2);
    expect(await billing.entitlementOf(accountId)).toEqual({ active: true, cap: null });
  });

  test("a declined card changes nothing yet, and the payer is shown where to pay", async () => {
    const { billing, preview, customer } = await subscribed();
    const { quote } = await preview(BUSINESS);
    peer.declineCards(customer);
    expect(await billing.changePlan(accountId, quote)).toMatchObject({
      value: { state: "payment_needed", url: expect.stringContaining("https://invoice.stripe.com/") },
    });
    expect(await billing.entitlementOf(accountId)).toEqual({ active: true, cap: 10 });
  });

  test("refuses a quote that is old, manipulated, of another account, or for another time", async () => {
    const { billing, preview, paid } = await subscribed();
    const { quote } = await preview(BUSINESS);
    await paid({}, BOB.accountId);
    await billing.reconcile(BOB.accountId);
    const [at = "", ...rest] = quote.split(".");
    const cheaper = [String(Number(at) + 14 * DAY), ...rest].join(".");
    for (const wrong of [quote.replace("business", "personal"), cheaper, "", "....", `${quote}0`, quote.slice(0, -1)])
      expect(await billing.changePlan(accountId, wrong)).toMatchObject({ code: "QUOTE_OUTDATED" });
    expect(await billing.changePlan(BOB.accountId, quote)).toMatchObject({ code: "QUOTE_OUTDATED" });
    clock.pass(15 * MINUTE + 1);
    expect(await billing.changePlan(accountId, quote)).toMatchObject({ code: "QUOTE_OUTDATED" });
    expect(peer.requests.filter(({ operation }) => operation === "postSubscriptionsId")).toEqual([]);
  });
});

describe("openPortal()", () => {
  test("leads to Stripe's pages and back to the profile; the pages are configured once", async () => {
    const { billing } = await subscribed();
    for (let time = 0; time < 2; time++)
      expect(accepted(await billing.openPortal(accountId)).url).toStartWith("https://billing.stripe.com/");
    expect(peer.state.objects.configurations.size).toBe(1);
    expect(peer.requests.find(({ operation }) => operation === "postBillingPortalSessions")?.params).toMatchObject({
      locale: "en",
      return_url: "https://breachbell.example/en/profile",
    });
    accepted(await billing.openPortal(accountId, "it"));
    expect(peer.requests.findLast(({ operation }) => operation === "postBillingPortalSessions")?.params).toMatchObject({
      locale: "it",
      return_url: "https://breachbell.example/it/profile",
    });
    expect(await billing.openPortal(BOB.accountId)).toMatchObject({ code: "NOT_SUBSCRIBED" });
    peer.failNext("500", { times: 9 });
    expect(await billing.openPortal(accountId)).toMatchObject({ code: "PAYMENT_UNAVAILABLE" });
  });
});
