import { describe, expect, test } from "bun:test";
import type { CustomerState, GatewayAnswer, PaymentGateway } from "../../src/billing/gateway_ports.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { DAY, HOUR, MINUTE, type TestClock } from "../support/clock.ts";
import { STRIPE_FAILURES, type StripePeer, stripeOn } from "../support/stripe_peer.ts";
import { changesOf, mailsOf, stripeWorld, withStripe } from "./billing_world.ts";

const { accountId } = ALICE;
let peer: StripePeer;
let clock: TestClock;

withStripe((stage) => {
  ({ peer, clock } = stage);
});

async function bought() {
  const world = stripeWorld(peer, clock);
  await world.register(ALICE);
  const { customer } = await world.paid();
  await world.published();
  const events = peer.takeEvents();
  return { ...world, customer, events, may: () => world.billing.entitlementOf(accountId) };
}

describe("takePaymentEvent()", () => {
  test("does nothing without a signature, with an invalid one, or with one that is too old", async () => {
    const { billing, events, may } = await bought();
    const body = events[0]?.body ?? "";
    const good = await peer.sign(body);
    const wrong = [
      ...[undefined, "", "nonsense", "t=0,v1=", good.replace("v1=", "v0=")],
      await peer.sign(`${body} `),
      await peer.sign(body, clock.now(), "whsec_of_somebody_else_0123456789"),
      await peer.sign(body, new Date(clock.now().getTime() - 5 * MINUTE - 1000)),
    ];
    for (const signature of wrong)
      expect(await billing.takePaymentEvent(body, signature)).toMatchObject({ code: "SIGNATURE_INVALID" });
    expect(await may()).toEqual({ active: true, cap: 3 });
    expect(peer.requests.filter(({ operation }) => operation === "getSubscriptions")).toEqual([]);
    expect(await billing.takePaymentEvent(body, good)).toEqual({ ok: true, value: undefined });
    expect(await may()).toEqual({ active: true, cap: 10 });
  });

  test("accepts a late event, and either signature while a secret is being replaced", async () => {
    const { billing, events, may } = await bought();
    clock.pass(3 * DAY);
    const body = events[0]?.body ?? "";
    const [good, other] = [await peer.sign(body), await peer.sign(body, clock.now(), "whsec_the_next_one_0123456789")];
    expect(await billing.takePaymentEvent(body, `${other},${good.split(",")[1]}`)).toMatchObject({ ok: true });
    expect(await may()).toEqual({ active: true, cap: 10 });
  });

  test.each([
    "",
    "{",
    "[]",
    "null",
    '"text"',
    '{"object":"event"}',
    '{"id":"evt_1","object":"v2.core.event","type":"a"}',
  ])("does nothing for the signed body %p", async (body) => {
    const { billing, may } = await bought();
    expect(await billing.takePaymentEvent(body, await peer.sign(body))).toMatchObject({ code: "SIGNATURE_INVALID" });
    expect(await may()).toEqual({ active: true, cap: 3 });
  });

  test("publishes and requests once for an event that is delivered ten times, concurrently or later", async () => {
    const { deliver, events, published } = await bought();
    const [event] = events.filter(({ type }) => type === "checkout.session.completed");
    if (!event) throw new Error("There is no such event");
    await Promise.all(Array.from({ length: 10 }, () => deliver(event)));
    const told = await published();
    expect(changesOf(told)).toEqual([[true, 10]]);
    expect(mailsOf(told)).toEqual(["plan_started"]);
    const asked = peer.requests.length;
    await deliver(event);
    expect(peer.requests.length).toBe(asked);
  });

  test("accepts events about other objects, and about nobody", async () => {
    const { billing, events, may } = await bought();
    for (const customer of ["cus_of_somebody_else", null]) {
      const event = JSON.parse(events[0]?.body ?? "");
      event.data.object.customer = customer;
      const body = JSON.stringify(event);
      expect(await billing.takePaymentEvent(body, await peer.sign(body))).toEqual({ ok: true, value: undefined });
    }
    expect(await may()).toEqual({ active: true, cap: 3 });
  });

  test("uses Stripe's current state, not the event's", async () => {
    const { billing, events, customer, may } = await bought();
    const event = JSON.parse(events.find(({ type }) => type === "customer.subscription.created")?.body ?? "");
    event.data.object.items.data[0].quantity = 50;
    const body = JSON.stringify(event);
    await billing.takePaymentEvent(body, await peer.sign(body));
    expect(await may()).toEqual({ active: true, cap: 10 });
    void customer;
  });

  test.each(STRIPE_FAILURES)(
    "asks for redelivery if Stripe responds to the request with %s, and loses nothing",
    async (kind) => {
      const { deliver, events, may, published } = await bought();
      const [event] = events;
      if (!event) throw new Error("There is no event");
      // More often than clients retry automatically.
      peer.failNext(kind, { times: 9, operation: "getSubscriptions" });
      expect(await deliver(event)).toMatchObject({ code: "BUSY", retryAfter: 60 });
      expect(await may()).toEqual({ active: true, cap: 3 });
      expect(await published()).toEqual([]);
      peer.heal();
      expect(await deliver(event)).toMatchObject({ ok: true });
      expect(await may()).toEqual({ active: true, cap: 10 });
    },
  );

  test("treats an event of an older API version as a hint as well, and reports it to the operator once", async () => {
    const troubles: string[] = [];
    const payments = stripeOn(peer, { onTrouble: (reason) => void troubles.push(reason) });
    const { billing, register, paid } = stripeWorld(peer, clock, { payments });
    await register(ALICE);
    await paid();
    for (const { body } of peer.takeEvents()) {
      const old = body.replace("2026-10-28.endive", "2024-06-20");
      expect(await billing.takePaymentEvent(old, await peer.sign(old))).toMatchObject({ ok: true });
    }
    expect(await billing.entitlementOf(accountId)).toEqual({ active: true, cap: 10 });
    expect(troubles).toEqual(["events come in version 2024-06-20; set the endpoint's version to 2026-10-28.endive"]);
  });

  test("deletes events after a month", async () => {
    const { deliver, events, billing, deps } = await bought();
    for (const event of events) await deliver(event);
    const known = () =>
      deps.transaction(async ({ paymentEvents }) => {
        const found = await Promise.all(events.map(({ id }) => paymentEvents.has(id)));
        return found.filter(Boolean).length;
      });
    clock.pass(30 * DAY);
    await billing.cleanUpPayments();
    expect(await known()).toBe(events.length);
    clock.pass(HOUR);
    await billing.cleanUpPayments();
    expect(await known()).toBe(0);
  });
});

describe("reconcile()", () => {
  /** Holds back each response about a customer until it is released. */
  function slowly(payments: PaymentGateway) {
    const held: (() => void)[] = [];
    const getCustomer = async (id: string): Promise<GatewayAnswer<CustomerState>> => {
      const answer = await payments.getCustomer(id);
      await new Promise<void>((resolve) => held.push(resolve));
      return answer;
    };
    return { payments: { ...payments, getCustomer }, held };
  }
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
  };

  test("a slow response does not replace a newer one", async () => {
    const { payments, held } = slowly(stripeOn(peer));
    const world = stripeWorld(peer, clock, { payments });
    await world.register(ALICE);
    const { customer } = await world.paid();
    const first = world.billing.reconcile(accountId);
    await until(() => held.length === 1);
    peer.cancelNow(customer);
    const second = world.billing.reconcile(accountId);
    await until(() => held.length === 2);
    held[1]?.();
    expect(await second).toBe("done");
    held[0]?.();
    // It was overtaken, so it requests again.
    await until(() => held.length === 3);
    held[2]?.();
    expect(await first).toBe("done");
    expect(await world.billing.entitlementOf(accountId)).toEqual({ active: true, cap: 3 });
  });

  test("ignores accounts that are no customers, and those deleted meanwhile", async () => {
    const { payments, held } = slowly(stripeOn(peer));
    const world = stripeWorld(peer, clock, { payments });
    expect(await world.billing.reconcile(BOB.accountId)).toBe("unknown");
    await world.register(ALICE);
    await world.paid();
    const asked = world.billing.reconcile(accountId);
    await until(() => held.length === 1);
    await world.billing.onDeleted({ type: "identity.deleted", accountId });
    held[0]?.();
    expect(await asked).toBe("unknown");
    expect(await world.stored()).toBeUndefined();
  });
});
