import { AsyncLocalStorage } from "node:async_hooks";

const background = new AsyncLocalStorage<true>();

/** Nobody sits and waits for `work`: its transactions let those of requests go first. */
export function inBackground<T>(work: () => T): T {
  return background.run(true, work);
}

export const isInBackground = (): boolean => background.getStore() === true;

/** So many may go first in a row; then one of those in the background has its turn, so that all get on. */
export const MOST_FIRST = 16;

/** One at a time, in the order in which they ask, but what is in the background behind all others. */
export function turns(): <T>(work: () => Promise<T>) => Promise<T> {
  const first: (() => void)[] = [];
  const later: (() => void)[] = [];
  let isTaken = false;
  let inRow = 0;

  function next(): void {
    const start = (inRow < MOST_FIRST || later.length === 0 ? first.shift() : undefined) ?? later.shift();
    isTaken = start !== undefined;
    start?.();
  }

  return async (work) => {
    const isLater = isInBackground();
    if (isTaken) await new Promise<void>((start) => (isLater ? later : first).push(start));
    isTaken = true;
    inRow = isLater ? 0 : inRow + 1;
    try {
      return await work();
    } finally {
      // The embedded database leaves no pause by itself in which a request could come in.
      if (isLater) setImmediate(next);
      else next();
    }
  };
}
