import { type Caller, callerHere, onBehalfOf } from "./callers.ts";

/** The largest batch to start with: one statement, one transaction. */
const MOST = 50;
/**
 * While a batch takes less than `QUICK_MS`, the next may be twice as large, up to `MOST_QUICK`, so that other work never waits
 * long.
 */
const QUICK_MS = 25;
const MOST_QUICK = 500;

/**
 * Runs `work` for the whole batch and, if that fails, for each item separately, so that one bad item does not fail the others.
 * `work` answers in the order of the batch and must leave nothing behind when it throws.
 */
export async function allOrEach<Item, Answer>(
  group: Item[],
  work: (items: Item[]) => Promise<Answer[]>,
): Promise<PromiseSettledResult<Answer>[]> {
  try {
    return (await work(group)).map((value) => ({ status: "fulfilled", value }));
  } catch (reason) {
    if (group.length < 2) return group.map(() => ({ status: "rejected", reason }));
    return (await Promise.all(group.map((item) => allOrEach([item], work)))).flat();
  }
}

/** The current batch size, shared by callers that process many lists. */
export type Pace = { size: number };
export const newPace = (): Pace => ({ size: MOST });

/**
 * Runs `work` in batches, which grow while they are quick by the clock `now`. Throws the first error after all items were tried,
 * or immediately when every item of a batch failed.
 */
export async function inGroups<Item>(
  items: Item[],
  work: (items: Item[]) => Promise<void>,
  now: () => Date,
  pace = newPace(),
): Promise<void> {
  const failures: unknown[] = [];
  for (let start = 0; start < items.length; ) {
    const group = items.slice(start, start + pace.size);
    start += group.length;
    const began = now().getTime();
    const results = await allOrEach(group, async (some) => {
      await work(some);
      return some;
    });
    const reasons = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    // When every item fails, the cause is not one item: stop here.
    if (reasons.length === group.length) throw reasons[0];
    failures.push(...reasons);
    const isQuick = now().getTime() - began < QUICK_MS;
    // A batch below the current size says nothing about how long a full one takes.
    if (isQuick && group.length >= pace.size) pace.size = Math.min(2 * pace.size, MOST_QUICK);
    if (!isQuick) pace.size = Math.max(Math.round(pace.size / 2), MOST);
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Collects the calls made in the same tick, and those made while a batch is running, into one call of `work`: the higher the
 * load, the larger the batches, while a single caller hardly waits. With `everyMs`, batches start at least that far apart. Calls
 * of requests never wait behind a batch of jobs.
 */
export function together<Item, Answer>(
  work: (items: Item[]) => Promise<Answer[]>,
  options: { everyMs?: number; most?: number } = {},
): (item: Item) => Promise<Answer> {
  const requests = batchQueue(work, options);
  const jobs = batchQueue(work, options);
  return async (item) => {
    const caller = callerHere();
    return (caller.isBackground ? jobs : requests)(item, caller);
  };
}

/** Runs its batches one after the other. */
function batchQueue<Item, Answer>(
  work: (items: Item[]) => Promise<Answer[]>,
  { everyMs = 0, most = MOST }: { everyMs?: number; most?: number },
): (item: Item, caller: Caller) => Promise<Answer> {
  type Call = { item: Item; caller: Caller; settle: (result: PromiseSettledResult<Answer> | undefined) => void };
  const calls: Call[] = [];
  let isWorking = false;

  async function workOff(): Promise<void> {
    isWorking = true;
    while (calls.length > 0) {
      // Calls made in the same tick join the batch.
      await new Promise((resolve) => setImmediate(resolve));
      const next = new Promise((resolve) => setTimeout(resolve, everyMs));
      const group = calls.splice(0, most);
      const results = await allOrEach(group, (some) => {
        const callers = some.map(({ caller }) => caller);
        return onBehalfOf(callers, () => work(some.map(({ item }) => item)));
      });
      for (const [index, { settle }] of group.entries()) settle(results[index]);
      if (everyMs > 0) await next;
    }
    isWorking = false;
  }

  return (item, caller) =>
    new Promise((resolve, reject) => {
      calls.push({
        item,
        caller,
        settle: (result) => (result?.status === "fulfilled" ? resolve(result.value) : reject(result?.reason)),
      });
      if (!isWorking) void workOff();
    });
}

/** The largest batch of a lookup, so that a page never waits long for its part. */
const MOST_LOOKED_UP = 100;

/** Looks items up by their ids, batching the lookups of one tick. */
export function lookUp<Found>(
  find: (ids: string[]) => Promise<Found[]>,
  idOf: (found: Found) => string,
): (id: string) => Promise<Found | undefined> {
  return together(
    async (ids) => {
      const found = new Map((await find([...new Set(ids)])).map((one) => [idOf(one), one]));
      return ids.map((id) => found.get(id));
    },
    { most: MOST_LOOKED_UP },
  );
}
