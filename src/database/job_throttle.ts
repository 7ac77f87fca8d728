/** How long after a request the next one is expected. */
const HERE_MS = 100;
/** While requests are expected, at most this many steps of jobs run in each interval. */
const [AT_ONCE, STEP_MS] = [2, 8];
/** After a transaction longer than this, jobs pause for as long as it took, up to the maximum. */
const SHORT_MS = 15;
const LONGEST_REST_MS = 50;
/** A transaction that has waited this long begins without throttling, as delivering one message takes a dozen of them. */
const LONG_MS = 100;

type Clock = { now: () => number; later: (ms: number, then: () => void) => void };

const MONOTONIC: Clock = { now: () => performance.now(), later: (ms, then) => void setTimeout(then, ms) };

export type JobThrottle = ReturnType<typeof jobThrottle>;

/** Requests have a user waiting and jobs do not: while requests arrive, this process throttles its jobs. */
export function jobThrottle({ now, later }: Clock = MONOTONIC) {
  let askedAt = Number.NEGATIVE_INFINITY;
  let restsUntil = Number.NEGATIVE_INFINITY;
  const waiting: (() => void)[] = [];
  let looksAt = Number.POSITIVE_INFINITY;

  const isAnybodyHere = () => now() - askedAt < HERE_MS;

  function pass(): void {
    for (const goOn of waiting.splice(0, isAnybodyHere() ? AT_ONCE : waiting.length)) goOn();
    if (waiting.length > 0) later(STEP_MS, pass);
  }

  return {
    /** Records that a request has arrived. */
    noteRequest(): void {
      askedAt = now();
    },

    /** Called by a job before each step; returns undefined, without waiting, when no requests are expected. */
    yieldToRequests(): Promise<void> | undefined {
      if (waiting.length === 0 && !isAnybodyHere()) return undefined;
      return new Promise((goOn) => {
        if (waiting.push(goOn) === 1) later(STEP_MS, pass);
      });
    },

    /** Records that a job's transaction ended after `tookMs`. */
    noteJob(tookMs: number): void {
      if (tookMs > SHORT_MS) restsUntil = now() + Math.min(tookMs, LONGEST_REST_MS);
    },

    /**
     * Whether a job's transaction that has waited since `from` may begin while `others` run. Calls `again` when the answer may
     * have changed.
     */
    mayBegin(from: number, others: number, again: () => void): boolean {
      if (!isAnybodyHere() || now() - from >= LONG_MS) return true;
      const until = Math.min(from + LONG_MS, others > 0 ? askedAt + HERE_MS : restsUntil);
      if (until <= now()) return true;
      if (until < looksAt) {
        looksAt = until;
        later(until - now(), () => {
          if (looksAt === until) looksAt = Number.POSITIVE_INFINITY;
          again();
        });
      }
      return false;
    },
  };
}
