import { type Caller, callerHere, onBehalfOf } from "./callers.ts";

/** So many at most in one group: one statement, one transaction. */
const MOST = 50;
/** Where a group takes less than so long, the next may be twice as large, up to so many; whoever waits in between waits little. */
const QUICK_MS = 25;
const MOST_QUICK = 500;

/**
 * Does `work` for a whole group, or, where that fails, for each by itself, so that one that cannot be done stops no other.
 * `work` answers in the order of the group, and leaves nothing behind when it throws.
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

/** How large the next group may be, for who has many lists. */
export type Pace = { size: number };
export const newPace = (): Pace => ({ size: MOST });

/** Does `work` group by group, by larger ones while it is quick by the clock `now`. Throws what went wrong first, once all others are done; at once when a whole group fails. */
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
    // Nobody's own fault.
    if (reasons.length === group.length) throw reasons[0];
    failures.push(...reasons);
    const isQuick = now().getTime() - began < QUICK_MS;
    // One that was small says nothing of a large one.
    if (isQuick && group.length >= pace.size) pace.size = Math.min(2 * pace.size, MOST_QUICK);
    if (!isQuick) pace.size = Math.max(Math.round(pace.size / 2), MOST);
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * The calls of a moment share one piece of work, and so do those that come while an earlier group is under way. The busier,
 * the larger the groups; who is alone hardly waits. With `everyMs` a group begins that long after the one before. What
 * requests ask for never waits behind a group of jobs.
 */
export function together<Item, Answer>(
  work: (items: Item[]) => Promise<Answer[]>,
  options: { everyMs?: number; most?: number } = {},
): (item: Item) => Promise<Answer> {
  const requests = lane(work, options);
  const jobs = lane(work, options);
  return async (item) => {
    const caller = callerHere();
    return (caller.isBackground ? jobs : requests)(item, caller);
  };
}

/** Groups one behind the other. */
function lane<Item, Answer>(
  work: (items: Item[]) => Promise<Answer[]>,
  { everyMs = 0, most = MOST }: { everyMs?: number; most?: number },
): (item: Item, caller: Caller) => Promise<Answer> {
  type Call = { item: Item; caller: Caller; settle: (result: PromiseSettledResult<Answer> | undefined) => void };
  const calls: Call[] = [];
  let isWorking = false;

  async function workOff(): Promise<void> {
    isWorking = true;
    while (calls.length > 0) {
      // Whoever calls in this moment comes along.
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
        ...{ item, caller },
        settle: (result) => (result?.status === "fulfilled" ? resolve(result.value) : reject(result?.reason)),
      });
      if (!isWorking) void workOff();
    });
}

/** So many are looked up at once: no more than a page waits for gladly. */
const MOST_LOOKED_UP = 100;

/** Looks things up by their ids, those of a moment together. */
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
