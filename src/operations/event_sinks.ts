import { operatorEvent } from "./event_log.ts";
import type { EventSink } from "./event_log_ports.ts";
import type { OperationsDeps } from "./ports.ts";

const BATCH = 200;
/** Longer than a batch may take; a process that dies holds a destination for so long. */
const LEASE_MS = 60_000;
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 5 * 60_000;
const LONGEST_TROUBLE = 300;

/** How far behind a destination is. `oldest`: since when the oldest event has been waiting. */
export type SinkLag = { name: string; waiting: number; oldest: Date | undefined; trouble: string | undefined };

/**
 * Sends the operator's events to each destination, in order and at least once: the position is stored after a batch has
 * arrived. One process at a time sends to a destination.
 */
export function eventSinks({ transaction, now, sinks }: OperationsDeps) {
  const inMs = (ms: number) => new Date(now().getTime() + ms);

  function pauseAfter(failures: number): number {
    return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures, 10));
  }

  /** Reads only, as it is asked every few seconds. */
  const isBehind = (name: string) =>
    transaction(async (store) => {
      const known = (await store.sinks.list()).find((one) => one.name === name);
      return (await store.eventLog.list({}, known?.position ?? 0, 1)).length > 0;
    });

  /** The new position; undefined when there is nothing to send. Throws what `send` throws. */
  async function sendBatch({ name, send }: EventSink, after: number): Promise<number | undefined> {
    const batch = await transaction((store) => store.eventLog.list({}, after, BATCH));
    const last = batch.at(-1);
    if (!last) return undefined;
    await send(batch.map(operatorEvent));
    await transaction((store) => store.sinks.advance(name, last.position, inMs(LEASE_MS)));
    return last.position;
  }

  return {
    sinkNames: sinks.map(({ name }) => name),

    /** Sends what is new; throws the reason of a failure after it is recorded. */
    async sendEvents(name: string, isOver: () => boolean): Promise<void> {
      const sink = sinks.find((one) => one.name === name);
      if (!sink || !(await isBehind(name))) return;
      const claimed = await transaction((store) => store.sinks.claim(name, now(), inMs(LEASE_MS)));
      if (!claimed) return;
      let { failures } = claimed;
      try {
        let position: number | undefined = claimed.position;
        while (position !== undefined && !isOver()) {
          position = await sendBatch(sink, position);
          failures = 0;
        }
      } catch (error) {
        const trouble = (error instanceof Error ? error.message : String(error)).slice(0, LONGEST_TROUBLE);
        await transaction((store) => store.sinks.fail(name, trouble, inMs(pauseAfter(failures))));
        throw error;
      }
      await transaction((store) => store.sinks.release(name));
    },

    sinkLags(): Promise<SinkLag[]> {
      return transaction(async (store) => {
        const states = new Map((await store.sinks.list()).map((state) => [state.name, state]));
        const lags: SinkLag[] = [];
        for (const { name } of sinks) {
          const { position = 0, trouble } = states.get(name) ?? {};
          lags.push({ name, trouble, ...(await store.eventLog.countAfter(position)) });
        }
        return lags;
      });
    },
  };
}
