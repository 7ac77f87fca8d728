import { isInBackground } from "./priority_queue.ts";

/** Each named statement costs the server memory until the connection ends; lists of any length make new texts. */
const MOST_NAMED = 200;
const MOST_PARAMETERS = 20;
/** What a job asks meets tables that were empty when its plan was made, and are full when it counts: no older one is used. */
const JOB_PLANS_MS = 2000;

/** What the server keeps prepared for one connection: `renew` has it make all plans anew, ahead of what is asked next. */
export function serverStatements(renew: () => PromiseLike<unknown>) {
  const named = { request: new Set<string>(), job: new Set<string>() };
  let plannedFrom = performance.now();

  return {
    isWorthNaming(text: string, parameters: number): boolean {
      // Those of jobs, of which lists make many, take no place from those of requests.
      const mine = named[isInBackground() ? "job" : "request"];
      if (mine.has(text)) return true;
      if (parameters === 0 || parameters > MOST_PARAMETERS || mine.size === MOST_NAMED) return false;
      mine.add(text);
      return true;
    },

    /** Before each transaction. */
    renewPlans(): void {
      if (!isInBackground() || performance.now() - plannedFrom < JOB_PLANS_MS) return;
      plannedFrom = performance.now();
      renew().then(undefined, () => {
        plannedFrom = 0;
      });
    },
  };
}
