import type { BreachDeps, BreachFeed, ClaimedScan, SourceTrouble } from "../ports.ts";
import { type Answer, checking, type Stored } from "./check.ts";
import { isRateLimit } from "./sources.ts";

/** Concurrency limit of requests to one source. */
const MOST_OPEN = 16;
export const LONGEST_WAIT_MS = 10_000;
/** How often a waiting task checks whether the run is over. */
const LOOK_MS = 250;
/** Answers are stored in batches: when one is full, or after this time. */
const STORE_EVERY_MS = 250;
/**
 * Batch size of storing, which grows where a server does the work and answers keep coming, as each batch is a dozen statements.
 */
const GROUP = { fewest: 64, most: 400 };
/** Concurrency limit of storing: while a server works on one batch, the next is prepared. */
const MOST_STORES = 2;
/** Back-pressure: with this many unstored answers no more requests are sent, as leases would expire. */
const MOST_ANSWERS = 2 * GROUP.most;
/** Batch size of claims, made ahead of need; it grows after a batch that the source answered. */
const BATCH = { fewest: 50, most: 400 };
/** Batches that take longer get smaller: an embedded database runs one statement at a time, and pages wait for it. */
const QUICK_MS = 30;
/** After this many consecutive failures the source is considered unavailable, rather than the addresses bad. */
const STRIKES = 3;
const RETRY_MS = [60_000, 5 * 60_000, 15 * 60_000, 60 * 60_000];

export type ScanReport = Stored & { trouble: SourceTrouble | undefined };
/** A claimed address in the queue: its position, and when its lease ends. */
type Waiting = { scan: ClaimedScan; place: number; until: number };
export type Claim = (limit: number) => Promise<{ scans: ClaimedScan[]; until: number }>;

/** Looks up claimed addresses with adaptive concurrency, and stores the answers in batches. */
export function batches(deps: BreachDeps, feed: BreachFeed) {
  const { transaction, now, sleep, report, yieldToRequests } = deps;
  const check = checking(deps, feed);
  /** The current concurrency: one more after every answer, back to one after a failure. */
  let width = 1;

  /** Back-off for an address without an answer. */
  function waitOf(failures: number, trouble: SourceTrouble | undefined): number {
    const backoff = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;
    if (trouble?.kind !== "later") return backoff;
    return failures === 0 || isRateLimit(trouble) ? trouble.afterMs : Math.max(trouble.afterMs, backoff);
  }

  const after = (ms: number) => new Date(now().getTime() + ms);

  function release(list: ClaimedScan[], waitMs: number, failed: boolean): Promise<void> {
    return transaction(({ scans }) => scans.release(list, after(waitMs), failed));
  }

  async function fail(scan: ClaimedScan, error: unknown): Promise<void> {
    report(error, { job: "scan" });
    await release([scan], waitOf(scan.failures, undefined), true);
  }

  /** If a batch fails, its addresses are stored one by one, so that one failure does not stop the others. */
  async function store(group: Answer[]): Promise<Stored> {
    try {
      return await check.store(group);
    } catch (error) {
      const total: Stored = { checked: 0, raised: 0 };
      const [only, ...others] = group;
      const half = Math.ceil(group.length / 2);
      if (only && others.length === 0) await fail(only.scan, error);
      else for (const some of [group.slice(0, half), group.slice(half)]) add(total, await store(some));
      return total;
    }
  }

  /**
   * Processes everything that can be claimed until the run is over or the source asks for a pause; unfinished addresses are
   * released unchanged.
   */
  return async function workThrough(claim: Claim, isOver: () => boolean): Promise<ScanReport> {
    const result: ScanReport = { checked: 0, raised: 0, trouble: undefined };
    const waiting: Waiting[] = [];
    let open = 0;
    /** Wakes the waiting loop once for all tasks that end in the same tick. */
    let news = Promise.withResolvers<void>();
    const answers: Answer[] = [];
    let claiming: Promise<void> | undefined;
    /** The sizes of the next and of the last batch. */
    let [size, lastSize] = [BATCH.fewest, 0];
    let [claimed, isAll] = [0, false];
    let group = GROUP.fewest;
    let answered = 0;
    const storing = new Set<Promise<void>>();
    let storedAt = 0;
    let strikes = 0;
    let slotInMs = 0;
    let failure: { error: unknown } | undefined;

    const hasEnded = () => failure !== undefined || result.trouble !== undefined || isOver();
    const noteFailure = (error: unknown) => {
      failure ??= { error };
    };

    async function claimMore(): Promise<void> {
      const began = now().getTime();
      const { scans, until } = await claim(size);
      isAll = scans.length < size;
      lastSize = size;
      size = paced(size, now().getTime() - began, BATCH);
      for (const scan of scans) waiting.push({ scan, place: claimed++, until });
    }

    /** Claims the next batch when half of the last is used, so that requests continue meanwhile. */
    function claimInTime(): void {
      if (claiming || isAll || waiting.length >= Math.max(MOST_OPEN, lastSize / 2) || hasEnded()) return;
      claiming = claimMore()
        .catch(noteFailure)
        .finally(() => {
          claiming = undefined;
          news.resolve();
        });
    }

    function storeSome(): void {
      if (storing.size === MOST_STORES || answers.length === 0) return;
      const began = now().getTime();
      if (answers.length < group && (storing.size > 0 || began - storedAt < STORE_EVERY_MS)) return;
      storedAt = began;
      const answeredBefore = answered;
      const stored = store(answers.splice(0, group))
        .then((sum) => {
          add(result, sum);
          // An embedded database blocks the event loop meanwhile, so no answer can arrive.
          const isHeldUp = answered === answeredBefore;
          group = isHeldUp ? GROUP.fewest : paced(group, now().getTime() - began, GROUP, STORE_EVERY_MS);
        }, noteFailure)
        .finally(() => {
          storing.delete(stored);
          news.resolve();
          storeSome();
        });
      storing.add(stored);
    }

    /** Requeues the address if the wait is short; else releases it, and often pauses the source. */
    async function refuse(one: Waiting, trouble: SourceTrouble): Promise<void> {
      const { scan } = one;
      if (
        trouble.kind === "later" &&
        trouble.afterMs <= LONGEST_WAIT_MS &&
        after(trouble.afterMs).getTime() <= one.until
      ) {
        waiting.push(one);
        waiting.sort((a, b) => a.place - b.place);
        slotInMs = Math.max(slotInMs, trouble.afterMs);
        width = Math.max(1, open - 1);
        return;
      }
      width = 1;
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

    async function ask(one: Waiting): Promise<void> {
      try {
        await yieldToRequests?.();
        const outcome = await check.ask(one.scan);
        if (outcome.kind !== "found" && outcome.kind !== "unsupported") return await refuse(one, outcome);
        strikes = 0;
        width = Math.min(width + 1, MOST_OPEN);
        answers.push(outcome);
        answered += 1;
        storeSome();
      } catch (error) {
        await fail(one.scan, error);
      }
    }

    async function begin(one: Waiting): Promise<void> {
      open += 1;
      await ask(one).catch(noteFailure);
      open -= 1;
      news.resolve();
    }

    async function waitForSlot(): Promise<void> {
      for (; slotInMs > 0 && !hasEnded(); slotInMs -= LOOK_MS) await sleep(Math.min(slotInMs, LOOK_MS));
      slotInMs = 0;
    }

    /** Releases addresses whose lease is about to end and claims smaller batches from then on. */
    async function releaseLate(): Promise<void> {
      const at = now().getTime();
      const isLate = ({ until }: Waiting) => at > until;
      // The first one's lease ends first.
      if (!waiting.slice(0, 1).some(isLate)) return;
      const late = waiting.filter(isLate);
      waiting.splice(0, late.length);
      size = BATCH.fewest;
      lastSize = 0;
      await release(scansOf(late), 0, false);
    }

    while (!hasEnded()) {
      await releaseLate();
      claimInTime();
      const isFull = answers.length >= MOST_ANSWERS && storing.size > 0;
      if (!isFull) for (const one of waiting.splice(0, Math.max(0, width - open))) void begin(one);
      if (open === 0 && !claiming && !isFull) break;
      await news.promise;
      news = Promise.withResolvers();
      storeSome();
      if (slotInMs > 0) await waitForSlot();
    }
    await claiming;
    for (; open > 0; news = Promise.withResolvers()) await news.promise;
    while (storing.size > 0) await Promise.race(storing);
    while (answers.length > 0 && !failure) add(result, await store(answers.splice(0, GROUP.most)));
    if (failure) throw failure.error;
    await release(scansOf(waiting), result.trouble ? waitOf(0, result.trouble) : 0, false);
    return result;
  };
}

/** Doubles a quick batch's size and halves a slow one's. */
const paced = (size: number, tookMs: number, { fewest, most }: typeof GROUP, quickMs = QUICK_MS) =>
  tookMs <= quickMs ? Math.min(2 * size, most) : Math.max(Math.round(size / 2), fewest);

const scansOf = (list: Waiting[]) => list.map(({ scan }) => scan);

function add(total: Stored, { checked, raised }: Stored): void {
  total.checked += checked;
  total.raised += raised;
}
