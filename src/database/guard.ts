import { AsyncLocalStorage } from "node:async_hooks";

const inside = new AsyncLocalStorage<true>();

/** Runs `work` as the one open transaction of this call chain; a second one inside it is a bug and throws. */
export function exclusively<T>(work: () => Promise<T>): Promise<T> {
  refuseInside();
  return inside.run(true, work);
}

/** For what opens a transaction elsewhere and is waited for here. */
export function refuseInside(): void {
  if (inside.getStore()) throw new Error("Cannot open a transaction inside a transaction");
}
