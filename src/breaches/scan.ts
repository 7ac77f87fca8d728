import { announce } from "./announce.ts";
import { checking } from "./check.ts";
import type { BreachDeps, BreachFeed, ClaimedScan, SourceTrouble } from "./ports.ts";
import { answering, isOwnTurn } from "./sources.ts";

/** After it another process goes on where one was killed. */
const SCAN_LEASE_MS = 60_000;
const SCAN_BATCH = 50;
const HASH_BATCH = 500;
const LONGEST_WAIT_MS = 10_000;
/** Somebody who waits for a slot still looks whether it is over. */
const LOOK_MS = 250;
/** So many addresses in a row without an answer, and it is the source's trouble rather than theirs. */
const STRIKES = 3;
const RETRY_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000];

type Turn = { until: number; isOver: () => boolean /** When it is over. */; end: Promise<void> };
export type ScanReport = { checked: number; raised: number; trouble: SourceTrouble | undefined };

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
  const { transaction, feeds, now, sleep, report } = deps;
  const check = checking(deps, feed);
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
    const list = await transaction(async (store) =>
      store.watches.listUnreported(await answering(store, feeds), now(), SCAN_BATCH),
    );
    for (const address of list)
      await transaction(async (store) => {
        const raised = await store.alerts.addMissing(address, [], now());
        await announce(store, { raised, address, at: now() });
      });
  }

  /** How long an address waits that the source did not answer for. */
  function waitOf({ failures }: ClaimedScan, trouble: SourceTrouble | undefined): number {
    const backoff = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;
    if (trouble?.kind !== "later") return backoff;
    return failures === 0 || isOwnTurn(trouble) ? trouble.afterMs : Math.max(trouble.afterMs, backoff);
  }

  function release(scan: ClaimedScan, trouble: SourceTrouble | undefined, failed: boolean) {
    const at = now().getTime();
    // Those that were not asked for come back as soon as the source does.
    const wait = failed ? waitOf(scan, trouble) : waitOf({ ...scan, failures: 0 }, trouble);
    return transaction(({ scans }) => scans.release(scan, new Date(at + wait), failed));
  }

  function pause(scan: ClaimedScan, trouble: SourceTrouble) {
    const until = new Date(
      now().getTime() + waitOf(trouble.kind === "later" ? { ...scan, failures: 0 } : scan, trouble),
    );
    return transaction(({ sources }) => sources.pause(feed.source, until));
  }

  /** Like `check`, but waits for the source's next slot when that is near; nothing comes of it when it is over meanwhile. */
  async function checkInTurn(
    scan: ClaimedScan,
    { until, isOver, end }: Turn,
  ): Promise<number | SourceTrouble | undefined> {
    for (;;) {
      if (isOver() || now().getTime() > until) return undefined;
      const outcome = await check(scan);
      if (typeof outcome === "number" || outcome.kind !== "later") return outcome;
      if (outcome.afterMs > LONGEST_WAIT_MS || now().getTime() + outcome.afterMs > until) return outcome;
      await Promise.race([sleep(outcome.afterMs), end]);
    }
  }

  /** As if it had not been claimed. */
  const putBack = (scan: ClaimedScan) => transaction(({ scans }) => scans.release(scan, now(), false));

  /** Checks one batch; what the source has no time for goes back unharmed. */
  async function scanBatch(batch: ClaimedScan[], isOver: () => boolean): Promise<ScanReport> {
    const until = now().getTime() + SCAN_LEASE_MS / 2;
    const { promise: end, resolve } = Promise.withResolvers<void>();
    const timer = setInterval(() => isOver() && resolve(), LOOK_MS);
    try {
      return await checkEach(batch, { until, isOver, end });
    } finally {
      clearInterval(timer);
    }
  }

  async function checkEach(batch: ClaimedScan[], turn: Turn): Promise<ScanReport> {
    const result: ScanReport = { checked: 0, raised: 0, trouble: undefined };
    let strikes = 0;
    for (const scan of batch) {
      if (result.trouble) {
        await release(scan, result.trouble, false);
        continue;
      }
      try {
        const outcome = await checkInTurn(scan, turn);
        if (outcome === undefined) {
          await putBack(scan);
          continue;
        }
        if (typeof outcome === "number") {
          strikes = 0;
          result.checked += 1;
          result.raised += outcome;
          continue;
        }
        await release(scan, outcome, !isOwnTurn(outcome));
        strikes += 1;
        if (outcome.kind === "later" && outcome.isOfAddress && strikes < STRIKES) {
          report(new Error(`Cannot check an address with ${feed.source}: ${outcome.reason}`), { job: "scan" });
          continue;
        }
        result.trouble = outcome;
        await pause(scan, outcome);
      } catch (error) {
        // One address that cannot be stored must not stop the others.
        report(error, { job: "scan" });
        await release(scan, undefined, true);
      }
    }
    return result;
  }

  async function scanUntilPause(isOver: () => boolean): Promise<ScanReport> {
    const total: ScanReport = { checked: 0, raised: 0, trouble: undefined };
    for (;;) {
      const batch = await transaction(async ({ scans, sources }) => {
        const { pausedUntil } = await sources.find(feed.source);
        if (pausedUntil && pausedUntil > now()) return [];
        return scans.claimDue(feed.source, SCAN_BATCH, now(), SCAN_LEASE_MS);
      });
      const { checked, raised, trouble } = await scanBatch(batch, isOver);
      total.checked += checked;
      total.raised += raised;
      total.trouble = trouble;
      if (trouble === undefined && batch.length === SCAN_BATCH && !isOver()) continue;
      // A slot that is merely not free yet is no trouble.
      if (trouble?.kind !== "later" || trouble.afterMs > LONGEST_WAIT_MS) await noteLookUps(total);
      return total;
    }
  }

  return async function scan(isOver: () => boolean): Promise<ScanReport> {
    await enrol();
    const total = await scanUntilPause(isOver);
    await reportWhatWaits();
    return total;
  };
}
