import { describe, expect, test } from "bun:test";
import { postgresBilling } from "../../src/billing/adapters/postgres/store.ts";
import type { Order } from "../../src/billing/gateway_ports.ts";
import type { BillingStore, Checkout, Farewell } from "../../src/billing/ports.ts";
import { memoryBilling } from "../memory/billing/store.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (ms: number) => new Date(Date.UTC(2026, 2, 29, 1, 30) + ms);
const aCheckout = (more: Partial<Checkout> = {}): Checkout => ({
  sessionId: "cs_1",
  accountId: ALICE.accountId,
  plan: "personal",
  quantity: 2,
  period: "monthly",
  currency: "GBP",
  click: "click-1",
  at: at(1),
  state: "open",
  ...more,
});
const anOrder = (more: Partial<Order> = {}): Order => ({
  id: "in_1",
  at: at(1),
  number: "A-1",
  plan: "personal",
  quantity: 1,
  period: "yearly",
  amount: 3312,
  refunded: 0,
  currency: "EUR",
  state: "paid",
  ...more,
});
const BARE = anOrder({
  id: "in_2",
  at: at(2),
  number: undefined,
  plan: undefined,
  quantity: undefined,
  period: undefined,
});

describe.each(eachDatabase(memoryBilling, postgresBilling))("BillingStore's records on %s", (_, open) => {
  async function opened() {
    const { transaction } = await open();
    return <T>(work: (store: BillingStore) => Promise<T>) => transaction(work);
  }

  test("checkouts are stored once, change their state, and are deleted with their account", async () => {
    const run = await opened();
    const later = aCheckout({ sessionId: "cs_2", at: at(2), click: "click-2" });
    const bobs = aCheckout({ sessionId: "cs_3", accountId: BOB.accountId });
    await run(async ({ checkouts }) => {
      for (const one of [aCheckout(), later, bobs, aCheckout({ quantity: 9 })]) await checkouts.add(one);
    });
    expect(await run(({ checkouts }) => checkouts.list(ALICE.accountId))).toEqual([later, aCheckout()]);
    await run(({ checkouts }) => checkouts.setState("cs_1", "complete"));
    expect(await run(({ checkouts }) => checkouts.find("cs_1"))).toEqual(aCheckout({ state: "complete" }));
    expect(await run(({ checkouts }) => checkouts.find("cs_9"))).toBeUndefined();
    await run(({ checkouts }) => checkouts.removeAll(ALICE.accountId));
    expect(await run(({ checkouts }) => checkouts.list(ALICE.accountId))).toEqual([]);
    expect(await run(({ checkouts }) => checkouts.list(BOB.accountId))).toEqual([bobs]);
  });

  test("orders are added, replaced, listed newest first, for their owner only", async () => {
    const run = await opened();
    const { accountId } = ALICE;
    await run(({ orders }) => orders.saveAll(accountId, [anOrder({ state: "open" }), BARE]));
    await run(({ orders }) => orders.saveAll(accountId, [anOrder({ refunded: 12 })]));
    await run(({ orders }) => orders.saveAll(BOB.accountId, [anOrder({ id: "in_3" })]));
    expect(await run(({ orders }) => orders.list(accountId, 10))).toEqual([BARE, anOrder({ refunded: 12 })]);
    expect(await run(({ orders }) => orders.list(accountId, 1))).toEqual([BARE]);
    expect(await run(({ orders }) => orders.has(accountId, "in_1"))).toBe(true);
    for (const id of ["in_3", "in_9"]) expect(await run(({ orders }) => orders.has(accountId, id))).toBe(false);
    await run(({ orders }) => orders.removeAll(accountId));
    expect(await run(({ orders }) => orders.list(accountId, 10))).toEqual([]);
    expect(await run(({ orders }) => orders.list(BOB.accountId, 10))).toHaveLength(1);
  });

  test("a notice is claimed by one of ten concurrent callers, per account", async () => {
    const run = await opened();
    const add = (accountId: string, ms: number) =>
      run(({ notices }) => notices.add(accountId, "trial_ending 7", at(ms)));
    const won = await Promise.all(Array.from({ length: 10 }, (_, ms) => add(ALICE.accountId, ms)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await add(BOB.accountId, 1)).toBe(true);
    const told = await run(({ notices }) => notices.list(ALICE.accountId));
    expect(told).toEqual([{ key: "trial_ending 7", at: at(won.indexOf(true)) }]);
    await run(({ notices }) => notices.removeAll(ALICE.accountId));
    expect(await run(({ notices }) => notices.list(ALICE.accountId))).toEqual([]);
    expect(await run(({ notices }) => notices.list(BOB.accountId))).toHaveLength(1);
  });

  test("payment events are remembered until they are old", async () => {
    const run = await opened();
    const has = (id: string) => run(({ paymentEvents }) => paymentEvents.has(id));
    for (const [id, ms] of [
      ["evt_1", 1],
      ["evt_2", 2],
      ["evt_1", 3],
    ] as const)
      await run(({ paymentEvents }) => paymentEvents.add(id, at(ms)));
    expect([await has("evt_1"), await has("evt_2"), await has("evt_3")]).toEqual([true, true, false]);
    await run(({ paymentEvents }) => paymentEvents.removeBefore(at(2)));
    expect(await has("evt_2")).toBe(true);
  });

  test("a farewell is claimed by one of ten callers, and kept until it is sent", async () => {
    const run = await opened();
    const one: Farewell = { customerId: "cus_1", sessionIds: ["cs_1", "cs_2"], attempts: 0, dueAt: at(10) };
    await run(({ farewells }) => farewells.add(one));
    const claim = (ms: number) => run(({ farewells }) => farewells.claimDue(at(ms), at(ms + 100), 10));
    expect(await claim(9)).toEqual([]);
    const claimed = (await Promise.all(Array.from({ length: 10 }, () => claim(10)))).flat();
    expect(claimed).toEqual([{ ...one, attempts: 1, dueAt: at(110) }]);
    await run(({ farewells }) => farewells.retryAt("cus_1", at(50)));
    expect(await claim(50)).toMatchObject([{ customerId: "cus_1", attempts: 2 }]);
    await run(({ farewells }) => farewells.remove("cus_1"));
    expect(await claim(9999)).toEqual([]);
  });
});
