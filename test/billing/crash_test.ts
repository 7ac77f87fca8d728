import { describe, expect, test } from "bun:test";
import { postgresBilling } from "../../src/billing/adapters/postgres/store.ts";
import { sandboxActs } from "../../src/billing/adapters/sandbox/sandbox_acts.ts";
import { memoryBilling } from "../memory/billing/store.ts";
import { ALICE, accepted } from "../support/builders.ts";
import { DAY, MINUTE, testClock } from "../support/clock.ts";
import { eachDatabase } from "../support/postgres.ts";
import { type Ground, memoryGround, type Step, settle, signedUp, worldOn } from "../support/world.ts";
import { aChoice, billingWorld, changesOf, mailsOf } from "./billing_world.ts";

const { accountId } = ALICE;

/** Ends the process at the n-th step from here on: earlier changes are kept, nothing later happens. */
function endingAt(last: number): Step {
  let steps = 0;
  return async (work) => {
    if (++steps > last) throw new Error("The process is dead");
    return work();
  };
}

const choice = aChoice({ quantity: 2 });

describe("A process that dies between two steps of a purchase", () => {
  test.each(Array.from({ length: 16 }, (_, step) => step))(
    "at step %p loses nothing and buys nothing twice",
    async (last) => {
      const ground = memoryGround();
      await signedUp(worldOn(ground), "alice@example.com");
      const account = await ground.transactionOf(memoryBilling)(({ subscriptions }) =>
        subscriptions.listEnding(new Date(0), new Date("2100-01-01")),
      );
      const [id = ""] = account;
      const dying = worldOn(ground, endingAt(last)).billing;
      await dying.startCheckout(id, choice).catch(() => {});

      // The next process; the lease of the dead one's click has expired.
      ground.clock.pass(2 * MINUTE);
      const world = worldOn(ground);
      const { url } = accepted(await world.billing.startCheckout(id, choice));
      const sessionId = url.split("/").at(-1) ?? "";
      const open = ground.sandbox.look((state) => Object.values(state.sessions).filter((one) => one.state === "open"));
      expect(open).toHaveLength(1);
      expect(ground.sandbox.look((state) => Object.keys(state.customers))).toHaveLength(1);

      const event = payAt(ground, sessionId);
      const half = worldOn(ground, endingAt(last)).billing;
      await half.takePaymentEvent(event.body, event.signature).catch(() => {});
      await world.billing.takePaymentEvent(event.body, event.signature);
      await settle(world);
      expect(await world.billing.entitlementOf(id)).toEqual({ active: true, cap: 20 });
      const subjects = ground.sender.sent.map(({ content }) => content.subject);
      expect(subjects.filter((subject) => subject.includes("is active"))).toHaveLength(1);

      await ground.transactionOf(memoryBilling)(({ events }) =>
        events.publish({ type: "identity.deleted", accountId: id }),
      );
      await settleHalf(worldOn(ground, endingAt(last)));
      ground.clock.pass(DAY);
      await settle(world);
      expect(ground.sandbox.look((state) => Object.keys(state.subscriptions))).toEqual([]);
    },
  );
});

async function settleHalf({ billing, dispatcher }: ReturnType<typeof worldOn>): Promise<void> {
  await dispatcher.drain().catch(() => {});
  await billing.sayFarewells().catch(() => {});
}

function payAt({ sandbox }: Ground, sessionId: string) {
  const event = sandboxActs(sandbox).pay(sessionId);
  if (!event) throw new Error("It cannot be paid");
  return event;
}

describe.each(eachDatabase(memoryBilling, postgresBilling))("Two concurrent processes on %s", (_, opened) => {
  test("sell one plan, publish each event once, and end in the same state", async () => {
    const { transaction, outbox } = await opened();
    const clock = testClock();
    const one = billingWorld({ transaction, outbox, clock });
    const other = billingWorld({ transaction, outbox, clock, payments: one.sandbox });
    await Promise.all([one.register(ALICE), other.register(ALICE)]);
    const presses = [one, other, one, other].map(({ billing }) => billing.startCheckout(accountId, aChoice()));
    const answers = await Promise.all(presses);
    expect(answers.some(({ ok }) => ok)).toBe(true);
    for (const answer of answers) if (!answer.ok) expect(answer.code).toBe("BUSY");
    // The later one has closed the earlier page.
    const open = one.sandbox.look(({ sessions }) =>
      Object.keys(sessions).filter((id) => sessions[id]?.state === "open"),
    );
    expect(open).toHaveLength(1);
    const event = one.acts.pay(open[0] ?? "");
    if (!event) throw new Error("It cannot be paid");
    const { body, signature } = event;
    await Promise.all([one, other, one, other].map(({ billing }) => billing.takePaymentEvent(body, signature)));
    await Promise.all([one, other].map(({ billing }) => billing.reconcile(accountId)));
    const told = await one.published();
    expect(changesOf(told)).toEqual([
      [true, 3],
      [true, 10],
    ]);
    expect(mailsOf(told)).toEqual(["plan_started"]);
    expect(await other.billing.entitlementOf(accountId)).toEqual({ active: true, cap: 10 });

    clock.pass(DAY);
    const asked = await Promise.all([one, other].map(({ billing }) => billing.reconcileDue()));
    expect(asked.toSorted()).toEqual([0, 1]);
    await Promise.all([one, other].map(({ billing }) => billing.onDeleted({ type: "identity.deleted", accountId })));
    const left = await Promise.all([one, other].map(({ billing }) => billing.sayFarewells()));
    expect(left.toSorted()).toEqual([0, 1]);
    expect(one.sandbox.look((state) => Object.keys(state.customers))).toEqual([]);
  });
});
