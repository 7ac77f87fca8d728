import { pipeline } from "../../shared/pipeline.ts";
import type { BreachDeps, BreachFeed, ClaimedScan, SourceTrouble } from "../ports.ts";
import { type Answer, checking, type Refusal, type Stored } from "./check.ts";
import { isRateLimit } from "./sources.ts";

/** Limit of concurrent requests to one source. */
const MOST_OPEN = 16;
/** Limit of claimed addresses that wait for their turn, or whose answers wait to be stored. */
const AHEAD = 800;
/** A source's next slot is waited for if it is not farther away than this. */
export const LONGEST_WAIT_MS = 10_000;
/** How often a waiting task checks whether the run is over. */
const LOOK_MS = 250;
/** After this many consecutive failures the source is considered unavailable, rather than the addresses bad. */
const STRIKES = 3;
const RETRY_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000];

export type ScanReport = Stored & { trouble: SourceTrouble | undefined };
/** A claimed address, to be asked for until then: its lease ends later. */
type Claimed = { scan: ClaimedScan; until: number };
export type Claim = (limit: number) => Promise<Claimed[]>;

type Source = {
  feed: BreachFeed;
  /** Limit of concurrent requests: it grows by one with each answer, shrinks by one when the source is busy, and falls to one after a failure. */
  width: number;
};

/** Back-off for an address without an answer. */
function waitOf(failures: number, trouble?: SourceTrouble): number {
  const backoff = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;
  if (trouble?.kind !== "later") return backoff;
  return failures === 0 || isRateLimit(trouble) ? trouble.afterMs : Math.max(trouble.afterMs, backoff);
}

/** The steps of one run, which is over when `isOver` or when the source asks for a pause. */
function lookUpRun(deps: BreachDeps, source: Source, isOver: () => boolean) {
  const { transaction, now, sleep, report, yieldToRequests } = deps;
  const { feed } = source;
  const check = checking(deps, feed);
  const result: ScanReport = { checked: 0, raised: 0, trouble: undefined };
  let strikes = 0;
  /** Until the source's next slot, for all requests together. */
  let slot: Promise<void> | undefined;

  const after = (ms: number) => new Date(now().getTime() + ms);
  const hasEnded = () => result.trouble !== undefined || isOver();

  function release(list: ClaimedScan[], waitMs: number, failed: boolean): Promise<void> {
    return transaction(({ scans }) => scans.release(list, after(waitMs), failed));
  }

  async function fail({ scan }: Pick<Claimed, "scan">, error: unknown): Promise<void> {
    report(error, { job: "scan" });
    await release([scan], waitOf(scan.failures), true);
  }

  async function giveBack(list: Claimed[]): Promise<void> {
    const scans = list.map(({ scan }) => scan);
    await release(scans, result.trouble ? waitOf(0, result.trouble) : 0, false);
  }

  /** The address is asked for again later; often the source is paused until then. */
  async function refuse(scan: ClaimedScan, trouble: Refusal): Promise<void> {
    source.width = 1;
    strikes += 1;
    const isOfAddress = trouble.kind === "later" && trouble.isOfAddress === true && strikes < STRIKES;
    const isFirst = !isOfAddress && result.trouble === undefined;
    if (isFirst) result.trouble = trouble;
    if (isOfAddress)
      report(new Error(`Cannot check an address with ${feed.source}: ${trouble.reason}`), { job: "scan" });
    await release([scan], waitOf(scan.failures, trouble), !isRateLimit(trouble));
    const pausedMs = waitOf(trouble.kind === "later" ? 0 : scan.failures, trouble);
    if (isFirst) await transaction(({ sources }) => sources.pause(feed.source, after(pausedMs)));
  }

  async function waitForSlot(ms: number): Promise<void> {
    for (let left = ms; left > 0 && !hasEnded(); left -= LOOK_MS) await sleep(Math.min(left, LOOK_MS));
    slot = undefined;
  }

  /** Undefined when the address has been released. */
  async function ask({ scan, until }: Claimed): Promise<Answer | undefined> {
    for (;;) {
      await slot;
      await yieldToRequests?.();
      if (hasEnded() || now().getTime() > until) {
        await giveBack([{ scan, until }]);
        return undefined;
      }
      const outcome = await check.ask(scan);
      if (outcome.kind === "found" || outcome.kind === "unsupported") {
        strikes = 0;
        source.width = Math.min(source.width + 1, MOST_OPEN);
        return outcome;
      }
      const { told } = outcome;
      if (told) await transaction((store) => check.noteTold(store, [{ scan, told }], now()));
      if (outcome.kind !== "later" || outcome.afterMs > LONGEST_WAIT_MS) {
        await refuse(scan, outcome);
        return undefined;
      }
      // Its turn comes too late for this claim: it is claimed anew.
      if (after(outcome.afterMs).getTime() > until) {
        await giveBack([{ scan, until }]);
        return undefined;
      }
      source.width = Math.max(1, source.width - 1);
      slot ??= waitForSlot(outcome.afterMs);
    }
  }

  async function store(answers: Answer[]): Promise<void> {
    const { checked, raised } = await check.store(answers);
    result.checked += checked;
    result.raised += raised;
  }

  async function askOrFail(claimed: Claimed): Promise<Answer | undefined> {
    try {
      return await ask(claimed);
    } catch (error) {
      await fail(claimed, error);
      return undefined;
    }
  }

  return { ask: askOrFail, store, fail, giveBack, hasEnded, report: () => result };
}

/**
 * Looks up claimed addresses with one source, and stores the answers, until none is left, `isOver`, or the source asks for a
 * pause; unfinished addresses are released unchanged.
 */
export function lookUps(deps: BreachDeps, feed: BreachFeed) {
  const source: Source = { feed, width: 1 };
  return async function workThrough(claim: Claim, isOver: () => boolean): Promise<ScanReport> {
    const run = lookUpRun(deps, source, isOver);
    const queue = pipeline({
      lanes: [{ claim, atOnce: () => source.width, ahead: AHEAD }],
      work: run.ask,
      record: run.store,
      refuse: run.fail,
      giveBack: run.giveBack,
      now: deps.now,
    });
    await queue.run(run.hasEnded);
    return run.report();
  };
}
