import { AsyncLocalStorage } from "node:async_hooks";
import { databaseUnavailable } from "./errors.ts";

const background = new AsyncLocalStorage<true>();

/** Runs `work` with the priority of a job: its transactions let those of requests go first. */
export function inBackground<T>(work: () => T): T {
  return background.run(true, work);
}

export const isInBackground = (): boolean => background.getStore() === true;

/** How many requests may overtake the jobs in a row; then one job runs, so that jobs do not starve. */
const MOST_FIRST = 16;
/** How long after a request the next one is expected. Meanwhile the steps of jobs begin this far apart. */
const [EXPECTED_MS, STEP_MS] = [100, 4];

type Waiter = { begin(): void; refuse(error: Error): void };

/**
 * Runs at most `slots` transactions at a time, in order of arrival, with jobs behind all requests. Of several slots one is
 * reserved for requests.
 */
export function priorityQueue(slots = 1) {
  const waiting: { requests: Waiter[]; jobs: Waiter[] } = { requests: [], jobs: [] };
  const mostForJobs = Math.max(1, slots - 1);
  let held = 0;
  let heldByJobs = 0;
  /** How many requests in a row have overtaken the jobs. */
  let inRow = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  let lastStep = Promise.resolve();

  const isRequestExpected = () => performance.now() - askedAt < EXPECTED_MS;

  function nextQueue(): Waiter[] | undefined {
    if (held === slots) return undefined;
    const isJobsTurn = inRow >= MOST_FIRST || waiting.requests.length === 0;
    if (isJobsTurn && waiting.jobs.length > 0 && heldByJobs < mostForJobs) return waiting.jobs;
    return waiting.requests.length > 0 ? waiting.requests : undefined;
  }

  function serve(): void {
    for (let queue = nextQueue(); queue; queue = nextQueue()) {
      const isJob = queue === waiting.jobs;
      held += 1;
      if (isJob) heldByJobs += 1;
      inRow = isJob ? 0 : inRow + 1;
      queue.shift()?.begin();
    }
  }

  /** Resolves once the caller holds a slot; rejects after `waitMs`. */
  function enter(isJob: boolean, waitMs: number | undefined): Promise<void> {
    const queue = waiting[isJob ? "jobs" : "requests"];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { begin: resolve, refuse: reject };
    queue.push(waiter);
    serve();
    if (waitMs === undefined || !queue.includes(waiter)) return promise;
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(waiter), 1);
      reject(databaseUnavailable(`No connection to the database was free within ${waitMs} ms`));
    }, waitMs);
    return promise.finally(() => clearTimeout(timer));
  }

  return {
    async run<T>(work: () => Promise<T>, waitMs?: number): Promise<T> {
      const isJob = isInBackground();
      if (!isJob) askedAt = performance.now();
      await enter(isJob, waitMs);
      const leave = () => {
        held -= 1;
        if (isJob) heldByJobs -= 1;
        serve();
      };
      try {
        return await work();
      } finally {
        // The embedded database never yields to the event loop, so no request could arrive without this.
        if (isJob) setImmediate(leave);
        else leave();
      }
    },
    /** Called by a job before each step on this thread, so that requests go first; undefined where none are expected. */
    yieldToRequests(): Promise<void> | undefined {
      if (!isRequestExpected()) return undefined;
      lastStep = lastStep.then(() => (isRequestExpected() ? Bun.sleep(STEP_MS) : undefined));
      return lastStep;
    },
    /** Rejects everything that waits. */
    refuse(error: Error): void {
      for (const queue of [waiting.requests, waiting.jobs]) for (const waiter of queue.splice(0)) waiter.refuse(error);
    },
  };
}
