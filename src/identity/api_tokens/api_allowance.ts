/** Rate limit: a burst of 30 requests, then one per `EVERY_MS` (60 a minute). */
export const BURST = 30;
const EVERY_MS = 1000;
const FULL_MS = BURST * EVERY_MS;
/** Unused requests of a lease expire, so that they do not accumulate over many processes. */
const LEASE_MS = 10_000;
const LARGEST_LEASE = 8;
/** Cache size, above which expired leases are dropped. */
const REMEMBERED = 1000;

/** `granted` requests may be made; at `busyUntil` the token has its whole burst again. */
export type Taken = { granted: number; busyUntil: Date };

/** Takes up to `wanted` requests of what is left. One timestamp per token is stored (GCRA). */
export function taken(busyUntil: Date, wanted: number, now: Date): Taken {
  const from = Math.max(busyUntil.getTime(), now.getTime());
  const left = Math.floor((now.getTime() + FULL_MS - from) / EVERY_MS);
  const granted = Math.max(0, Math.min(wanted, left));
  return { granted, busyUntil: new Date(from + granted * EVERY_MS) };
}

/** The rate limit in an answer: remaining burst, seconds until it is full, and seconds to wait (0: allowed). */
export type Allowance = { limit: number; remaining: number; fullInSeconds: number; wait: number };

type Lease = { left: number; size: number; until: number; busyUntil: Date };

/**
 * Rate-limits tokens over all processes without a write per request: a process leases requests from the database, one for a
 * rarely used token, up to eight for a busy one, and hands them out itself. It never grants more than it leased; a burst can
 * only grow by what was leased and not used within ten seconds.
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
    // Used up before it expired: the token is busy, so the next lease is larger.
    const size = isLiving ? Math.min(known.size * 2, LARGEST_LEASE) : 1;
    const { granted, busyUntil } = await take(size);
    // A concurrent request may have leased some meanwhile.
    const other = leases.get(id);
    const isShared = other !== undefined && other !== known && other.until > now().getTime();
    const ready = granted + (isShared ? other.left : 0);
    const lease = { left: Math.max(0, ready - 1), size, until: now().getTime() + LEASE_MS, busyUntil };
    leases.set(id, lease);
    forgetOld();
    return tellOf(lease, ready > 0);
  };
}
