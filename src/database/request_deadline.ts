import { AsyncLocalStorage } from "node:async_hooks";

/** How long somebody has waited in vain so far. */
export type Wait = { ms: number };

const spent = new AsyncLocalStorage<Wait>();

export const waitHere = (): Wait | undefined => spent.getStore();

/** What `work` asks of a database that does not answer is waited for once, however many transactions it opens. */
export function waitingOnce<T>(work: () => T): T {
  return spent.run({ ms: 0 }, work);
}

/** How much of a deadline is left for the next transaction. */
export function patienceLeft(deadlineMs: number): number {
  return deadlineMs - (spent.getStore()?.ms ?? 0);
}

/** So long a database has just been waited for in vain. */
export function waitedInVain(ms: number): void {
  const store = spent.getStore();
  if (store) store.ms += ms;
}

/** For what was asked on behalf of others: the wait counts, whatever came of it, as it says nothing of a failure. */
export async function sharedWait<T>(work: () => Promise<T>): Promise<T> {
  const from = performance.now();
  try {
    return await work();
  } finally {
    waitedInVain(performance.now() - from);
  }
}

/** Work for several: it begins with what the most patient of them has left, and what it waits in vain counts for each. */
export async function sharingWait<T>(waits: readonly (Wait | undefined)[], work: () => Promise<T>): Promise<T> {
  const least = waits.length === 0 ? 0 : Math.min(...waits.map((wait) => wait?.ms ?? 0));
  const own = { ms: least };
  try {
    return await spent.run(own, work);
  } finally {
    for (const wait of new Set(waits)) if (wait) wait.ms += own.ms - least;
  }
}
