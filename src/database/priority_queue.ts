import { AsyncLocalStorage } from "node:async_hooks";
import { type JobThrottle, jobThrottle } from "./job_throttle.ts";

const background = new AsyncLocalStorage<true>();

/** Runs `work` with the priority of a job: its transactions let those of requests go first. */
export function inBackground<T>(work: () => T): T {
  return background.run(true, work);
}

export const isInBackground = (): boolean => background.getStore() === true;

/** How many requests may overtake the jobs in a row; then one job runs, so that jobs do not starve. */
export const MOST_FIRST = 16;

/** Runs one transaction at a time, in order of arrival, with jobs behind all requests. */
export function priorityQueue(throttle: JobThrottle = jobThrottle()) {
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
      job !== undefined && (inRow >= MOST_FIRST || first.length === 0) && throttle.mayBegin(job.since, 0, lookAgain);
    const started = (isJob ? later : first).shift();
    isTaken = started !== undefined;
    started?.begin();
  }

  return async function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const isLater = isInBackground();
    if (!isLater) throttle.noteRequest();
    const since = performance.now();
    const mayBegin = () => !isLater || (later.length === 0 && throttle.mayBegin(since, 0, lookAgain));
    if (isTaken || !mayBegin()) await new Promise<void>((begin) => (isLater ? later : first).push({ begin, since }));
    isTaken = true;
    inRow = isLater ? 0 : inRow + 1;
    const began = performance.now();
    try {
      return await work();
    } finally {
      if (isLater) throttle.noteJob(performance.now() - began);
      // The embedded database never yields to the event loop, so no request could arrive without this.
      if (isLater) setImmediate(next);
      else next();
    }
  };
}
