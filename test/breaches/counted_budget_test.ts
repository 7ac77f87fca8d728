import { expect, test } from "bun:test";
import { countedBudget } from "../../src/breaches/adapters/sources/counted_budget.ts";
import { memoryRateBudget } from "../memory/breaches/budget.ts";
import { DAY, HOUR, MINUTE, testClock } from "../support/clock.ts";

const EVERY = 15 * MINUTE;

test("a process knows what it has taken of each budget within a day, and when more is available", async () => {
  const clock = testClock();
  const shared = memoryRateBudget(clock.now);
  const [own, other] = [countedBudget(shared, clock.now), countedBudget(shared, clock.now)];
  expect(await own.uses()).toEqual([]);
  await own.take("keyless", 0);
  expect(await own.take("xposedornot", EVERY)).toBe(0);
  expect(await own.take("xposedornot", EVERY)).toBe(EVERY);
  const use = { source: "xposedornot", everyMs: EVERY, nextSlotAt: new Date(clock.now().getTime() + EVERY) };
  expect(await own.uses()).toEqual([{ ...use, taken: 1 }]);
  // A refused request counts nothing.
  expect(await other.take("xposedornot", EVERY)).toBe(EVERY);
  expect(await other.uses()).toEqual([{ ...use, taken: 0 }]);
  const silent = new Date(clock.now().getTime() + 3 * HOUR);
  await other.pause("xposedornot", silent);
  expect(await own.uses()).toEqual([{ ...use, taken: 1, nextSlotAt: silent }]);
  clock.pass(DAY);
  expect(await own.uses()).toMatchObject([{ taken: 0 }]);
});
