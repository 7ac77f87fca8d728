import { describe, expect, test } from "bun:test";
import { memoryBilling } from "../../src/billing/adapters/memory.ts";
import { postgresBilling } from "../../src/billing/adapters/postgres.ts";
import type { Subscription } from "../../src/billing/subscription.ts";
import { ALICE, BOB, CHARLIE } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 2, 29, 1, 30) + ms);
const aSubscription = (more: Partial<Subscription> = {}): Subscription => ({
  ...{ accountId: ALICE.accountId, plan: "trial", startedAt: at(7), endsAt: at(1000), endedAt: undefined },
  ...more,
});

describe.each(eachDatabase(memoryBilling, postgresBilling))("BillingStore on %s", (_, open) => {
  async function storeOf(...stored: Subscription[]) {
    const { transaction, outbox } = await open();
    const add = (subscription: Subscription) => transaction(({ subscriptions }) => subscriptions.add(subscription));
    for (const subscription of stored) expect(await add(subscription)).toBe(true);
    return {
      ...{ transaction, outbox, add },
      find: (accountId: string) => transaction(({ subscriptions }) => subscriptions.find(accountId)),
      remove: (accountId: string) => transaction(({ subscriptions }) => subscriptions.remove(accountId)),
      overdue: async (ms: number, limit = 100) =>
        (await transaction(({ subscriptions }) => subscriptions.listOverdue(at(ms), limit))).map(
          ({ accountId }) => accountId,
        ),
      end: (accountId: string, ms: number) =>
        transaction(({ subscriptions }) => subscriptions.markEnded(accountId, at(ms))),
    };
  }

  test("find() gives what add() took, to the millisecond", async () => {
    const ended = aSubscription({ accountId: BOB.accountId, endedAt: at(1001) });
    const { find } = await storeOf(aSubscription(), ended);
    expect(await find(ALICE.accountId)).toEqual(aSubscription());
    expect(await find(BOB.accountId)).toEqual(ended);
    expect(await find(CHARLIE.accountId)).toBeUndefined();
  });

  test("a stored subscription is nobody's alias", async () => {
    const subscription = aSubscription();
    const { find } = await storeOf(subscription);
    subscription.endsAt.setTime(0);
    (await find(ALICE.accountId))?.endsAt.setTime(0);
    expect(await find(ALICE.accountId)).toEqual(aSubscription());
  });

  test("add() takes one subscription per account, the first of ten that come at once", async () => {
    const { add, find } = await storeOf();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, ms) => add(aSubscription({ startedAt: at(ms) }))));
    expect(answers.filter((isAdded) => isAdded)).toHaveLength(1);
    expect((await find(ALICE.accountId))?.startedAt).toEqual(at(answers.indexOf(true)));
  });

  test("remove() forgets an account's subscription, so that another may come", async () => {
    const { add, find, remove } = await storeOf(aSubscription(), aSubscription({ accountId: BOB.accountId }));
    await remove(ALICE.accountId);
    await remove(ALICE.accountId);
    expect(await find(ALICE.accountId)).toBeUndefined();
    expect(await find(BOB.accountId)).toBeDefined();
    expect(await add(aSubscription())).toBe(true);
  });

  test("listOverdue() lists what ends now or has ended, unless somebody has ended it, up to the limit", async () => {
    const { overdue, end } = await storeOf(
      aSubscription({ endsAt: at(1000) }),
      aSubscription({ accountId: BOB.accountId, endsAt: at(1001) }),
      aSubscription({ accountId: CHARLIE.accountId, endsAt: at(1002) }),
    );
    expect(await overdue(999)).toEqual([]);
    expect(await overdue(1000)).toEqual([ALICE.accountId]);
    expect(await overdue(1002)).toHaveLength(3);
    expect(await overdue(1002, 2)).toEqual([ALICE.accountId, BOB.accountId]);
    await end(ALICE.accountId, 1002);
    expect(await overdue(1002, 2)).toEqual([BOB.accountId, CHARLIE.accountId]);
  });

  test("markEnded() is won by one of ten parallel callers, and keeps the winner's time", async () => {
    const { end, find } = await storeOf(aSubscription(), aSubscription({ accountId: BOB.accountId }));
    const answers = await Promise.all(Array.from({ length: 10 }, (_, ms) => end(ALICE.accountId, 2000 + ms)));
    expect(answers.filter((isFirst) => isFirst)).toHaveLength(1);
    expect(await find(ALICE.accountId)).toEqual(aSubscription({ endedAt: at(2000 + answers.indexOf(true)) }));
    expect((await find(BOB.accountId))?.endedAt).toBeUndefined();
    expect(await end(CHARLIE.accountId, 2000)).toBe(false);
  });

  test("a throw leaves nothing, events included", async () => {
    const { transaction, outbox, find } = await storeOf(aSubscription());
    const failing = transaction(async ({ subscriptions, events }) => {
      await subscriptions.add(aSubscription({ accountId: BOB.accountId }));
      await subscriptions.markEnded(ALICE.accountId, at(1));
      await events.publish({ type: "identity.deleted", accountId: ALICE.accountId });
      throw new Error("Cannot go on");
    });
    await expect(failing).rejects.toThrow("Cannot go on");
    expect(await find(ALICE.accountId)).toEqual(aSubscription());
    expect(await find(BOB.accountId)).toBeUndefined();
    expect(await takePublished(outbox)).toEqual([]);
  });

  test("a transaction inside a transaction is refused", async () => {
    const { transaction } = await storeOf();
    const nested = async () =>
      transaction(() => transaction(({ subscriptions }) => subscriptions.find(ALICE.accountId)));
    await expect(nested()).rejects.toThrow("Cannot open a transaction inside a transaction");
  });
});
