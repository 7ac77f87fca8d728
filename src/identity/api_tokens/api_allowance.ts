/** Rate limit: a burst of 30 requests, then one per `EVERY_MS` (60 a minute). */
export const BURST = 30;
export const EVERY_MS = 1000;
export const FULL_MS = BURST * EVERY_MS;

/** Whether a request may be made; at `busyUntil` the token has its whole burst again. */
export type Taken = { granted: boolean; busyUntil: Date };

/** The rate limit in an answer: remaining burst, seconds until it is full, and seconds to wait (0: allowed). */
export type Allowance = { limit: number; remaining: number; fullInSeconds: number; wait: number };

export function allowanceOf({ granted, busyUntil }: Taken, now: Date): Allowance {
  const busyMs = busyUntil.getTime() - now.getTime();
  return {
    limit: BURST,
    remaining: granted ? Math.floor((FULL_MS - busyMs) / EVERY_MS) : 0,
    fullInSeconds: Math.max(0, Math.ceil(busyMs / 1000)),
    wait: granted ? 0 : Math.max(1, Math.ceil((busyMs + EVERY_MS - FULL_MS) / 1000)),
  };
}
