import { AsyncLocalStorage } from "node:async_hooks";

const inside = new AsyncLocalStorage<true>();

/** Runs `work` as the only open transaction of this async context; nesting another one is a bug and throws. */
export function exclusively<T>(work: () => Promise<T>): Promise<T> {
  refuseInside();
  return inside.run(true, work);
}

/** Throws inside a transaction: for callers that open one elsewhere and wait for it. */
export function refuseInside(): void {
  if (inside.getStore()) throw new Error("Cannot open a transaction inside a transaction");
}
