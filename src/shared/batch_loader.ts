import { type Caller, callerHere, onBehalfOf } from "./callers.ts";

type Waiting<Answer> = { resolve(answer: Answer | undefined): void; reject(error: unknown): void };

/**
 * Loads one item at a time, but sends all keys asked for in one tick of the event loop as one batch, which under load costs
 * little more than a single query. The batch is sent after all its callers have asked, so no answer is older than its question,
 * and runs on behalf of all of them: with a request's priority when one of them is a request.
 *
 * @param ask loads these keys, each given once; a key missing from its result resolves to undefined, and an error rejects every
 * caller of the batch.
 */
export function joined<Key, Answer>(
  ask: (keys: Key[]) => Promise<ReadonlyMap<Key, Answer>>,
): (key: Key) => Promise<Answer | undefined> {
  let waiting = new Map<Key, Waiting<Answer>[]>();
  let callers: Caller[] = [];

  async function answerAll(): Promise<void> {
    const asked = waiting;
    const askers = callers;
    waiting = new Map();
    callers = [];
    try {
      const found = await onBehalfOf(askers, () => ask([...asked.keys()]));
      for (const [key, who] of asked) for (const { resolve } of who) resolve(found.get(key));
    } catch (error) {
      for (const { reject } of [...asked.values()].flat()) reject(error);
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      callers.push(callerHere());
      if (waiting.size === 0) setImmediate(answerAll);
      const who = waiting.get(key);
      if (who) who.push({ resolve, reject });
      else waiting.set(key, [{ resolve, reject }]);
    });
}

/** Looks items up by their ids, in the same way. */
export function lookUp<Found>(
  find: (ids: string[]) => Promise<Found[]>,
  idOf: (found: Found) => string,
): (id: string) => Promise<Found | undefined> {
  return joined(async (ids: string[]) => new Map((await find(ids)).map((found) => [idOf(found), found])));
}
