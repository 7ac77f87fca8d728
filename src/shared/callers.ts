/** Who asks for something: what of the asker's own situation matters to work that is shared. */
export type Caller = { readonly isBackground: boolean };

/** Where this process keeps who is asking. The binding throws where a caller may not wait for shared work. */
type Callers = {
  here(): Caller;
  onBehalfOf<T>(callers: readonly Caller[], work: () => Promise<T>): Promise<T>;
};

let bound: Callers = { here: () => ({ isBackground: false }), onBehalfOf: (_, work) => work() };

/** Said once per process, by whoever knows about requests and jobs. */
export function bindCallers(callers: Callers): void {
  bound = callers;
}

export const callerHere = (): Caller => bound.here();

/**
 * Runs work that several callers share in a context of its own, never in that of whoever came first: as urgent as the most
 * urgent of them, with as much patience as the most patient of them has left, in nobody's trace.
 */
export function onBehalfOf<T>(callers: readonly Caller[], work: () => Promise<T>): Promise<T> {
  return bound.onBehalfOf(callers, work);
}

/** Whoever asks while an answer is under way waits for that one. It belongs to nobody, and is as urgent as a request. */
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
