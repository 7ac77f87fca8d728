import { describe, expect, test } from "bun:test";
import { postgresBilling } from "../../src/billing/adapters/postgres/store.ts";
import type { Purchase } from "../../src/billing/purchase.ts";
import { newTrial, type Subscription } from "../../src/billing/subscription.ts";
import type { Due } from "../../src/shared/due.ts";
import { memoryBilling } from "../memory/billing/store.ts";
import { ALICE, BOB, CHARLIE } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 2, 29, 1, 30) + ms);
const aSubscription = (more: Partial<Subscription> = {}): Subscription => ({
  ...newTrial(ALICE.accountId, at(7)),
  trialEndsAt: at(1000),
  endsAt: at(1000),
  ...more,
});
const aPurchase = (more: Partial<Purchase> = {}): Purchase => ({
  subscriptionId: "sub_1",
  itemId: "si_1",
  status: "active",
  plan: "professional",
  quantity: 5,
  period: "yearly",
  currency: "CHF",
  startedAt: at(1),
  periodEnd: at(2),
  cancelAt: undefined,
  pastDueSince: undefined,
  ...more,
});

describe.each(eachDatabase(memoryBilling, postgresBilling))("BillingStore on %s", (_, open) => {
  async function storeOf(...stored: Subscription[]) {
    const { transaction, outbox } = await open();
    const add = (subscription: Subscription) => transaction(({ subscriptions }) => subscriptions.add(subscription));
    for (const subscription of stored) expect(await add(subscription)).toBe(true);
    return {
      transaction,
      outbox,
      add,
      find: (accountId: string) => transaction(({ subscriptions }) => subscriptions.find(accountId)),
      save: (subscription: Subscription) => transaction(({ subscriptions }) => subscriptions.save(subscription)),
      remove: (accountId: string) => transaction(({ subscriptions }) => subscriptions.remove(accountId)),
      overdue: (ms: number, limit = 100, after?: Due) =>
        transaction(({ subscriptions }) => subscriptions.listOverdue(at(ms), after, limit)),
      ending: (from: number, until: number) =>
        transaction(({ subscriptions }) => subscriptions.listEnding(at(from), at(until))),
      claim: (ms: number, limit = 100) =>
        transaction(({ subscriptions }) => subscriptions.claimDue(at(ms), at(ms + 600), limit)),
    };
  }

  test("find() returns what add() and save() stored, to the millisecond, with and without a purchase", async () => {
    const whole = aSubscription({
      accountId: BOB.accountId,
      endedAt: at(1001),
      purchase: aPurchase({ cancelAt: at(3), pastDueSince: at(4) }),
      cap: null,
      customerId: "cus_1",
      customers: 2,
      asked: 9,
      answered: 8,
      askAt: at(5),
      checkoutUntil: at(6),
    });
    const { find, save } = await storeOf(aSubscription(), whole);
    expect(await find(ALICE.accountId)).toEqual(aSubscription());
    expect(await find(BOB.accountId)).toEqual(whole);
    expect(await find(CHARLIE.accountId)).toBeUndefined();
    await save({ ...aSubscription(), purchase: aPurchase() });
    expect(await find(ALICE.accountId)).toEqual(aSubscription({ purchase: aPurchase() }));
    const bare = aSubscription({ accountId: BOB.accountId, trialEndsAt: undefined, endsAt: undefined });
    await save(bare);
    expect(await find(BOB.accountId)).toEqual(bare);
  });

  test("a stored subscription is a copy", async () => {
    const subscription = aSubscription({ purchase: aPurchase() });
    const { find } = await storeOf(subscription);
    subscription.endsAt?.setTime(0);
    subscription.purchase?.periodEnd.setTime(0);
    (await find(ALICE.accountId))?.endsAt?.setTime(0);
    expect(await find(ALICE.accountId)).toEqual(aSubscription({ purchase: aPurchase() }));
  });

  test("findAccount() returns the account of a customer", async () => {
    const { transaction } = await storeOf(aSubscription({ customerId: "cus_1" }));
    const found = (id: string) => transaction(({ subscriptions }) => subscriptions.findAccount(id));
    expect(await found("cus_1")).toBe(ALICE.accountId);
    expect(await found("cus_2")).toBeUndefined();
  });

  test("hold() serialises ten concurrent callers", async () => {
    const { transaction, find } = await storeOf(aSubscription());
    const count = () =>
      transaction(async ({ subscriptions }) => {
        const held = await subscriptions.findForUpdate(ALICE.accountId);
        if (held) await subscriptions.save({ ...held, asked: held.asked + 1 });
      });
    await Promise.all(Array.from({ length: 10 }, count));
    expect((await find(ALICE.accountId))?.asked).toBe(10);
    expect(await transaction(({ subscriptions }) => subscriptions.findForUpdate(BOB.accountId))).toBeUndefined();
  });

  test("add() accepts one subscription per account, the first of ten concurrent ones", async () => {
    const { add, find } = await storeOf();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, ms) => add(aSubscription({ startedAt: at(ms) }))));
    expect(answers.filter((isAdded) => isAdded)).toHaveLength(1);
    expect((await find(ALICE.accountId))?.startedAt).toEqual(at(answers.indexOf(true)));
  });

  test("remove() deletes an account's subscription, so that another can be added", async () => {
    const { add, find, remove } = await storeOf(aSubscription(), aSubscription({ accountId: BOB.accountId }));
    await remove(ALICE.accountId);
    await remove(ALICE.accountId);
    expect(await find(ALICE.accountId)).toBeUndefined();
    expect(await find(BOB.accountId)).toBeDefined();
    expect(await add(aSubscription())).toBe(true);
  });

  test("listOverdue() lists what ends now or has ended, unless announced, up to the limit", async () => {
    const { overdue, save } = await storeOf(
      aSubscription({ endsAt: at(1000) }),
      aSubscription({ accountId: BOB.accountId, endsAt: at(1001) }),
      aSubscription({ accountId: CHARLIE.accountId, endsAt: undefined }),
    );
    expect(await overdue(999)).toEqual([]);
    const [alice, bob] = [
      { id: ALICE.accountId, at: at(1000) },
      { id: BOB.accountId, at: at(1001) },
    ];
    expect(await overdue(1000)).toEqual([alice]);
    expect(await overdue(9000)).toEqual([alice, bob]);
    expect(await overdue(9000, 1)).toEqual([alice]);
    expect(await overdue(9000, 1, alice)).toEqual([bob]);
    expect(await overdue(9000, 1, bob)).toEqual([]);
    await save(aSubscription({ endedAt: at(1002) }));
    expect(await overdue(9000)).toEqual([bob]);
  });

  test("listEnding() lists what ends after now and until the given time", async () => {
    const { ending } = await storeOf(
      aSubscription({ endsAt: at(1000) }),
      aSubscription({ accountId: BOB.accountId, endsAt: at(2000) }),
      aSubscription({ accountId: CHARLIE.accountId, endsAt: at(1500), endedAt: at(3) }),
    );
    expect(await ending(999, 1000)).toEqual([ALICE.accountId]);
    expect(await ending(1000, 2000)).toEqual([BOB.accountId]);
    expect(await ending(0, 5000)).toEqual([ALICE.accountId, BOB.accountId]);
    expect(await ending(2000, 5000)).toEqual([]);
  });

  test("claimDue() gives each account to one of ten callers, and again later", async () => {
    const { claim } = await storeOf(
      aSubscription({ askAt: at(100) }),
      aSubscription({ accountId: BOB.accountId, askAt: at(200) }),
      aSubscription({ accountId: CHARLIE.accountId, askAt: undefined }),
    );
    expect(await claim(99)).toEqual([]);
    expect(await claim(200, 1)).toEqual([ALICE.accountId]);
    const claimed = (await Promise.all(Array.from({ length: 10 }, () => claim(200)))).flat();
    expect(claimed).toEqual([BOB.accountId]);
    expect((await claim(800)).toSorted()).toEqual([ALICE.accountId, BOB.accountId].toSorted());
  });

  test("a rolled back transaction leaves nothing, events included", async () => {
    const { transaction, outbox, find } = await storeOf(aSubscription());
    const failing = transaction(async ({ subscriptions, events }) => {
      await subscriptions.add(aSubscription({ accountId: BOB.accountId }));
      await subscriptions.save(aSubscription({ endedAt: at(1) }));
      await events.publish({ type: "identity.deleted", accountId: ALICE.accountId });
      throw new Error("Cannot go on");
    });
    await expect(failing).rejects.toThrow("Cannot go on");
    expect(await find(ALICE.accountId)).toEqual(aSubscription());
    expect(await find(BOB.accountId)).toBeUndefined();
    expect(await takePublished(outbox)).toEqual([]);
  });

  test("a nested transaction is refused", async () => {
    const { transaction } = await storeOf();
    const nested = async () =>
      transaction(() => transaction(({ subscriptions }) => subscriptions.find(ALICE.accountId)));
    await expect(nested()).rejects.toThrow("Cannot open a transaction inside a transaction");
  });
});
