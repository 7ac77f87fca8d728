import { AsyncLocalStorage } from "node:async_hooks";

/** How long a caller has waited for an unresponsive database, in milliseconds. */
export type Wait = { ms: number };

const spent = new AsyncLocalStorage<Wait>();

export const waitHere = (): Wait | undefined => spent.getStore();

/** Gives `work` one deadline for all its transactions, so that it waits only once for an unresponsive database. */
export function waitingOnce<T>(work: () => T): T {
  return spent.run({ ms: 0 }, work);
}

/** The rest of the deadline for the next transaction, in milliseconds. */
export function patienceLeft(deadlineMs: number): number {
  return deadlineMs - (spent.getStore()?.ms ?? 0);
}

/** Deducts the time that the caller has waited for an unresponsive database. */
export function waitedInVain(ms: number): void {
  const store = spent.getStore();
  if (store) store.ms += ms;
}

/** For shared work: its whole duration counts against the deadline, whether it succeeded or not. */
export async function sharedWait<T>(work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  try {
    return await work();
  } finally {
    waitedInVain(performance.now() - from);
  }
}

/**
 * For shared work: it begins with the longest deadline that any of its callers has left, and what it waits in vain counts for
 * each of them.
 */
export async function sharingWait<T>(waits: readonly (Wait | undefined)[], work: () => Promise<T>): Promise<T> {
  const least = waits.length === 0 ? 0 : Math.min(...waits.map((wait) => wait?.ms ?? 0));
  const own = { ms: least };
  try {
    return await spent.run(own, work);
  } finally {
    for (const wait of new Set(waits)) if (wait) wait.ms += own.ms - least;
  }
}
