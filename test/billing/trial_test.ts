import { describe, expect, test } from "bun:test";
import { memoryBilling } from "../../src/billing/adapters/memory.ts";
import { type BillingMode, createBilling } from "../../src/billing/mod.ts";
import { daysLeft, newTrial } from "../../src/billing/subscription.ts";
import { memoryDatabase } from "../../src/database/memory.ts";
import { memoryOutbox } from "../../src/events/adapters/memory.ts";
import { ALICE, accepted, BOB } from "../support/builders.ts";
import { DAY, testClock } from "../support/clock.ts";
import { takePublished } from "../support/published.ts";

function billingWorld(mode: BillingMode = "sandbox") {
  const clock = testClock();
  const database = memoryDatabase();
  const deps = { transaction: database.transactionOf(memoryBilling), mode, now: clock.now };
  const billing = createBilling(deps);
  return {
    ...{ clock, deps, billing },
    register: ({ accountId, address }: typeof ALICE) =>
      billing.onRegistered({ type: "identity.registered", accountId, email: address, language: "en" }),
    published: () => takePublished(memoryOutbox(database)),
    shown: async () => accepted(await billing.showSubscription(ALICE.accountId)),
  };
}

const changed = (active: boolean, changedAt: Date, accountId = ALICE.accountId) => ({
  ...{ type: "billing.subscriptionChanged" as const, accountId, active, cap: 3, changedAt: changedAt.toISOString() },
});

describe("onRegistered()", () => {
  test("starts the trial and says so, once however often it is told", async () => {
    const { clock, register, published, shown } = billingWorld();
    const startedAt = clock.now();
    await register(ALICE);
    clock.pass(DAY);
    await register(ALICE);
    expect(await published()).toEqual([changed(true, startedAt)]);
    expect((await shown()).trialEndsAt).toBe("2026-12-04T12:00:00.000Z");
  });

  test("starts nothing where nobody pays", async () => {
    const { register, published, billing, clock } = billingWorld("off");
    await register(ALICE);
    expect(await published()).toEqual([]);
    clock.pass(1000 * DAY);
    await billing.endTrials();
    expect(await published()).toEqual([]);
  });
});

describe("entitlementOf() and showSubscription()", () => {
  test("allow three addresses for 14 days, to the millisecond, whether or not a job has ended the trial", async () => {
    const { clock, register, billing, shown } = billingWorld();
    await register(ALICE);
    expect(await billing.entitlementOf(ALICE.accountId)).toEqual({ active: true, cap: 3 });
    expect(await shown()).toEqual({
      ...{ status: "trial", plan: "trial", trialEndsAt: "2026-12-04T12:00:00.000Z", daysLeft: 14, cap: 3 },
    });
    clock.pass(14 * DAY - 1);
    expect(await billing.entitlementOf(ALICE.accountId)).toEqual({ active: true, cap: 3 });
    expect(await shown()).toMatchObject({ status: "trial", daysLeft: 1 });
    clock.pass(1);
    expect(await billing.entitlementOf(ALICE.accountId)).toMatchObject({ active: false });
    expect(await shown()).toMatchObject({ status: "inactive", daysLeft: 0, trialEndsAt: "2026-12-04T12:00:00.000Z" });
  });

  test("allow an account without a subscription nothing", async () => {
    const { billing, shown } = billingWorld();
    expect(await billing.entitlementOf(ALICE.accountId)).toMatchObject({ active: false });
    expect(await shown()).toMatchObject({ status: "inactive", trialEndsAt: null, daysLeft: null });
  });

  test("know no end and no cap where nobody pays", async () => {
    const { clock, billing, shown } = billingWorld("off");
    clock.pass(1000 * DAY);
    expect(await billing.entitlementOf(ALICE.accountId)).toEqual({ active: true, cap: null });
    expect(await shown()).toEqual({ status: "active", plan: "off", trialEndsAt: null, daysLeft: null, cap: null });
  });
});

describe("daysLeft()", () => {
  const start = new Date("2026-11-20T12:00:00.000Z");
  test.each([
    [0, 14],
    [1, 14],
    [DAY - 1, 14],
    [DAY, 13],
    [7 * DAY, 7],
    [13 * DAY, 1],
    [14 * DAY - 1, 1],
    [14 * DAY, 0],
    [15 * DAY, 0],
  ])("counts the running day: %p ms after the start it is %p", (ms, days) => {
    expect(daysLeft(newTrial(ALICE.accountId, start), new Date(start.getTime() + ms))).toBe(days);
  });
});

describe("endTrials()", () => {
  test("announces a trial that is over, once, and none before its time", async () => {
    const { clock, register, billing, published } = billingWorld();
    await register(ALICE);
    clock.pass(DAY);
    await register(BOB);
    await published();
    clock.pass(13 * DAY - 1);
    await billing.endTrials();
    expect(await published()).toEqual([]);
    clock.pass(1);
    await billing.endTrials();
    expect(await published()).toEqual([changed(false, clock.now())]);
    await billing.endTrials();
    expect(await published()).toEqual([]);
    clock.pass(DAY);
    await billing.endTrials();
    expect(await published()).toEqual([changed(false, clock.now(), BOB.accountId)]);
  });

  test("announces each trial once though ten processes look at the same time", async () => {
    const { clock, deps, register, published } = billingWorld();
    await register(ALICE);
    await register(BOB);
    await published();
    clock.pass(20 * DAY);
    await Promise.all(Array.from({ length: 10 }, () => createBilling(deps).endTrials()));
    expect(await published()).toEqual([changed(false, clock.now()), changed(false, clock.now(), BOB.accountId)]);
  });

  test("gets through more trials than one batch holds", async () => {
    const { clock, register, billing, published } = billingWorld();
    for (let number = 0; number < 250; number++) await register({ ...ALICE, accountId: crypto.randomUUID() });
    await published();
    clock.pass(20 * DAY);
    for (let run = 0; run < 3; run++) await billing.endTrials();
    expect(await published()).toHaveLength(250);
  });
});

describe("onDeleted()", () => {
  test("forgets the subscription, and announces no end of it", async () => {
    const { clock, register, billing, published, shown } = billingWorld();
    await register(ALICE);
    await published();
    await billing.onDeleted({ type: "identity.deleted", accountId: ALICE.accountId });
    expect(await shown()).toMatchObject({ status: "inactive", trialEndsAt: null });
    clock.pass(20 * DAY);
    await billing.endTrials();
    expect(await published()).toEqual([]);
  });
});
