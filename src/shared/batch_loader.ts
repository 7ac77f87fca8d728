import { type Caller, callerHere, onBehalfOf } from "./callers.ts";

type Waiting<Answer> = { resolve(answer: Answer | undefined): void; reject(error: unknown): void };

/**
 * Asks for one, but what is asked for in one turn of the event loop goes out as one question: under load it costs little more
 * than a single one. It goes out after everybody in it has asked, so no answer is older than its question, and on behalf of all
 * of them: as a request's when one of them is a request.
 *
 * @param ask finds all of these (each given once) by its key; what it leaves out is answered with undefined, and when it
 * fails, so does everybody who asked with it.
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
