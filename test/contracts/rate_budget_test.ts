import { describe, expect, test } from "bun:test";
import { postgresRateBudget } from "../../src/breaches/adapters/postgres/store.ts";
import type { RateBudget } from "../../src/breaches/ports.ts";
import type { Database, PostgresDatabase } from "../../src/database/postgres.ts";
import { memoryRateBudget } from "../memory/breaches/budget.ts";
import { SECOND, testClock } from "../support/clock.ts";
import { emptyPglite, emptyServer } from "../support/postgres.ts";
import { IS_NIGHTLY } from "../support/tier.ts";

const INTERVAL = 6 * SECOND;

/** Two processes that share the budget, where the implementation supports that. */
type Budgets = { budget: RateBudget; other: RateBudget };

async function onPostgres(database: Promise<PostgresDatabase>, now: () => Date): Promise<Budgets> {
  const transaction = (await database).transactionOf((tx: Database) => tx);
  return { budget: postgresRateBudget(transaction, now), other: postgresRateBudget(transaction, now) };
}
function inMemory(now: () => Date): Budgets {
  const budget = memoryRateBudget(now);
  return { budget, other: budget };
}
const budgets: Record<string, (now: () => Date) => Promise<Budgets>> = {
  memory: async (now) => inMemory(now),
  ...(IS_NIGHTLY && { pglite: (now: () => Date) => onPostgres(emptyPglite(), now) }),
  postgres: (now) => onPostgres(emptyServer(), now),
};

describe.each(Object.entries(budgets))("RateBudget on %s", (_, open) => {
  async function openBudget() {
    const clock = testClock();
    const { budget, other } = await open(clock.now);
    return { clock, budget, other, take: (source = "hibp", intervalMs = INTERVAL) => budget.take(source, intervalMs) };
  }

  test("take() grants one slot to one of fifty callers, and returns the wait to the others", async () => {
    const { clock, take } = await openBudget();
    const race = async () => {
      const waits = await Promise.all(Array.from({ length: 50 }, () => take()));
      expect(waits.filter((wait) => wait === 0)).toHaveLength(1);
      expect(waits.filter((wait) => wait === INTERVAL)).toHaveLength(49);
    };
    await race();
    clock.pass(INTERVAL);
    await race();
  });

  test("take() grants the next slot when the interval is over, and not a millisecond earlier", async () => {
    const { clock, take } = await openBudget();
    expect(await take()).toBe(0);
    clock.pass(400);
    expect(await take()).toBe(INTERVAL - 400);
    clock.pass(INTERVAL - 401);
    expect(await take()).toBe(1);
    clock.pass(1);
    expect(await take()).toBe(0);
    expect(await take()).toBe(INTERVAL);
  });

  test("take() accumulates no unused slots", async () => {
    const { clock, take } = await openBudget();
    await take();
    clock.pass(100 * INTERVAL);
    expect(await take()).toBe(0);
    expect(await take()).toBe(INTERVAL);
  });

  test("take() returns no wait if the interval is 0", async () => {
    const { take } = await openBudget();
    for (let call = 0; call < 3; call++) expect(await take("keyless", 0)).toBe(0);
  });

  test("take() keeps the rate of a fast source, whose calls may go together", async () => {
    const { clock, take } = await openBudget();
    let taken = 0;
    for (let ms = 0; ms < SECOND; ms += 25) {
      const waits = await Promise.all(Array.from({ length: 10 }, () => take("fast", 5)));
      taken += waits.filter((wait) => wait === 0).length;
      for (const wait of waits) expect(wait).toBeLessThanOrEqual(5);
      clock.pass(25);
    }
    expect(taken).toBe(1 + (SECOND - 25) / 5);
  });

  test("take() loses no calls of a fast source to callers that come late", async () => {
    const { clock, take } = await openBudget();
    const intervalMs = 1000 / 64;
    await take("fast", intervalMs);
    const start = clock.now().getTime();
    let taken = 1;
    for (let turn = 0; turn < 500; turn++) {
      const wait = await take("fast", intervalMs);
      if (wait === 0) taken += 1;
      else clock.pass(wait + (turn % 7));
    }
    expect(taken).toBe(Math.floor((clock.now().getTime() - start) / intervalMs) + 1);
  });

  /** So fast that many slots are due within a few milliseconds. */
  const VERY_FAST = 0.5;
  const MOST_TOGETHER = 250 / VERY_FAST;

  test("take() keeps the rate of a very fast source in two processes", async () => {
    const { clock, budget, other } = await openBudget();
    let [taken, passed] = [0, 0];
    for (const ms of [1, 3, 6, 7, 13, 14, 20, 21, 40, 1, 6, 59, 13, 61]) {
      for (const one of [budget, other]) while ((await one.take("very fast", VERY_FAST)) === 0) taken += 1;
      expect(taken).toBeLessThanOrEqual(MOST_TOGETHER + passed / VERY_FAST);
      expect(taken).toBeGreaterThan(0);
      clock.pass(ms);
      passed += ms;
    }
  });

  test("pause() blocks a very fast source, including slots being requested", async () => {
    const { clock, budget, take } = await openBudget();
    for (const used of [1, 10, 30]) {
      for (let call = 0; call < used; call++) await take("very fast", VERY_FAST);
      const last = take("very fast", VERY_FAST);
      await budget.pause("very fast", new Date(clock.now().getTime() + 60 * SECOND));
      await last;
      for (let call = 0; call < 3; call++) expect(await take("very fast", VERY_FAST)).toBe(60 * SECOND);
      clock.pass(60 * SECOND);
      expect(await take("very fast", VERY_FAST)).toBe(0);
    }
  });

  test("sources have separate budgets", async () => {
    const { clock, budget, take } = await openBudget();
    await budget.pause("hibp", new Date(clock.now().getTime() + 60 * SECOND));
    expect(await take("other")).toBe(0);
    expect(await take("hibp")).toBe(60 * SECOND);
  });

  test("pause() blocks all callers until the given time", async () => {
    const { clock, budget, take } = await openBudget();
    await take();
    await budget.pause("hibp", new Date(clock.now().getTime() + 60 * SECOND));
    clock.pass(60 * SECOND - 1);
    expect(await Promise.all(Array.from({ length: 10 }, () => take()))).toEqual(Array(10).fill(1));
    clock.pass(1);
    expect(await take()).toBe(0);
    expect(await take()).toBe(INTERVAL);
  });

  test("pause() never shortens a wait", async () => {
    const { clock, budget, take } = await openBudget();
    const start = clock.now().getTime();
    await budget.pause("hibp", new Date(start + 60 * SECOND));
    await budget.pause("hibp", new Date(start + 10 * SECOND));
    await budget.pause("hibp", new Date(start - 10 * SECOND));
    expect(await take()).toBe(60 * SECOND);
  });

  test("pause() also applies to a source without requests so far; an expired pause does not", async () => {
    const { clock, budget, take } = await openBudget();
    await budget.pause("over", new Date(clock.now().getTime() - 1));
    expect(await take("over")).toBe(0);
    await budget.pause("hibp", new Date(clock.now().getTime() + 1));
    expect(await take()).toBe(1);
  });

  test("list() returns for each source when its next slot is available", async () => {
    const { clock, budget, take } = await openBudget();
    const start = clock.now().getTime();
    expect(await budget.list()).toEqual([]);
    await take("other");
    await budget.pause("hibp", new Date(start + 60 * SECOND));
    await take("hibp");
    expect(await budget.list()).toEqual([
      { source: "hibp", nextSlotAt: new Date(start + 60 * SECOND) },
      { source: "other", nextSlotAt: new Date(start + INTERVAL) },
    ]);
  });
});
