import type { RateBudget } from "../../../src/breaches/ports.ts";

/** The rate limit of each source, for one process. */
export function memoryRateBudget(now: () => Date): RateBudget {
  const nextSlots = new Map<string, number>();
  return {
    async take(source, intervalMs) {
      const at = now().getTime();
      const wait = (nextSlots.get(source) ?? at) - at;
      if (wait > 0) return Math.ceil(wait);
      nextSlots.set(source, at + intervalMs);
      return 0;
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
