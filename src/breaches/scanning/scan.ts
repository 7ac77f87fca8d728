import type { BreachDeps, BreachFeed, ClaimedScan } from "../ports.ts";
import { announce } from "./announce.ts";
import { batches, LONGEST_WAIT_MS, type ScanReport } from "./batch.ts";
import { answering, isOwnTurn } from "./sources.ts";

export type { ScanReport } from "./batch.ts";

/** After it another process goes on where one was killed: within a minute, the time until it looks included. */
const SCAN_LEASE_MS = 50_000;
const MOST_REPORTED = 400;
const HASH_BATCH = 500;

/** Checks addresses with each source, by its own rate and whatever befalls the others. */
export function scanning(deps: BreachDeps) {
  const scanners = new Map(deps.feeds.map((feed) => [feed.source, scanner(deps, feed)]));
  return {
    /**
     * Checks what is due until nothing is, until the source wants a pause, or until `isOver`, asked between two addresses:
     * those that were not begun go back. With all sources if none is named.
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
  const { transaction, feeds, now, report } = deps;
  const workThrough = batches(deps, feed);
  let enrolled = false;

  /** Kept apart from the catalogue's troubles: that the list can be read does not mean that addresses can be checked. */
  async function noteLookUps({ trouble, checked }: ScanReport): Promise<void> {
    if (trouble && !isOwnTurn(trouble))
      report(new Error(`Cannot check addresses with ${feed.source}: ${trouble.reason}`), { kind: trouble.kind });
    if (!trouble && checked === 0) return;
    await transaction(async ({ sources }) => {
      const state = await sources.find(feed.source);
      // What keeps it silent is told until it speaks again, not that it is silent.
      if (trouble && isOwnTurn(trouble) && checked === 0 && state.lookUpTrouble !== undefined) return;
      if (state.lookUpTrouble !== trouble?.reason) await sources.save({ ...state, lookUpTrouble: trouble?.reason });
    });
  }

  /** What is watched already, when the source is a new one or the addresses are older than their hashes. */
  async function enrol(): Promise<void> {
    if (enrolled) return;
    while ((await transaction(({ watches }) => watches.hashMissing(HASH_BATCH))) > 0);
    await transaction(async ({ scans, sources }) => {
      await scans.enrol(feed.source, now());
      // A new process may have been started with what the source was missing.
      await sources.pause(feed.source, undefined);
    });
    enrolled = true;
  }

  /** First reports that waited for a source which cannot answer now. */
  async function reportWhatWaits(): Promise<void> {
    if (feeds.length === 1) return;
    await transaction(async (store) => {
      const at = now();
      const able = await answering(store, feeds);
      const addresses = await store.watches.listUnreported(able, at, MOST_REPORTED);
      await store.scans.hold(addresses);
      const raised = await store.alerts.addMissing(
        addresses.map((address) => ({ address, breachNames: [] })),
        at,
      );
      await announce(store, { raised, complete: await store.watches.listActive(addresses), at });
    });
  }

  /** Nothing while the source is left alone. */
  async function claim(limit: number): Promise<{ scans: ClaimedScan[]; until: number }> {
    const until = now().getTime() + SCAN_LEASE_MS / 2;
    const scans = await transaction(async (store) => {
      const { pausedUntil } = await store.sources.find(feed.source);
      if (pausedUntil && pausedUntil > now()) return [];
      return store.scans.claimDue(feed.source, limit, now(), SCAN_LEASE_MS);
    });
    return { scans, until };
  }

  return async function scan(isOver: () => boolean): Promise<ScanReport> {
    await enrol();
    const total = await workThrough(claim, isOver);
    // A slot that is merely not free yet is no trouble.
    if (total.trouble?.kind !== "later" || total.trouble.afterMs > LONGEST_WAIT_MS) await noteLookUps(total);
    await reportWhatWaits();
    return total;
  };
}
