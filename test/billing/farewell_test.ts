import { expect, test } from "bun:test";
import { ALICE, accepted } from "../support/builders.ts";
import { DAY, HOUR, MINUTE, type TestClock } from "../support/clock.ts";
import type { StripePeer } from "../support/stripe_peer.ts";
import { aChoice, stripeWorld, withStripe } from "./billing_world.ts";

const { accountId } = ALICE;
const deleted = { type: "identity.deleted" as const, accountId };
let peer: StripePeer;
let clock: TestClock;

withStripe((stage) => {
  ({ peer, clock } = stage);
});

test("a deleted account leaves nothing here, and its plan ends at Stripe immediately", async () => {
  const { billing, register, paid, stored, deliver } = stripeWorld(peer, clock);
  await register(ALICE);
  const { customer } = await paid();
  await billing.reconcile(accountId);
  await billing.onDeleted(deleted);
  await billing.onDeleted(deleted);
  expect(await stored()).toBeUndefined();
  expect(await billing.recordsOf(accountId)).toEqual({ subscription: null, checkouts: [], orders: [], notices: [] });
  expect(await billing.sayFarewells()).toBe(1);
  expect(peer.state.subscriptionsOf(customer)).toMatchObject([{ status: "canceled" }]);
  expect(peer.state.find("customers", customer).deleted).toBe(true);
  expect(await billing.sayFarewells()).toBe(0);
  for (const event of peer.takeEvents()) expect(await deliver(event)).toMatchObject({ ok: true });
  expect(await stored()).toBeUndefined();
});

test("after any outage of Stripe the plan ends, and open invoices cannot be paid", async () => {
  const { billing, register, paid, sessionOf } = stripeWorld(peer, clock);
  await register(ALICE);
  const { customer } = await paid();
  await billing.reconcile(accountId);
  peer.cancelNow(customer);
  await billing.reconcile(accountId);
  const { url } = accepted(await billing.startCheckout(accountId, aChoice()));
  await billing.onDeleted(deleted);
  peer.failNext("429", { times: 1000 });
  for (let hour = 0; hour < 2 * 24; hour++) {
    expect(await billing.sayFarewells()).toBe(0);
    clock.pass(HOUR);
  }
  peer.heal();
  clock.pass(6 * HOUR);
  expect(await billing.sayFarewells()).toBe(1);
  expect(peer.state.find("sessions", sessionOf(url)).status).toBe("expired");
  expect(peer.state.find("customers", customer).deleted).toBe(true);
}, 60_000);

test("a run that dies midway is repeated by the next", async () => {
  const { billing, register, paid, deps } = stripeWorld(peer, clock);
  await register(ALICE);
  const { customer } = await paid();
  await billing.onDeleted(deleted);
  // Claimed, and never finished.
  await deps.transaction(({ farewells }) =>
    farewells.claimDue(clock.now(), new Date(clock.now().getTime() + 10 * MINUTE), 9),
  );
  expect(await billing.sayFarewells()).toBe(0);
  clock.pass(10 * MINUTE);
  expect(await billing.sayFarewells()).toBe(1);
  expect(peer.state.find("customers", customer).deleted).toBe(true);
});

test("what is created at Stripe while the account is being deleted is deleted too", async () => {
  const { billing, register, deps, people } = stripeWorld(peer, clock);
  await register(ALICE);
  const { createCustomer } = deps.payments;
  deps.payments.createCustomer = async (customer) => {
    const made = await createCustomer(customer);
    await billing.onDeleted(deleted);
    people.delete(accountId);
    return made;
  };
  expect(await billing.startCheckout(accountId, aChoice())).toMatchObject({ code: "NOT_FOUND" });
  expect(await billing.sayFarewells()).toBe(1);
  expect([...peer.state.objects.customers.values()]).toMatchObject([{ deleted: true }]);
  clock.pass(DAY);
});
