/** The caller of shared work, as far as it decides the work's priority. */
export type Caller = { readonly isBackground: boolean };

/** How this process tracks the current caller. The binding throws where a caller may not wait for shared work. */
type Callers = {
  here(): Caller;
  onBehalfOf<T>(callers: readonly Caller[], work: () => Promise<T>): Promise<T>;
};

let bound: Callers = { here: () => ({ isBackground: false }), onBehalfOf: (_, work) => work() };

/** Set once per process, at start-up. */
export function bindCallers(callers: Callers): void {
  bound = callers;
}

export const callerHere = (): Caller => bound.here();

/**
 * Runs work that several callers share in a context of its own rather than in the first caller's: at the highest priority
 * among them, with the longest deadline that any of them has left, and outside their traces.
 */
export function onBehalfOf<T>(callers: readonly Caller[], work: () => Promise<T>): Promise<T> {
  return bound.onBehalfOf(callers, work);
}

/**
 * Shares one run among all callers that ask while it is in progress. It runs outside every caller's context, at the priority of
 * a request.
 */
export function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<T> | undefined;
  return async () => {
    callerHere();
    underWay ??= onBehalfOf([], work).finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
