import type { RateBudget } from "../../../src/breaches/ports.ts";
import { takeTurn } from "../../../src/breaches/scanning/rate_limit.ts";

/** The rate limit of each source, for one process. */
export function memoryRateBudget(now: () => Date): RateBudget {
  const nextSlots = new Map<string, number>();
  return {
    async take(source, intervalMs) {
      const at = now().getTime();
      const { nextSlot, waitMs } = takeTurn(nextSlots.get(source) ?? at, at, intervalMs);
      nextSlots.set(source, nextSlot);
      return waitMs;
    },
    async pause(source, until) {
      nextSlots.set(source, Math.max(nextSlots.get(source) ?? 0, until.getTime()));
    },
    async list() {
      const names = [...nextSlots.keys()].toSorted();
      return names.map((source) => ({ source, nextSlotAt: new Date(nextSlots.get(source) ?? 0) }));
    },
  };
}
