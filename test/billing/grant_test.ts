import { describe, expect, test } from "bun:test";
import { ALICE, accepted } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";
import { billingWorld } from "./billing_world.ts";

const BY = { by: "command_line" } as const;
const GIFT = { plan: "professional", quantity: 2, days: 30, reason: "A thank-you" } as const;

describe("A plan granted by the operator", () => {
  async function given(mode: "sandbox" | "stripe" | "off" = "sandbox") {
    const world = billingWorld({ mode });
    await world.register(ALICE);
    await world.published();
    const grant = accepted(await world.billing.grantPlan(ALICE.accountId, GIFT, BY));
    return { world, grant };
  }
  const mailsOf = (events: Awaited<ReturnType<ReturnType<typeof billingWorld>["published"]>>) =>
    events.flatMap((event) => (event.type === "mail.requested" ? [event.template] : []));

  test("grantPlan() takes effect immediately, notifies the account and logs who did it", async () => {
    const { world, grant } = await given();
    expect(grant).toMatchObject({ plan: "professional", quantity: 2, cap: 20 });
    expect(await world.billing.entitlementOf(ALICE.accountId)).toEqual({ active: true, cap: 20 });
    expect(await world.shown()).toMatchObject({
      status: "active",
      plan: "professional",
      quantity: 2,
      granted: { quantity: 2 },
    });
    const events = await world.published();
    expect(mailsOf(events)).toEqual(["plan_granted"]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "billing.subscriptionChanged", active: true, cap: 20 }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({ type: "staff.acted", act: "plan_granted", actor: BY, reason: GIFT.reason }),
    );
  });

  test("it ends by time, after three reminders, and the trial before it is not announced meanwhile", async () => {
    const { world } = await given();
    await world.published();
    const told: string[] = [];
    for (let day = 1; day <= 31; day++) {
      world.clock.pass(DAY);
      await world.billing.settleDue();
      await world.billing.sendPlanNotices();
      told.push(...mailsOf(await world.published()));
    }
    expect(told).toEqual(["plan_grant_ending", "plan_grant_ending", "plan_grant_ended"]);
    expect(await world.billing.entitlementOf(ALICE.accountId)).toMatchObject({ active: false });
  });

  test("endGrant() ends it immediately and once; the account's other plan continues", async () => {
    const { world } = await given();
    await world.published();
    accepted(await world.billing.endGrant(ALICE.accountId, { reason: "Over" }, BY));
    expect(await world.billing.entitlementOf(ALICE.accountId)).toEqual({ active: true, cap: 3 });
    expect(mailsOf(await world.published())).toContain("plan_grant_ended");
    expect(await world.billing.endGrant(ALICE.accountId, { reason: "Over" }, BY)).toMatchObject({ code: "NOT_FOUND" });
    expect(await world.shown()).toMatchObject({ plan: "trial", granted: null });
  });

  test("it can be granted to an account without a subscription, but not to a deleted one", async () => {
    const world = billingWorld();
    expect(await world.billing.grantPlan(crypto.randomUUID(), GIFT, BY)).toMatchObject({ code: "NOT_FOUND" });
    accepted(await world.billing.grantPlan(ALICE.accountId, { ...GIFT, plan: "business", quantity: 1 }, BY));
    expect(await world.billing.entitlementOf(ALICE.accountId)).toEqual({ active: true, cap: null });
  });

  test("with billing disabled it is stored without a message, and its end suspends nothing", async () => {
    const { world } = await given("off");
    expect(await world.stored()).toMatchObject({ grant: { plan: "professional", quantity: 2 } });
    expect((await world.published()).map(({ type }) => type)).toEqual(["staff.acted"]);
    world.clock.pass(31 * DAY);
    expect(await world.billing.settleDue()).toBe(0);
    expect(await world.published()).toEqual([]);
    expect(await world.billing.entitlementOf(ALICE.accountId)).toEqual({ active: true, cap: null });
  });
});
