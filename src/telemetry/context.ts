import { AsyncLocalStorage } from "node:async_hooks";

type Facts = Record<string, string>;
const context = new AsyncLocalStorage<Facts>();

/** What `work` writes into the log carries these facts, such as the id of the request that it belongs to. */
export function withFacts<T>(facts: Facts, work: () => T): T {
  return context.run({ ...context.getStore(), ...facts }, work);
}

export function currentFacts(): Facts {
  return context.getStore() ?? {};
}
