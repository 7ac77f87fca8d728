/** So many requests at once, and one more for every `EVERY_MS` that passes: 30 and then 60 a minute. */
export const BURST = 30;
const EVERY_MS = 1000;
const FULL_MS = BURST * EVERY_MS;
/** What a process took and did not use within this time is lost, so that nothing piles up in many processes. */
const LEASE_MS = 10_000;
const LARGEST_LEASE = 8;
/** Tokens that a process remembers before it forgets those whose leases are over. */
const REMEMBERED = 1000;

/** `granted` requests may be made; `busyUntil` says when the token has all of them again. */
export type Taken = { granted: number; busyUntil: Date };

/** Up to `wanted` requests out of what is left. One moment per token is all that is stored (GCRA). */
export function taken(busyUntil: Date, wanted: number, now: Date): Taken {
  const from = Math.max(busyUntil.getTime(), now.getTime());
  const left = Math.floor((now.getTime() + FULL_MS - from) / EVERY_MS);
  const granted = Math.max(0, Math.min(wanted, left));
  return { granted, busyUntil: new Date(from + granted * EVERY_MS) };
}

/** What a request's answer tells: how many more at once, when all are there again, and how long to wait (0: go on). */
export type Allowance = { limit: number; remaining: number; fullInSeconds: number; wait: number };

type Lease = { left: number; size: number; until: number; busyUntil: Date };

/**
 * Counts requests of tokens over all processes without a write for each: a process takes some from the database at once, one
 * from a token that is used seldom, up to eight from a busy one, and hands them out itself. Never are more granted than
 * the database gave; a burst can only be longer by what was taken and not yet used within ten seconds.
 */
export function allowances(now: () => Date) {
  const leases = new Map<string, Lease>();

  function tellOf(lease: Lease, granted: boolean): Allowance {
    const busyMs = lease.busyUntil.getTime() - now().getTime();
    const unused = Math.max(0, Math.floor((FULL_MS - busyMs) / EVERY_MS));
    const nextMs = busyMs + EVERY_MS - FULL_MS;
    return {
      limit: BURST,
      remaining: granted ? Math.min(BURST, lease.left + unused) : 0,
      fullInSeconds: Math.max(0, Math.ceil(busyMs / 1000)),
      wait: granted ? 0 : Math.max(1, Math.ceil(nextMs / 1000)),
    };
  }

  function forgetOld(): void {
    if (leases.size <= REMEMBERED) return;
    for (const [id, { until }] of leases) if (until <= now().getTime()) leases.delete(id);
  }

  return async function admit(id: string, take: (wanted: number) => Promise<Taken>): Promise<Allowance> {
    const known = leases.get(id);
    const isLiving = known !== undefined && known.until > now().getTime();
    if (isLiving && known.left > 0) {
      known.left -= 1;
      return tellOf(known, true);
    }
    // Used up before its end: the token is busy.
    const size = isLiving ? Math.min(known.size * 2, LARGEST_LEASE) : 1;
    const { granted, busyUntil } = await take(size);
    // Another request of the same moment may have taken some meanwhile.
    const other = leases.get(id);
    const isShared = other !== undefined && other !== known && other.until > now().getTime();
    const ready = granted + (isShared ? other.left : 0);
    const lease = { left: Math.max(0, ready - 1), size, until: now().getTime() + LEASE_MS, busyUntil };
    leases.set(id, lease);
    forgetOld();
    return tellOf(lease, ready > 0);
  };
}
