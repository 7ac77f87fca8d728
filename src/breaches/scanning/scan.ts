import type { BreachDeps, BreachFeed } from "../ports.ts";
import { announce, endedChecks } from "./announce.ts";
import { type Claim, LONGEST_WAIT_MS, lookUps, type ScanReport } from "./look_ups.ts";
import { answering, isRateLimit } from "./sources.ts";

/** Lease of a check: with the polling interval, another process takes over from a killed one within a minute. */
const SCAN_LEASE_MS = 50_000;
const MOST_REPORTED = 400;
const HASH_BATCH = 500;
const ENROLMENT_BATCH = 1000;

/** Checks addresses with each source, by its own rate limit and independent of other sources' failures. */
export function scanning(deps: BreachDeps) {
  const scanners = new Map(deps.feeds.map((feed) => [feed.source, scanner(deps, feed)]));
  return {
    /**
     * Checks due addresses until none is left, the source asks for a pause, or `isOver`, which is polled between addresses;
     * unstarted ones are released. Uses all sources if none is named.
     */
    async scanDue(source?: string, isOver = () => false): Promise<ScanReport> {
      const total: ScanReport = { checked: 0, raised: 0, trouble: undefined };
      for (const [name, scan] of scanners) {
        if (source !== undefined && source !== name) continue;
        const { checked, raised, trouble } = await scan(isOver);
        total.checked += checked;
        total.raised += raised;
        total.trouble ??= trouble;
      }
      return total;
    },
  };
}

function scanner(deps: BreachDeps, feed: BreachFeed) {
  const { transaction, feeds, now, report, note } = deps;
  const workThrough = lookUps(deps, feed);
  let isEnrolled = false;

  /** Separate from the catalogue's status: a readable catalogue does not mean that addresses can be checked. */
  async function noteLookUps({ trouble, checked }: ScanReport): Promise<void> {
    if (trouble && !isRateLimit(trouble))
      report(new Error(`Cannot check addresses with ${feed.source}: ${trouble.reason}`), { kind: trouble.kind });
    if (!trouble && checked === 0) return;
    const hasRecovered = await transaction(async ({ sources }) => {
      if (!trouble) return sources.endLookUpTrouble(feed.source);
      // A rate limit's pause must not hide what caused it.
      const keepsCause = isRateLimit(trouble) && checked === 0;
      await sources.noteLookUpTrouble(feed.source, { reason: trouble.reason, keepsCause });
      return false;
    });
    if (hasRecovered) note?.("Addresses can be checked again", { source: feed.source });
  }

  /** Adds tracked addresses to a new source, and computes missing hashes. */
  async function enrol(isOver: () => boolean): Promise<void> {
    if (isEnrolled) return;
    while (!isOver() && (await transaction(({ watches }) => watches.hashMissing(HASH_BATCH))) > 0);
    let last: string | undefined;
    do {
      if (isOver()) return;
      last = await transaction(({ scans }) => scans.enrol(feed.source, last, ENROLMENT_BATCH, now()));
    } while (last !== undefined);
    // A new process may have been started with a corrected configuration.
    await transaction(({ sources }) => sources.pause(feed.source, undefined));
    isEnrolled = true;
  }

  /** Sends first reports that waited for a source which is now unavailable. */
  async function reportWhatWaits(): Promise<void> {
    await transaction(async (store) => {
      const at = now();
      const able = await answering(store, feeds);
      const addresses = await store.watches.listUnreported(able, at, MOST_REPORTED);
      await store.scans.lock(addresses);
      const raised = await store.alerts.addMissing(
        addresses.map((address) => ({ address, breachNames: [] })),
        at,
      );
      const ended = await endedChecks(store, await store.watches.listActive(addresses), able, at);
      await announce(store, { raised, ...ended, at });
    });
  }

  /** Claims nothing while the source is paused. */
  const claim: Claim = async (limit) => {
    const until = now().getTime() + SCAN_LEASE_MS / 2;
    const scans = await transaction(async (store) => {
      const { pausedUntil } = await store.sources.find(feed.source);
      if (pausedUntil && pausedUntil > now()) return [];
      return store.scans.claimDue(feed.source, limit, now(), SCAN_LEASE_MS);
    });
    return scans.map((scan) => ({ scan, until }));
  };

  return async function scan(isOver: () => boolean): Promise<ScanReport> {
    await enrol(isOver);
    const total = await workThrough(claim, isOver);
    // A short wait for the rate limit is no failure.
    if (total.trouble?.kind !== "later" || total.trouble.afterMs > LONGEST_WAIT_MS) await noteLookUps(total);
    await reportWhatWaits();
    return total;
  };
}
