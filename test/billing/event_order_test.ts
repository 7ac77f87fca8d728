import { expect, test } from "bun:test";
import fc from "fast-check";
import { ALICE } from "../support/builders.ts";
import { DAY, type TestClock, testClock } from "../support/clock.ts";
import { HISTORIES_MS, histories } from "../support/histories.ts";
import { type StripePeer, startStripePeer } from "../support/stripe_peer.ts";
import { mailsOf, stripeWorld } from "./billing_world.ts";

const START = "2026-11-20T12:00:00.000Z";
/** Each uses two separate Stripes. */
const MOST = 500;
const clock: TestClock = testClock(START);

/** A separate Stripe for each history. */
async function withPeer<T>(work: (peer: StripePeer) => Promise<T>): Promise<T> {
  clock.set(START);
  const peer = await startStripePeer({ now: clock.now });
  try {
    return await work(peer);
  } finally {
    await peer.stop();
    expect(peer.broken).toEqual([]);
  }
}

const ACTS = ["renew", "fail", "pay", "cancel", "keep", "quantity", "end", "refund"] as const;
type Act = (typeof ACTS)[number];

/** Actions on a subscription; those that are impossible at that point are skipped. */
function happen(peer: StripePeer, act: Act, customer: string): void {
  const live = peer.state.subscriptionsOf(customer).find(({ status }) => status !== "canceled");
  if (!live) return;
  const acts: Record<Act, () => void> = {
    renew: () => peer.renew(customer),
    fail: () => peer.renew(customer, { fails: true }),
    pay: () => live.status === "past_due" && peer.payOpen(customer),
    cancel: () => peer.cancelAtPeriodEnd(customer),
    keep: () => peer.cancelAtPeriodEnd(customer, false),
    quantity: () => peer.setQuantity(customer, live.items.data[0].quantity + 1),
    end: () => peer.cancelNow(customer),
    refund: () => peer.refund(customer),
  };
  acts[act]();
}

/**
 * Performs the actions, and after each delivers some pending events: each number takes one out of the pile, 99 leaves a
 * copy there.
 */
const streams = fc.array(
  fc.record({
    act: fc.constantFrom(...ACTS),
    days: fc.integer({ min: 0, max: 3 }),
    deliver: fc.array(fc.record({ pick: fc.nat(20), again: fc.boolean() }), { maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 8 },
);
type History = typeof streams extends fc.Arbitrary<infer Value> ? Value : never;

type Order = { order: "kept" | "mixed"; rest: number[] };

async function live(peer: StripePeer, history: History, { order, rest }: Order) {
  const world = stripeWorld(peer, clock);
  await world.register(ALICE);
  const { customer } = await world.paid({ plan: "personal" });
  const waiting = peer.takeEvents();
  const mails: string[] = [];
  const deliver = async (index: number, again = false) => {
    const [event] = again ? waiting.slice(index, index + 1) : waiting.splice(index, 1);
    if (event) expect((await world.deliver(event)).ok).toBe(true);
  };
  for (const step of history) {
    clock.pass(step.days * DAY);
    happen(peer, step.act, customer);
    waiting.push(...peer.takeEvents());
    if (order === "kept") while (waiting.length > 0) await deliver(0);
    else for (const { pick, again } of step.deliver) await deliver(pick % Math.max(1, waiting.length), again);
  }
  for (let turn = 0; waiting.length > 0; turn++) await deliver((rest[turn % rest.length] ?? 0) % waiting.length);
  // Events caused by time alone meanwhile.
  await world.billing.settleDue();
  mails.push(...mailsOf(await world.published()));
  const { asked: _, answered: __, askAt: ___, customerId: ____, purchase, ...held } = (await world.stored()) ?? {};
  const { subscriptionId: _____, itemId: ______, ...bought } = purchase ?? {};
  const shown = await world.shown();
  return { state: { held, bought, shown, may: await world.billing.entitlementOf(ALICE.accountId) }, mails };
}

test(
  "any order, delay and repetition of a subscription's events ends in the same entitlement",
  async () => {
    await fc.assert(
      fc.asyncProperty(streams, fc.array(fc.nat(50), { minLength: 1, maxLength: 10 }), async (history, rest) => {
        const inOrder = await withPeer((peer) => live(peer, history, { order: "kept", rest: [0] }));
        const mixed = await withPeer((peer) => live(peer, history, { order: "mixed", rest }));
        const { endedAt: _, ...one } = inOrder.state.held as { endedAt?: Date };
        const { endedAt: __, ...other } = mixed.state.held as { endedAt?: Date };
        expect({ ...mixed.state, held: other }).toEqual({ ...inOrder.state, held: one });
        // What is published once is published once in any order.
        for (const template of ["plan_started", "plan_ended"])
          expect(mixed.mails.filter((mail) => mail === template).length).toBeLessThanOrEqual(1);
      }),
      histories(12, MOST),
    );
  },
  HISTORIES_MS,
);

test(
  "any loss of events is repaired by polling, within a day",
  async () => {
    await fc.assert(
      fc.asyncProperty(streams, async (history) => {
        const inOrder = await withPeer((peer) => live(peer, history, { order: "kept", rest: [0] }));
        await withPeer(async (peer) => {
          const world = stripeWorld(peer, clock);
          await world.register(ALICE);
          const { customer } = await world.paid({ plan: "personal" });
          for (const { act, days } of history) {
            clock.pass(days * DAY);
            happen(peer, act, customer);
          }
          const at = clock.now();
          clock.pass(DAY);
          expect(await world.billing.reconcileDue()).toBe(1);
          clock.set(at);
          expect(await world.shown()).toEqual(inOrder.state.shown);
          expect(await world.billing.entitlementOf(ALICE.accountId)).toEqual(inOrder.state.may);
        });
      }),
      histories(8, MOST),
    );
  },
  HISTORIES_MS,
);

/**
 * A fifth of the events is lost; each of the others is delivered up to five times, some of them later, so in any order.
 */
const fates = fc.array(
  fc.record({
    lost: fc.nat(4).map((one) => one === 0),
    delays: fc.array(fc.nat(4), { minLength: 1, maxLength: 5 }),
  }),
  { minLength: 1, maxLength: 40 },
);

test(
  "the nightly job repairs the state after a stream that is shuffled, repeated and incomplete",
  async () => {
    const seen = { lost: 0, repeated: 0, late: 0, ended: 0 };
    await fc.assert(
      fc.asyncProperty(streams, fates, async (history, fate) => {
        const inOrder = await withPeer((peer) => live(peer, history, { order: "kept", rest: [0] }));
        await withPeer(async (peer) => {
          const world = stripeWorld(peer, clock);
          await world.register(ALICE);
          const { customer } = await world.paid({ plan: "personal" });
          let underWay: { event: { body: string }; at: number }[] = [];
          let events = 0;
          const take = (now: number) => {
            for (const event of peer.takeEvents()) {
              const { lost, delays } = fate[events++ % fate.length] ?? { lost: true, delays: [] };
              seen.lost += Number(lost);
              seen.repeated += Number(!lost && delays.length > 1);
              if (!lost) underWay.push(...delays.map((delay) => ({ event, at: now + delay })));
            }
          };
          const deliver = async (now: number) => {
            const here = underWay.filter(({ at }) => at <= now);
            underWay = underWay.filter(({ at }) => at > now);
            seen.late += Number(here.length > 0 && underWay.length > 0);
            for (const { event } of here) expect((await world.deliver(event)).ok).toBe(true);
          };
          for (const [now, { act, days }] of history.entries()) {
            take(now);
            clock.pass(days * DAY);
            happen(peer, act, customer);
            take(now);
            await deliver(now);
          }
          await deliver(Number.POSITIVE_INFINITY);
          const at = clock.now();
          clock.pass(DAY);
          await world.billing.reconcileDue();
          clock.set(at);
          expect(await world.shown()).toEqual(inOrder.state.shown);
          expect(await world.billing.entitlementOf(ALICE.accountId)).toEqual(inOrder.state.may);
          // Nothing that has ended returns with a late copy.
          const isOver = peer.state.subscriptionsOf(customer).every(({ status }) => status === "canceled");
          seen.ended += Number(isOver);
          if (isOver) expect((await world.shown()).canChange).toBe(false);
        });
      }),
      histories(8, MOST),
    );
    // The histories must have covered something.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  },
  HISTORIES_MS,
);
