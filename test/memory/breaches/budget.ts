import type { RateBudget } from "../../../src/breaches/ports.ts";

const TOGETHER_MS = 250;

/** The rate limit of each source, for one process. */
export function memoryRateBudget(now: () => Date): RateBudget {
  const nextSlots = new Map<string, number>();
  return {
    async take(source, intervalMs) {
      const at = now().getTime();
      const next = nextSlots.get(source) ?? at;
      if (next > at) return Math.ceil(next - at);
      nextSlots.set(source, Math.max(next, at - Math.max(0, TOGETHER_MS - intervalMs)) + intervalMs);
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
