/** So long after somebody asked for something, the next question is expected at any moment. */
const HERE_MS = 100;
/** Meanwhile the jobs do so many things in so long, */
const [AT_ONCE, STEP_MS] = [2, 8];
/** and rest after a transaction that was not short for as long as it took; */
const SHORT_MS = 15;
const LONGEST_REST_MS = 50;
/** but a transaction that has waited for so long begins as if nobody were here: a message on its way needs a dozen of them. */
const LONG_MS = 100;

type Clock = { now: () => number; later: (ms: number, then: () => void) => void };

const MONOTONIC: Clock = { now: () => performance.now(), later: (ms, then) => void setTimeout(then, ms) };

export type Courtesy = ReturnType<typeof courtesy>;

/** People wait for their answers, jobs for nobody: as long as people ask, the jobs of this process keep to a slow and even pace. */
export function courtesy({ now, later }: Clock = MONOTONIC) {
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
    /** Somebody asks for something. */
    noteRequest(): void {
      askedAt = now();
    },

    /** Before the next thing that a job does on this thread: resolves at once when nobody is here. */
    yieldToRequests(): Promise<void> | undefined {
      if (waiting.length === 0 && !isAnybodyHere()) return undefined;
      return new Promise((goOn) => {
        if (waiting.push(goOn) === 1) later(STEP_MS, pass);
      });
    },

    /** A job's transaction ended after `tookMs`. */
    noteJob(tookMs: number): void {
      if (tookMs > SHORT_MS) restsUntil = now() + Math.min(tookMs, LONGEST_REST_MS);
    },

    /**
     * Whether a transaction of a job that waits since `from` may begin, with `others` of its kind under way. `again` is
     * called when the answer may be another one.
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
