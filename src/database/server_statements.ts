import { isInBackground } from "./priority_queue.ts";

/** Limit of named statements, as each takes server memory until the connection ends and lists create new texts. */
const MOST_NAMED = 200;
const MOST_PARAMETERS = 20;
/** How long a job's plans are used: they may have been made while the tables were empty. */
const JOB_PLANS_MS = 2000;

type Statements = { isWorthNaming(text: string, parameters: number): boolean; renewPlans(): void };

/** Behind a pooler a statement's name is unknown to the next connection, and nothing keeps a plan. */
export const UNNAMED: Statements = { isWorthNaming: () => false, renewPlans() {} };

/** The prepared statements of one connection: `renew` makes the server plan all of them anew before the next query. */
export function serverStatements(renew: () => PromiseLike<unknown>): Statements {
  const named = { request: new Set<string>(), job: new Set<string>() };
  let plannedFrom = performance.now();

  return {
    isWorthNaming(text: string, parameters: number): boolean {
      // Jobs have a cache of their own, as their many list statements would evict those of requests.
      const mine = named[isInBackground() ? "job" : "request"];
      if (mine.has(text)) return true;
      if (parameters === 0 || parameters > MOST_PARAMETERS || mine.size === MOST_NAMED) return false;
      mine.add(text);
      return true;
    },

    /** Called before each transaction. */
    renewPlans(): void {
      if (!isInBackground() || performance.now() - plannedFrom < JOB_PLANS_MS) return;
      plannedFrom = performance.now();
      renew().then(undefined, () => {
        plannedFrom = 0;
      });
    },
  };
}
