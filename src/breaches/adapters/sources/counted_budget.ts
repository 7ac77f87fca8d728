import { rollingCount } from "../../../shared/rolling_count.ts";
import type { BudgetUse, RateBudget } from "../../ports.ts";

const DAY_MS = 24 * 3_600_000;

/** Wraps a budget and counts this process's use of it. */
export function countedBudget(budget: RateBudget, now: () => Date): RateBudget & { uses: () => Promise<BudgetUse[]> } {
  const known = new Map<string, { everyMs: number; calls: ReturnType<typeof rollingCount> }>();
  return {
    ...budget,
    async take(source, intervalMs) {
      const waitMs = await budget.take(source, intervalMs);
      // Calls without an interval are not rate-limited.
      if (intervalMs === 0) return waitMs;
      const { calls } = known.get(source) ?? { calls: rollingCount(DAY_MS) };
      known.set(source, { everyMs: intervalMs, calls });
      if (waitMs === 0) calls.add(now());
      return waitMs;
    },
    async uses() {
      const slots = new Map((await budget.list()).map(({ source, nextSlotAt }) => [source, nextSlotAt]));
      return [...known].map(([source, { everyMs, calls }]) => ({
        source,
        everyMs,
        taken: calls.countAt(now()),
        nextSlotAt: slots.get(source) ?? now(),
      }));
    },
  };
}
