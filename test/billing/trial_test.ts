import { describe, expect, test } from "bun:test";
import { createBilling } from "../../src/billing/mod.ts";
import { daysLeft } from "../../src/billing/subscription.ts";
import type { Event } from "../../src/events/catalogue.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";
import { billingWorld, mailsOf } from "./billing_world.ts";

const withoutMails = (events: Event[]) => events.filter(({ type }) => type !== "mail.requested");

const changed = (active: boolean, changedAt: Date, accountId = ALICE.accountId) => ({
  type: "billing.subscriptionChanged" as const,
  accountId,
  active,
  cap: 3,
  changedAt: changedAt.toISOString(),
});

describe("onRegistered()", () => {
  test("starts the trial and publishes it, once however often it is delivered", async () => {
    const { clock, register, published, shown } = billingWorld();
    const startedAt = clock.now();
    await register(ALICE);
    clock.pass(DAY);
    await register(ALICE);
    expect(await published()).toEqual([changed(true, startedAt)]);
    expect((await shown()).trialEndsAt).toBe("2026-12-04T12:00:00.000Z");
  });

  test("starts nothing with billing disabled", async () => {
    const { register, published, billing, clock } = billingWorld({ mode: "off" });
    await register(ALICE);
    expect(await published()).toEqual([]);
    clock.pass(1000 * DAY);
    await billing.settleDue();
    expect(await published()).toEqual([]);
  });
});

describe("entitlementOf() and showSubscription()", () => {
  test("allow three addresses for 14 days, to the millisecond, whether or not a job has ended the trial", async () => {
    const { clock, register, billing, shown } = billingWorld();
    await register(ALICE);
    expect(await billing.entitlementOf(ALICE.accountId)).toEqual({ active: true, cap: 3 });
    expect(await shown()).toMatchObject({
      canPortal: false,
      canChange: false,
      tracked: 2,
      periodEnd: null,
      status: "trial",
      plan: "trial",
      trialEndsAt: "2026-12-04T12:00:00.000Z",
      daysLeft: 14,
      cap: 3,
    });
    clock.pass(14 * DAY - 1);
    expect(await billing.entitlementOf(ALICE.accountId)).toEqual({ active: true, cap: 3 });
    expect(await shown()).toMatchObject({ status: "trial", daysLeft: 1 });
    clock.pass(1);
    expect(await billing.entitlementOf(ALICE.accountId)).toMatchObject({ active: false });
    expect(await shown()).toMatchObject({ status: "inactive", daysLeft: 0, trialEndsAt: "2026-12-04T12:00:00.000Z" });
  });

  test("allow nothing without a subscription", async () => {
    const { billing, shown } = billingWorld();
    expect(await billing.entitlementOf(ALICE.accountId)).toMatchObject({ active: false });
    expect(await shown()).toMatchObject({ status: "inactive", trialEndsAt: null, daysLeft: null });
  });

  test("have no end and no cap with billing disabled", async () => {
    const { clock, billing, shown } = billingWorld({ mode: "off" });
    clock.pass(1000 * DAY);
    expect(await billing.entitlementOf(ALICE.accountId)).toEqual({ active: true, cap: null });
    expect(await shown()).toMatchObject({ status: "off", plan: "off", trialEndsAt: null, daysLeft: null, cap: null });
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
  ])("counts the current day: %p ms after the start it is %p", (ms, days) => {
    expect(daysLeft(new Date(start.getTime() + 14 * DAY), new Date(start.getTime() + ms))).toBe(days);
  });
});

describe("settleDue()", () => {
  test("announces the end of a trial once, and not early", async () => {
    const { clock, register, billing, published } = billingWorld();
    await register(ALICE);
    clock.pass(DAY);
    await register(BOB);
    await published();
    clock.pass(13 * DAY - 1);
    await billing.settleDue();
    expect(await published()).toEqual([]);
    clock.pass(1);
    await billing.settleDue();
    expect(withoutMails(await published())).toEqual([changed(false, clock.now())]);
    await billing.settleDue();
    expect(await published()).toEqual([]);
    clock.pass(DAY);
    await billing.settleDue();
    expect(withoutMails(await published())).toEqual([changed(false, clock.now(), BOB.accountId)]);
  });

  test("announces each trial once even if ten processes run concurrently", async () => {
    const { clock, deps, register, published } = billingWorld();
    await register(ALICE);
    await register(BOB);
    await published();
    clock.pass(20 * DAY);
    await Promise.all(Array.from({ length: 10 }, () => createBilling(deps).settleDue()));
    const told = await published();
    expect(withoutMails(told)).toHaveLength(2);
    expect(withoutMails(told)).toEqual(
      expect.arrayContaining([changed(false, clock.now()), changed(false, clock.now(), BOB.accountId)]),
    );
    expect(mailsOf(told)).toEqual([]);
  });
});

describe("onDeleted()", () => {
  test("deletes the subscription, and does not announce its end", async () => {
    const { clock, register, billing, published, shown } = billingWorld();
    await register(ALICE);
    await published();
    await billing.onDeleted({ type: "identity.deleted", accountId: ALICE.accountId });
    expect(await shown()).toMatchObject({ status: "inactive", trialEndsAt: null });
    clock.pass(20 * DAY);
    await billing.settleDue();
    expect(await published()).toEqual([]);
  });

  test("a returning user continues the first trial, in any spelling of the mailbox", async () => {
    const { clock, register, billing, shown, published } = billingWorld();
    const again = { ...BOB, address: ALICE.address.replace("@", "+again@") };
    const registerAs = (email: string, accountId: string) =>
      billing.onRegistered({ type: "identity.registered", accountId, email, language: "en" });
    await register(ALICE);
    clock.pass(10 * DAY);
    await billing.onDeleted({ type: "identity.deleted", accountId: ALICE.accountId, email: ALICE.address });
    await registerAs(again.address, again.accountId);
    expect((await shown(again.accountId)).trialEndsAt).toBe("2026-12-04T12:00:00.000Z");
    await billing.onEmailChanged({
      type: "identity.emailChanged",
      accountId: again.accountId,
      from: again.address,
      to: "x@new.example",
      formerAddress: "end",
    });
    clock.pass(20 * DAY);
    await published();
    const third = "5ca1ab1e-0000-4000-8000-000000000003";
    await registerAs(ALICE.address, third);
    expect(await published()).toEqual([changed(false, clock.now(), third)]);
    expect(await shown(third)).toMatchObject({ status: "inactive", trialEndsAt: "2026-12-04T12:00:00.000Z" });
  });

  test("an unverified account uses up nobody's trial", async () => {
    const { clock, register, billing, shown } = billingWorld();
    await register(ALICE);
    clock.pass(10 * DAY);
    await billing.onDeleted({ type: "identity.deleted", accountId: ALICE.accountId });
    await register(ALICE);
    expect((await shown()).trialEndsAt).toBe("2026-12-14T12:00:00.000Z");
  });
});
