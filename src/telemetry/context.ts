import { AsyncLocalStorage } from "node:async_hooks";

type Facts = Record<string, string>;
const context = new AsyncLocalStorage<Facts>();

/** Adds these facts, such as the request id, to the log entries of `work`. */
export function withFacts<T>(facts: Facts, work: () => T): T {
  return context.run({ ...context.getStore(), ...facts }, work);
}

export function currentFacts(): Facts {
  return context.getStore() ?? {};
}
