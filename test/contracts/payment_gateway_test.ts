import { afterEach, describe, expect, test } from "bun:test";
import type { NewCheckout } from "../../src/billing/gateway_ports.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { DAY, MINUTE } from "../support/clock.ts";
import { closeGateways, got, type Opened, onSandbox, onSandboxFile, onStripe } from "../support/payment_gateways.ts";

afterEach(closeGateways);

const MISSING = { ok: false, reason: "missing" } as const;

describe.each([
  ["stripe", onStripe],
  ["sandbox", onSandbox],
  ["sandbox in a file", onSandboxFile],
] as [string, () => Promise<Opened>][])("PaymentGateway on %s", (_, open) => {
  const customer = { accountId: ALICE.accountId, email: ALICE.address, name: "Alice Meyer", language: "de" as const };

  async function opened() {
    const on = await open();
    const { payments } = on;
    const { customerId } = got(await payments.createCustomer({ ...customer, key: "customer:alice:0" }));
    const choice = { plan: "professional", period: "monthly", quantity: 2, currency: "CHF" } as const;
    const wanted: NewCheckout = {
      accountId: ALICE.accountId,
      customerId,
      ...choice,
      language: "de",
      key: "checkout:1",
    };
    const start = async (more: Partial<NewCheckout> = {}) => got(await payments.createCheckout({ ...wanted, ...more }));
    const state = async () => got(await payments.getCustomer(customerId));
    return {
      ...on,
      customerId,
      wanted,
      start,
      state,
      async bought(more: Partial<NewCheckout> = {}) {
        await on.pay((await start(more)).sessionId);
        const [purchase] = (await state()).purchases;
        if (!purchase) throw new Error("Nothing was bought");
        return purchase;
      },
    };
  }

  test("an idempotency key creates one customer, and one checkout", async () => {
    const { payments, customerId, start } = await opened();
    expect(await payments.createCustomer({ ...customer, key: "customer:alice:0" })).toEqual({
      ok: true,
      value: { customerId },
    });
    const other = got(await payments.createCustomer({ ...customer, key: "customer:alice:1" }));
    expect(other.customerId).not.toBe(customerId);
    const first = await start();
    expect(await start()).toEqual(first);
    expect((await start({ key: "checkout:2" })).sessionId).not.toBe(first.sessionId);
    expect(URL.parse(first.url)?.protocol).toBe("https:");
  });

  test("a checkout is open, then paid, and returns what was bought for whom", async () => {
    const { payments, pay, start } = await opened();
    const { sessionId } = await start();
    const shown = {
      plan: "professional",
      period: "monthly",
      quantity: 2,
      amount: 1600,
      currency: "CHF",
      accountId: ALICE.accountId,
    };
    expect(got(await payments.getCheckout(sessionId))).toMatchObject({ ...shown, state: "open", paid: false });
    await pay(sessionId);
    expect(got(await payments.getCheckout(sessionId))).toMatchObject({ ...shown, state: "complete", paid: true });
    expect(got(await payments.expireCheckout(sessionId))).toBe("complete");
  });

  test("a cancelled checkout cannot be paid, and is cancelled once", async () => {
    const { payments, start } = await opened();
    const { sessionId } = await start();
    expect(got(await payments.expireCheckout(sessionId))).toBe("expired");
    expect(got(await payments.expireCheckout(sessionId))).toBe("expired");
    expect(got(await payments.getCheckout(sessionId))).toMatchObject({ state: "expired", paid: false });
  });

  test("a purchase is available with its order, for its customer only", async () => {
    const { payments, clock, bought, state } = await opened();
    expect(await state()).toEqual({ purchases: [], orders: [] });
    const purchase = await bought();
    expect(purchase).toEqual({
      subscriptionId: expect.any(String),
      itemId: expect.any(String),
      status: "active",
      plan: "professional",
      period: "monthly",
      quantity: 2,
      currency: "CHF",
      startedAt: clock.now(),
      periodEnd: new Date("2026-12-20T12:00:00.000Z"),
      cancelAt: undefined,
      pastDueSince: undefined,
    });
    const { orders } = await state();
    expect(orders).toEqual([
      {
        id: expect.any(String),
        at: clock.now(),
        number: expect.any(String),
        state: "paid",
        plan: "professional",
        period: "monthly",
        quantity: 2,
        amount: 1600,
        refunded: 0,
        currency: "CHF",
      },
    ]);
    const bob = { ...customer, accountId: BOB.accountId, key: "customer:bob:0" };
    const { customerId } = got(await payments.createCustomer(bob));
    expect(got(await payments.getCustomer(customerId))).toEqual({ purchases: [], orders: [] });
    const orderId = orders[0]?.id ?? "";
    expect(await payments.invoiceUrl(customerId, orderId)).toEqual(MISSING);
  });

  test.each([
    ["yearly", "EUR", 1, "personal", 3312],
    ["yearly", "GBP", 3, "personal", 9108],
    ["monthly", "USD", 1, "business", 3400],
    ["yearly", "USD", 1, "professional", 9936],
  ] as const)("%s in %s, %p × %s costs %p", async (period, currency, quantity, plan, amount) => {
    const { payments, start } = await opened();
    const { sessionId } = await start({ period, currency, quantity, plan });
    expect(got(await payments.getCheckout(sessionId))).toMatchObject({ amount, currency, quantity, plan, period });
  });

  test("an invoice and the portal are available to their customer", async () => {
    const { payments, customerId, bought, state } = await opened();
    await bought();
    const [order] = (await state()).orders;
    for (const opened of [
      await payments.invoiceUrl(customerId, order?.id ?? ""),
      await payments.createPortal(customerId, "it"),
    ])
      expect(URL.parse(got(opened).url)?.protocol).toBe("https:");
  });

  test("a cancelled plan returns its end date, and a failed payment its start", async () => {
    const { customerId, cancel, bought, state } = await opened();
    const { periodEnd } = await bought();
    await cancel(customerId);
    expect((await state()).purchases).toMatchObject([{ status: "active", cancelAt: periodEnd }]);

    const other = await opened();
    await other.bought();
    other.clock.pass(10 * DAY);
    const failedAt = other.clock.now();
    await other.failRenewal(other.customerId);
    expect((await other.state()).purchases).toMatchObject([{ status: "past_due", pastDueSince: failedAt }]);
    expect((await other.state()).orders.map((order) => order.state).toSorted()).toEqual(["open", "paid"]);
    other.clock.pass(DAY);
    expect((await other.state()).purchases).toMatchObject([{ pastDueSince: failedAt }]);
    await other.payOpen(other.customerId);
    expect((await other.state()).purchases).toMatchObject([{ status: "active", pastDueSince: undefined }]);
  });

  test("a change costs what its preview says: the rest of the period, to the minor unit", async () => {
    const { payments, clock, customerId, bought, state } = await opened();
    const purchase = await bought();
    clock.pass(15 * DAY);
    const change = { customerId, purchase, plan: "business", period: "monthly", quantity: 1, at: clock.now() } as const;
    // Half of 30 days: 30.00 − 16.00.
    expect(got(await payments.previewChange(change))).toEqual({ due: 700, credit: 0, currency: "CHF" });
    expect((await state()).purchases).toMatchObject([{ plan: "professional" }]);
    clock.pass(5 * MINUTE);
    expect(got(await payments.changePlan({ ...change, key: "change:1" }))).toEqual({ payUrl: undefined });
    expect(got(await payments.changePlan({ ...change, key: "change:1" }))).toEqual({ payUrl: undefined });
    const after = await state();
    expect(after.purchases).toMatchObject([{ plan: "business", quantity: 1, periodEnd: purchase.periodEnd }]);
    expect(after.orders.map(({ amount }) => amount).toSorted()).toEqual([1600, 700].toSorted());
  });

  test("a smaller plan is credited, and another billing period starts immediately", async () => {
    const { payments, clock, customerId, bought } = await opened();
    const purchase = await bought();
    clock.pass(15 * DAY);
    const change = { customerId, purchase, quantity: 1, at: clock.now() } as const;
    const smaller = await payments.previewChange({ ...change, plan: "personal", period: "monthly" });
    expect(got(smaller)).toEqual({ due: 0, credit: 650, currency: "CHF" });
    const yearly = await payments.previewChange({ ...change, plan: "professional", period: "yearly" });
    expect(got(yearly)).toEqual({ due: 8832 - 800, credit: 0, currency: "CHF" });
  });

  test("a deleted customer has no data, pays nothing, and may be deleted twice", async () => {
    const { payments, customerId, wanted, bought } = await opened();
    await bought();
    expect(await payments.forgetCustomer(customerId)).toEqual({ ok: true, value: undefined });
    expect(await payments.forgetCustomer(customerId)).toEqual({ ok: true, value: undefined });
    expect(await payments.getCustomer(customerId)).toEqual(MISSING);
    expect(await payments.createPortal(customerId, "en")).toEqual(MISSING);
    expect(await payments.createCheckout({ ...wanted, key: "checkout:later" })).toEqual(MISSING);
  });

  // The last two are names that every object inherits.
  test.each(["cs_test_unknown", "__proto__", "constructor"])(
    "unknown objects are reported as missing: %s",
    async (unknown) => {
      const { payments, customerId } = await opened();
      expect(await payments.getCheckout(unknown)).toEqual(MISSING);
      expect(await payments.expireCheckout(unknown)).toEqual(MISSING);
      expect(await payments.getCustomer(unknown)).toEqual(MISSING);
      expect(await payments.invoiceUrl(customerId, unknown)).toEqual(MISSING);
      expect(await payments.forgetCustomer(unknown)).toEqual({ ok: true, value: undefined });
    },
  );

  test("an event is accepted if it is signed, unmodified and not older than five minutes", async () => {
    const { payments, clock, customerId, bought, event } = await opened();
    await bought();
    const { body, signature } = await event(customerId);
    const type = "customer.subscription.updated";
    const told = { id: expect.any(String), type, customerId };
    expect(await payments.parseWebhook(body, signature)).toEqual(told);
    for (const wrong of [
      undefined,
      "",
      "t=1,v1=00",
      `${signature}0`,
      signature.replace("v1=", "v0="),
      signature.replace(/t=\d/, "t=2"),
    ])
      expect(await payments.parseWebhook(body, wrong)).toBeUndefined();
    expect(await payments.parseWebhook(`${body} `, signature)).toBeUndefined();
    clock.pass(5 * MINUTE);
    expect(await payments.parseWebhook(body, signature)).toEqual(told);
    clock.pass(1000);
    expect(await payments.parseWebhook(body, signature)).toBeUndefined();
  });
});
