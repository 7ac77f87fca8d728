import { AsyncLocalStorage } from "node:async_hooks";
import { type Courtesy, courtesy } from "./job_throttle.ts";

const background = new AsyncLocalStorage<true>();

/** Nobody sits and waits for `work`: its transactions let those of requests go first. */
export function inBackground<T>(work: () => T): T {
  return background.run(true, work);
}

export const isInBackground = (): boolean => background.getStore() === true;

/** So many may go first in a row; then one of those in the background has its turn, so that all get on. */
export const MOST_FIRST = 16;

/** One at a time, in the order in which they ask, but what is in the background behind all others. */
export function turns(manners: Courtesy = courtesy()) {
  type Waiting = { begin: () => void; since: number };
  const first: Waiting[] = [];
  const later: Waiting[] = [];
  let isTaken = false;
  let inRow = 0;

  const lookAgain = () => {
    if (!isTaken) next();
  };

  function next(): void {
    const [job] = later;
    const isJob =
      job !== undefined && (inRow >= MOST_FIRST || first.length === 0) && manners.mayBegin(job.since, 0, lookAgain);
    const started = (isJob ? later : first).shift();
    isTaken = started !== undefined;
    started?.begin();
  }

  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const isLater = isInBackground();
    if (!isLater) manners.noteRequest();
    const since = performance.now();
    const mayBegin = () => !isLater || (later.length === 0 && manners.mayBegin(since, 0, lookAgain));
    if (isTaken || !mayBegin()) await new Promise<void>((begin) => (isLater ? later : first).push({ begin, since }));
    isTaken = true;
    inRow = isLater ? 0 : inRow + 1;
    const began = performance.now();
    try {
      return await work();
    } finally {
      if (isLater) manners.noteJob(performance.now() - began);
      // The embedded database leaves no pause by itself in which a request could come in.
      if (isLater) setImmediate(next);
      else next();
    }
  };
}
