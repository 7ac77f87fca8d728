import { expect, test } from "bun:test";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";
import { aChoice, billingWorld } from "./billing_world.ts";

const NOTHING = { subscription: null, checkouts: [], orders: [], notices: [] };

test("recordsOf() and summaryOf() include the account's trial while it runs, when it is over, and if there is none", async () => {
  const { clock, billing, register } = billingWorld();
  const { accountId } = ALICE;
  await register(ALICE);
  const startedAt = clock.now();
  const trialEndsAt = new Date(startedAt.getTime() + 14 * DAY);
  expect(await billing.recordsOf(accountId)).toMatchObject({
    ...NOTHING,
    subscription: { accountId, startedAt, trialEndsAt, endsAt: trialEndsAt, cap: 3, purchase: null },
  });
  expect(await billing.summaryOf(accountId)).toEqual({ plan: "trial", active: true, bought: false });
  clock.pass(14 * DAY);
  expect(await billing.summaryOf(accountId)).toEqual({ plan: "trial", active: false, bought: false });
  expect(await billing.recordsOf(BOB.accountId)).toEqual(NOTHING);
  expect(await billing.summaryOf(BOB.accountId)).toEqual({ plan: null, active: false, bought: false });
});

test("recordsOf() and summaryOf() include purchases, and the notices sent", async () => {
  const { billing, register, acts, sessionOf } = billingWorld();
  const { accountId } = ALICE;
  await register(ALICE);
  const { url } = accepted(await billing.startCheckout(accountId, aChoice({ quantity: 5 })));
  const event = acts.pay(sessionOf(url));
  await billing.takePaymentEvent(event?.body ?? "", event?.signature);
  const records = await billing.recordsOf(accountId);
  expect(records.subscription).toMatchObject({ purchase: { plan: "professional", quantity: 5 }, cap: 50 });
  expect(records.checkouts).toMatchObject([{ sessionId: sessionOf(url), plan: "professional", currency: "EUR" }]);
  expect(records.orders).toMatchObject([{ amount: 4000, currency: "EUR", state: "paid" }]);
  expect(records.notices).toMatchObject([{ key: expect.stringContaining("plan_started") }]);
  expect(await billing.summaryOf(accountId)).toEqual({ plan: "professional", active: true, bought: true });
});
