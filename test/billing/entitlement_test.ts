import { describe, expect, test } from "bun:test";
import { ALICE } from "../support/builders.ts";
import { DAY, HOUR, type TestClock } from "../support/clock.ts";
import type { StripePeer } from "../support/stripe_peer.ts";
import { changesOf, mailsOf, stripeWorld, withStripe } from "./billing_world.ts";

const { accountId } = ALICE;
let peer: StripePeer;
let clock: TestClock;

withStripe((stage) => {
  ({ peer, clock } = stage);
});

/** Alice has bought a plan, and all events have been delivered. */
async function subscribed() {
  const world = stripeWorld(peer, clock);
  await world.register(ALICE);
  const { customer } = await world.paid();
  const told = async () => {
    for (const event of peer.takeEvents()) expect((await world.deliver(event)).ok).toBe(true);
    const published = await world.published();
    return { changes: changesOf(published), mails: mailsOf(published) };
  };
  const may = () => world.billing.entitlementOf(accountId);
  return { ...world, customer, told, may, first: await told() };
}

describe("An account's entitlement follows Stripe", () => {
  test("a purchase takes effect immediately, and the rest of the trial ends", async () => {
    const { first, may, shown } = await subscribed();
    expect(first).toEqual({
      changes: [
        [true, 3],
        [true, 10],
      ],
      mails: ["plan_started"],
    });
    expect(await may()).toEqual({ active: true, cap: 10 });
    expect(await shown()).toMatchObject({
      status: "active",
      plan: "professional",
      quantity: 1,
      period: "monthly",
      currency: "EUR",
      cap: 10,
      periodEnd: "2026-12-20T12:00:00.000Z",
      cancelAtPeriodEnd: false,
      canPortal: true,
      canChange: true,
    });
  });

  test("a renewal sends no message", async () => {
    const { customer, told, may, shown } = await subscribed();
    clock.set("2026-12-20T12:00:00Z");
    peer.renew(customer);
    expect(await told()).toEqual({ changes: [], mails: [] });
    expect(await may()).toEqual({ active: true, cap: 10 });
    expect((await shown()).periodEnd).toBe("2027-01-20T12:00:00.000Z");
  });

  test("a failed payment leaves seven days with notices, then monitoring is suspended, and a payment resumes it", async () => {
    const { customer, told, may, shown, billing, published } = await subscribed();
    const notices = async () => {
      await billing.sendPlanNotices();
      return mailsOf(await published());
    };
    clock.set("2026-12-20T12:00:00Z");
    peer.renew(customer, { fails: true });
    expect(await told()).toEqual({ changes: [], mails: ["payment_failed"] });
    expect(await shown()).toMatchObject({ status: "grace", graceUntil: "2026-12-27T12:00:00.000Z", unpaid: true });
    clock.pass(4 * DAY - 1);
    expect(await notices()).toEqual([]);
    clock.pass(1);
    expect(await notices()).toEqual(["payment_reminder"]);
    expect(await notices()).toEqual([]);
    clock.pass(2 * DAY);
    expect(await notices()).toEqual(["payment_reminder"]);
    clock.set("2026-12-27T00:00:00Z");
    expect(await notices()).toEqual(["payment_reminder"]);
    clock.set("2026-12-27T11:59:59.999Z");
    expect(await may()).toEqual({ active: true, cap: 10 });
    clock.pass(1);
    expect(await may()).toEqual({ active: false, cap: 10 });
    await billing.settleDue();
    const suspended = await published();
    expect(changesOf(suspended)).toEqual([[false, 10]]);
    expect(mailsOf(suspended)).toEqual(["plan_suspended"]);
    expect(await shown()).toMatchObject({ status: "inactive", plan: "professional", unpaid: true, canChange: true });

    peer.giveUp(customer);
    expect(await told()).toEqual({ changes: [], mails: [] });
    peer.payOpen(customer);
    expect(await told()).toEqual({ changes: [[true, 10]], mails: ["payment_received"] });
    expect(await shown()).toMatchObject({ status: "active", graceUntil: null, unpaid: false });
  });

  test("a second failed payment does not restart the grace period", async () => {
    const { customer, told, shown, may } = await subscribed();
    clock.set("2026-12-20T12:00:00Z");
    peer.renew(customer, { fails: true });
    clock.set("2027-01-20T12:00:00Z");
    peer.renew(customer, { fails: true });
    await told();
    expect(await may()).toMatchObject({ active: false });
    expect((await shown()).status).toBe("inactive");
  });

  test("a cancelled plan runs to the end of its period, is announced, can be resumed, and ends by the clock", async () => {
    const { customer, told, may, shown, billing, published } = await subscribed();
    peer.cancelAtPeriodEnd(customer);
    expect(await told()).toEqual({ changes: [], mails: ["plan_ending"] });
    expect(await shown()).toMatchObject({ cancelAtPeriodEnd: true, periodEnd: "2026-12-20T12:00:00.000Z" });
    peer.cancelAtPeriodEnd(customer, false);
    expect(await told()).toEqual({ changes: [], mails: ["plan_continues"] });
    peer.cancelAtPeriodEnd(customer);
    await told();
    for (const day of ["13T12:00:00Z", "19T12:00:00Z", "20T00:00:00Z"]) {
      clock.set(`2026-12-${day}`);
      await billing.sendPlanNotices();
      await billing.sendPlanNotices();
      expect(mailsOf(await published())).toEqual(["plan_ending"]);
    }
    clock.set("2026-12-20T12:00:00Z");
    // No event about the end has arrived, and it still takes effect.
    expect(await may()).toEqual({ active: false, cap: 10 });
    await billing.settleDue();
    const ended = await published();
    expect(changesOf(ended)).toEqual([[false, 10]]);
    expect(mailsOf(ended)).toEqual(["plan_ended"]);
    peer.renew(customer);
    expect(await told()).toEqual({ changes: [], mails: [] });
    expect(await shown()).toMatchObject({ status: "inactive", canChange: false, canPortal: true });
  });

  test("a refund that ends the plan takes effect, and the order says so; the rest of the trial resumes", async () => {
    const { customer, told, shown, billing } = await subscribed();
    clock.pass(DAY);
    peer.refund(customer);
    expect(await told()).toEqual({ changes: [[true, 3]], mails: ["plan_ended"] });
    expect(await shown()).toMatchObject({ status: "trial", plan: "trial", daysLeft: 13 });
    const orders = await billing.listOrders(accountId);
    expect(orders).toMatchObject({ value: { items: [{ state: "refunded", amount: 800, refunded: 800 }] } });
  });

  test("a customer deleted at Stripe has no plan, and may buy again as another one", async () => {
    const { customer, told, may, shown, paid, billing } = await subscribed();
    clock.pass(20 * DAY);
    peer.deleteCustomer(customer);
    expect(await told()).toEqual({ changes: [[false, 10]], mails: ["plan_ended"] });
    expect(await may()).toMatchObject({ active: false });
    expect(await shown()).toMatchObject({ status: "inactive", canPortal: false, canChange: false });
    const again = await paid({ plan: "business" });
    expect(again.customer).not.toBe(customer);
    expect(await told()).toEqual({ changes: [[true, null]], mails: ["plan_started"] });
    expect(await billing.openPortal(accountId)).toMatchObject({ ok: true });
  });

  test("another quantity changes the cap and is published", async () => {
    const { customer, told, may } = await subscribed();
    peer.setQuantity(customer, 5);
    expect(await told()).toEqual({ changes: [[true, 50]], mails: ["plan_changed"] });
    expect(await may()).toEqual({ active: true, cap: 50 });
    peer.setQuantity(customer, 2);
    expect(await told()).toEqual({ changes: [[true, 20]], mails: ["plan_changed"] });
  });

  test("another product's plan on the same Stripe account is ignored", async () => {
    const { customer, told, may } = await subscribed();
    const subscription = peer.subscriptionOf(customer);
    const [item] = subscription.items.data;
    item.price = { ...item.price, metadata: { plan: "business" } };
    peer.setQuantity(customer, 1);
    expect((await told()).changes).toEqual([[true, 3]]);
    clock.pass(30 * DAY);
    expect(await may()).toMatchObject({ active: false });
  });

  test("existing customers keep their price when ours change, and their plan", async () => {
    const { customer, told, may } = await subscribed();
    for (const price of peer.state.objects.prices.values()) price.lookup_key = null;
    clock.pass(HOUR);
    peer.setQuantity(customer, 3);
    expect((await told()).changes).toEqual([[true, 30]]);
    expect(await may()).toEqual({ active: true, cap: 30 });
  });
});

describe("sendPlanNotices() about the trial", () => {
  test("announces seven days, one day and the day before it ends, each once, and that it has ended", async () => {
    const { billing, register, published } = stripeWorld(peer, clock);
    await register(ALICE);
    await published();
    const told: [string, string[]][] = [];
    for (let hour = 0; hour <= 15 * 24; hour++) {
      await billing.sendPlanNotices();
      await billing.settleDue();
      const mails = mailsOf(await published());
      if (mails.length > 0) told.push([clock.now().toISOString(), mails]);
      clock.pass(HOUR);
    }
    expect(told).toEqual([
      ["2026-11-27T12:00:00.000Z", ["trial_ending"]],
      ["2026-12-03T12:00:00.000Z", ["trial_ending"]],
      ["2026-12-04T00:00:00.000Z", ["trial_ending"]],
      ["2026-12-04T12:00:00.000Z", ["trial_ended"]],
    ]);
  });
});
