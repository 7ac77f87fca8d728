import { type Caller, callerHere, onBehalfOf } from "./callers.ts";

/** The default of the largest batch: one statement, one transaction. */
const MOST = 50;

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

/**
 * Runs `work` in batches of `most`. Throws the first error after all items were tried, or immediately when every item of a batch
 * failed.
 */
export async function inGroups<Item>(
  items: Item[],
  most: number,
  work: (items: Item[]) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (let start = 0; start < items.length; start += most) {
    const group = items.slice(start, start + most);
    const results = await allOrEach(group, async (some) => {
      await work(some);
      return some;
    });
    const reasons = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
    // When every item fails, the cause is not one item: stop here.
    if (reasons.length === group.length) throw reasons[0];
    failures.push(...reasons);
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Collects the calls made in the same tick, and those made while a batch is running, into one call of `work`: the higher the
 * load, the larger the batches, while a single caller hardly waits. With `everyMs`, batches start at least that far apart, unless
 * the next one is full. Calls of requests never wait behind a batch of jobs.
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
  let endRest = () => {};

  /** Until the next batch may start: `everyMs` after this one, or when the next one is full. */
  function startRest(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, everyMs);
    endRest = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }

  async function workOff(): Promise<void> {
    isWorking = true;
    while (calls.length > 0) {
      // Calls made in the same tick join the batch.
      await new Promise((resolve) => setImmediate(resolve));
      const rest = startRest();
      const group = calls.splice(0, most);
      const results = await allOrEach(group, (some) => {
        const callers = some.map(({ caller }) => caller);
        return onBehalfOf(callers, () => work(some.map(({ item }) => item)));
      });
      for (const [index, { settle }] of group.entries()) settle(results[index]);
      if (everyMs === 0 || calls.length >= most) endRest();
      await rest;
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
      else if (calls.length >= most) endRest();
    });
}

/**
 * Looks up one key at a time, but asks for all keys of one tick together, which under load costs little more than a single query.
 * A batch starts after all its callers have asked, so no answer is older than its question, and runs on behalf of all of them:
 * with a request's priority when one of them is a request.
 *
 * @param ask loads these keys, each given once; a key missing from its result resolves to undefined, and an error rejects every
 * caller of the batch.
 */
export function joined<Key, Answer>(
  ask: (keys: Key[]) => Promise<ReadonlyMap<Key, Answer>>,
): (key: Key) => Promise<Answer | undefined> {
  type Batch = { keys: Set<Key>; callers: Caller[]; answers: Promise<ReadonlyMap<Key, Answer>> };
  let batch: Batch | undefined;

  function newBatch(): Batch {
    const keys = new Set<Key>();
    const callers: Caller[] = [];
    const answers = new Promise((resolve) => setImmediate(resolve)).then(() => {
      batch = undefined;
      return onBehalfOf(callers, () => ask([...keys]));
    });
    return { keys, callers, answers };
  }

  return async (key) => {
    const caller = callerHere();
    batch ??= newBatch();
    batch.keys.add(key);
    batch.callers.push(caller);
    return (await batch.answers).get(key);
  };
}

/** Looks items up by their ids, in the same way. */
export function lookUp<Found>(
  find: (ids: string[]) => Promise<Found[]>,
  idOf: (found: Found) => string,
): (id: string) => Promise<Found | undefined> {
  return joined(async (ids: string[]) => new Map((await find(ids)).map((found) => [idOf(found), found])));
}
