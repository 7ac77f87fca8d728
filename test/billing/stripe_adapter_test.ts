import { describe, expect, test } from "bun:test";
import { ALICE } from "../support/builders.ts";
import { MINUTE, type TestClock } from "../support/clock.ts";
import { got } from "../support/payment_gateways.ts";
import { STRIPE_FAILURES, type StripePeer, stripeOn } from "../support/stripe_peer.ts";
import { withStripe } from "./billing_world.ts";

let peer: StripePeer;
let clock: TestClock;

withStripe((stage) => {
  ({ peer, clock } = stage);
});

const choice = { plan: "personal", period: "monthly", quantity: 1, currency: "EUR" } as const;
const person = { accountId: ALICE.accountId, email: ALICE.address, name: "Alice Meyer", language: "fr" as const };
let keys = 0;

async function checkedOut(payments: ReturnType<typeof stripeOn>, more: object = {}) {
  const number = ++keys;
  const { customerId } = got(await payments.createCustomer({ ...person, key: `customer:${number}` }));
  const wanted = {
    ...choice,
    accountId: ALICE.accountId,
    customerId,
    language: "fr" as const,
    key: `checkout:${number}`,
  };
  const { sessionId } = got(await payments.createCheckout({ ...wanted, ...more }));
  const sent = peer.requests.findLast(({ operation }) => operation === "postCheckoutSessions");
  return { sessionId, customerId, sent: sent?.params };
}
const made = (operation: string) => peer.requests.filter((request) => request.operation === operation);

describe("The plans' prices at Stripe", () => {
  test("are created once, in four currencies, with their plan, and found again by another process", async () => {
    await checkedOut(stripeOn(peer));
    await checkedOut(stripeOn(peer));
    expect(made("postPrices")).toHaveLength(6);
    expect(made("postProducts").map(({ params }) => params.name)).toEqual([
      ...["Breachbell Personal", "Breachbell Professional", "Breachbell Business"],
    ]);
    const yearly = [...peer.state.objects.prices.values()].find(
      ({ lookup_key: key }) => key === "breachbell_personal_yearly",
    );
    expect(yearly).toMatchObject({
      currency: "eur",
      unit_amount: 3312,
      recurring: { interval: "year" },
      metadata: { app: "breachbell", plan: "personal", capacity: "3" },
      currency_options: { usd: { unit_amount: 3864 }, gbp: { unit_amount: 3036 }, chf: { unit_amount: 3312 } },
    });
  });

  test("are not duplicated by two processes that start concurrently", async () => {
    await Promise.all([checkedOut(stripeOn(peer)), checkedOut(stripeOn(peer))]);
    expect(peer.state.objects.prices.size).toBe(6);
    expect(peer.state.objects.products.size).toBe(3);
  });

  test("are looked up every five minutes; an outdated price is replaced, and its lookup key is transferred", async () => {
    const payments = stripeOn(peer);
    await checkedOut(payments);
    await checkedOut(payments);
    expect(made("getPrices")).toHaveLength(1);
    const old = [...peer.state.objects.prices.values()].find(
      ({ lookup_key: key }) => key === "breachbell_personal_monthly",
    );
    const options = old?.currency_options as Record<string, { unit_amount: number }>;
    if (options.usd) options.usd.unit_amount = 1;
    clock.pass(5 * MINUTE);
    // The idempotency keys have expired.
    const replaced = stripeOn(peer);
    peer.forgetKeys();
    const { sessionId } = await checkedOut(replaced, { currency: "USD" });
    expect(got(await replaced.getCheckout(sessionId))).toMatchObject({ amount: 350, currency: "USD" });
    expect(old?.lookup_key).toBeNull();
    expect(peer.state.objects.prices.size).toBe(7);
  });
});

describe("Tax and promotion codes", () => {
  test("are disabled and enabled only by configuration", async () => {
    const { sent } = await checkedOut(stripeOn(peer));
    expect(sent).toMatchObject({ allow_promotion_codes: true });
    for (const name of ["automatic_tax", "tax_id_collection", "customer_update"]) expect(sent).not.toHaveProperty(name);
    const without = await checkedOut(stripeOn(peer, { promotionCodes: false }));
    expect(without.sent).not.toHaveProperty("allow_promotion_codes");
  });

  test.each(["inclusive", "exclusive"] as const)("%s tax is part of prices and of the page", async (tax) => {
    const { sent } = await checkedOut(stripeOn(peer, { tax }));
    expect(sent).toMatchObject({
      automatic_tax: { enabled: true },
      tax_id_collection: { enabled: true },
      customer_update: { address: "auto", name: "auto" },
    });
    for (const price of peer.state.objects.prices.values()) expect(price.tax_behavior).toBe(tax);
  });
});

describe("Failures at Stripe", () => {
  test.each(STRIPE_FAILURES)("%s is reported to the operator without the request's contents", async (kind) => {
    const troubles: string[] = [];
    const payments = stripeOn(peer, { onTrouble: (reason) => void troubles.push(reason) });
    peer.failNext(kind, { times: 9 });
    expect(await payments.createCustomer({ ...person, key: "customer:x" })).toEqual({
      ok: false,
      reason: "unavailable",
    });
    expect(troubles).toHaveLength(1);
    for (const secret of ["sk_test", "alice", "Meyer"]) expect(troubles.join()).not.toContain(secret);
  });

  test("reusing a key for another request is refused, and nothing is created", async () => {
    const payments = stripeOn(peer);
    const { customerId } = await checkedOut(payments);
    const wanted = { ...choice, accountId: ALICE.accountId, customerId, language: "fr" as const, key: "checkout:same" };
    got(await payments.createCheckout(wanted));
    expect(await payments.createCheckout({ ...wanted, quantity: 3 })).toEqual({ ok: false, reason: "refused" });
  });
});
