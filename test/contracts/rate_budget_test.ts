import { describe, expect, test } from "bun:test";
import { memoryRateBudget } from "../../src/breaches/adapters/memory_budget.ts";
import type { RateBudget } from "../../src/breaches/ports.ts";
import { testClock } from "../support/hibp_feed.ts";

const budgets: Record<string, (now: () => Date) => Promise<RateBudget>> = {
  memory: async (now) => memoryRateBudget(now),
};

describe.each(Object.keys(budgets))("RateBudget on %s", (name) => {
  async function open() {
    const clock = testClock();
    const budget = await budgets[name]?.(clock.now);
    if (budget === undefined) throw new Error(`Cannot find the budget "${name}"`);
    const untilIn = (ms: number) => new Date(clock.now().getTime() + ms);
    return { clock, budget, untilIn };
  }

  test("take() gives one slot each interval, and says how long to wait", async () => {
    const { clock, budget } = await open();
    expect(await budget.take("hibp", 1000)).toBe(0);
    expect(await budget.take("hibp", 1000)).toBe(1000);
    clock.pass(600);
    expect(await budget.take("hibp", 1000)).toBe(400);
    clock.pass(400);
    expect(await budget.take("hibp", 1000)).toBe(0);
    expect(await budget.take("hibp", 1000)).toBe(1000);
  });

  test("take() saves up no slots while nobody asks", async () => {
    const { clock, budget } = await open();
    await budget.take("hibp", 1000);
    clock.pass(60_000);
    expect(await budget.take("hibp", 1000)).toBe(0);
    expect(await budget.take("hibp", 1000)).toBe(1000);
  });

  test("take() gives a slot to one of many who ask at once", async () => {
    const { budget } = await open();
    const waits = await Promise.all(Array.from({ length: 20 }, () => budget.take("hibp", 1000)));
    expect(waits.filter((wait) => wait === 0)).toHaveLength(1);
  });

  test("take() without an interval never waits for others, but for a pause", async () => {
    const { clock, budget, untilIn } = await open();
    for (let i = 0; i < 3; i++) expect(await budget.take("hibp-keyless", 0)).toBe(0);
    await budget.pause("hibp-keyless", untilIn(5000));
    expect(await budget.take("hibp-keyless", 0)).toBe(5000);
    clock.pass(5000);
    expect(await budget.take("hibp-keyless", 0)).toBe(0);
  });

  test("pause() stops one source, and a shorter pause does not end a longer one", async () => {
    const { budget, untilIn } = await open();
    await budget.pause("hibp", untilIn(60_000));
    await budget.pause("hibp", untilIn(1000));
    expect(await budget.take("hibp", 10)).toBe(60_000);
    expect(await budget.take("another", 10)).toBe(0);
  });
});
