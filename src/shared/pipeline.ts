import { together } from "./batching.ts";

/** A queue with its own concurrency limit, so that a stuck item cannot block the others. */
export type Lane<Item> = {
  /** Claims at most `limit` items, the most urgent first; fewer mean that no others are due now. */
  claim: (limit: number) => Promise<Item[]>;
  /** How many of its items may be worked on now. */
  atOnce: () => number;
  /** How many more may be claimed, to wait for their turn or to be recorded. Defaults to none. */
  ahead?: number;
};

/**
 * Work that waits in the database, is claimed by lease, and may be done by any number of processes. A process that dies keeps
 * its items until their leases end; then another one claims them. If `work` or `record` throws, the run claims nothing more and
 * ends with this error.
 */
export type Work<Item, Done> = {
  lanes: Lane<Item>[];
  /** Does one item; undefined when there is nothing to record. */
  work: (item: Item) => Promise<Done | undefined>;
  /** Records a batch of what was done. If it throws, it has recorded none of it, and each is recorded on its own. */
  record?: (done: Done[]) => Promise<void>;
  /** One that could not be recorded on its own. */
  refuse?: (done: Done, error: unknown) => Promise<void>;
  /** Releases items that the run has claimed, but not begun. */
  giveBack?: (items: Item[]) => Promise<void>;
  /** Called at the start of a run and every second, with all claimed items: the place to renew their leases. */
  tend?: (claimed: Item[]) => Promise<void>;
  /** The clock by which leases end. */
  now: () => Date;
};

export type Pipeline<Item> = {
  /**
   * Works until nothing is due any more or `isOver`; resolves to the number of claimed items. A call during a run joins it and
   * makes it look again. If a claim fails, the run rejects at once, and what is under way continues.
   */
  run(isOver?: () => boolean): Promise<number>;
  /** Something may have become due: a run claims as soon as there is room. */
  wake(): void;
  /** Begins nothing more; resolves when everything under way has ended. */
  stop(): Promise<void>;
  underWay(): Item[];
};

/** The longest wait before looking for new work while items are still running. */
const LOOK_AGAIN_MS = 1000;
/** Pause after a claim that found less than it had room for, so that what becomes due meanwhile is claimed together. */
const REST_MS = 50;
/** Batches of records: at least this far apart unless they are full, and at most this large. */
const RECORDS = { everyMs: 250, most: 400 };

type LaneState<Item> = Required<Lane<Item>> & {
  waiting: Item[];
  /** Those being worked on, and all that were claimed. */
  running: number;
  claimed: number;
  /** Something may have become due since the last claim. */
  isAsked: boolean;
  /** The last claim found as much as it had room for. */
  hasMore: boolean;
  isResting: boolean;
};

const roomOf = <Item>({ atOnce, ahead, claimed }: LaneState<Item>) => atOnce() + ahead - claimed;

/** Larger claims are cheaper: where more is known to wait, a quarter of the places has to be free. */
function mayClaim<Item>(lane: LaneState<Item>): boolean {
  const { atOnce, ahead, claimed, isAsked, hasMore, isResting } = lane;
  const room = roomOf(lane);
  if (hasMore && room >= (atOnce() + ahead) / 4) return true;
  return isAsked && room > 0 && (claimed === 0 || !isResting);
}

/** Runs one kind of work. */
export function pipeline<Item, Done>({
  work,
  record = async () => {},
  refuse = async (_, error) => {
    throw error;
  },
  giveBack = async () => {},
  tend = async () => {},
  now,
  ...given
}: Work<Item, Done>): Pipeline<Item> {
  const lanes: LaneState<Item>[] = given.lanes.map((lane) => {
    const idle = { waiting: [], running: 0, claimed: 0, isAsked: false, hasMore: false, isResting: false };
    return { ahead: 0, ...lane, ...idle };
  });
  const underWay = new Map<Promise<void>, Item>();
  let running: Promise<number> | undefined;
  let hasStopped = false;
  let news = Promise.withResolvers<void>();
  let failure: { error: unknown } | undefined;
  let isOver = () => false;

  const hasEnded = () => hasStopped || failure !== undefined || isOver();

  const recordTogether = together(async (done: Done[]) => {
    await record(done);
    return done;
  }, RECORDS);

  function fail(error: unknown): undefined {
    failure ??= { error };
  }

  function ask(): void {
    for (const lane of lanes) lane.isAsked = true;
  }

  function wake(): void {
    ask();
    news.resolve();
  }

  async function workAndRecord(lane: LaneState<Item>, item: Item): Promise<void> {
    const done = await work(item).catch(fail);
    lane.running -= 1;
    if (!hasEnded()) beginWaiting(lane);
    if (done !== undefined)
      await recordTogether(done)
        .catch((error) => refuse(done, error))
        .catch(fail);
  }

  function begin(lane: LaneState<Item>, item: Item): void {
    lane.running += 1;
    const ended = workAndRecord(lane, item).then(() => {
      lane.claimed -= 1;
      underWay.delete(ended);
      // The last one may have made others due, such as its own repetition.
      if (underWay.size === 0) ask();
      news.resolve();
    });
    underWay.set(ended, item);
  }

  function beginWaiting(lane: LaneState<Item>): void {
    for (const item of lane.waiting.splice(0, Math.max(0, lane.atOnce() - lane.running))) begin(lane, item);
  }

  async function claimFor(lane: LaneState<Item>): Promise<number> {
    lane.isAsked = false;
    const room = roomOf(lane);
    const items = await lane.claim(room).catch((error) => {
      // Their leases run out.
      for (const each of lanes) each.claimed -= each.waiting.splice(0).length;
      throw error;
    });
    lane.hasMore = items.length === room;
    if (!lane.hasMore) {
      lane.isResting = true;
      setTimeout(() => {
        lane.isResting = false;
        if (lane.isAsked) news.resolve();
      }, REST_MS);
    }
    lane.claimed += items.length;
    lane.waiting.push(...items);
    beginWaiting(lane);
    return items.length;
  }

  async function newsOrLater(): Promise<void> {
    const timer = setTimeout(news.resolve, LOOK_AGAIN_MS);
    await news.promise;
    clearTimeout(timer);
    news = Promise.withResolvers();
    // Items that end in the same tick make room together.
    await new Promise((resolve) => setImmediate(resolve));
  }

  async function giveBackWaiting(): Promise<void> {
    for (const lane of lanes) {
      const left = lane.waiting.splice(0);
      lane.claimed -= left.length;
      if (left.length > 0) await giveBack(left);
    }
  }

  async function drain(): Promise<number> {
    let taken = 0;
    let tendedAt = Number.NEGATIVE_INFINITY;
    for (;;) {
      const at = now().getTime();
      if (at - tendedAt >= LOOK_AGAIN_MS) {
        tendedAt = at;
        ask();
        await tend([...underWay.values(), ...lanes.flatMap(({ waiting }) => waiting)]);
      }
      if (hasEnded()) await giveBackWaiting();
      const lane = hasEnded() ? undefined : lanes.find(mayClaim);
      if (lane) taken += await claimFor(lane);
      else if (underWay.size > 0) await newsOrLater();
      else break;
    }
    const failed = failure;
    failure = undefined;
    if (failed) throw failed.error;
    return taken;
  }

  return {
    wake,
    run(isRunOver = () => false) {
      wake();
      if (running) return running;
      isOver = isRunOver;
      running = drain().finally(() => {
        running = undefined;
      });
      return running;
    },
    async stop() {
      hasStopped = true;
      wake();
      await running?.catch(() => undefined);
      await Promise.all(underWay.keys());
    },
    underWay: () => [...underWay.values()],
  };
}
