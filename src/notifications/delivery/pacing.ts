import { together } from "../../shared/batching.ts";
import type { Channel } from "../../shared/contacts.ts";
import type { StoreAndClock } from "../ports.ts";

/** How late a slot may be used: the event loop does not run to the millisecond. */
const LATE_MS = 50;
/** No queue for slots is longer: what is booked further ahead comes from a clock that was wrong. */
export const LONGEST_QUEUE_MS = 10 * 60_000;

export type Pacing = StoreAndClock & { sleep: (ms: number) => Promise<void> };

/**
 * Waits for a slot of this channel: in no second do all processes together use more than `perSecond`. Slots are so far apart
 * that this also holds when the first is used as late as it may be and the last on time; one that was missed is given up.
 */
export function pacing({ transaction, now, sleep }: Pacing, channel: Channel, perSecond: number): () => Promise<void> {
  const spacingMs = (1000 + LATE_MS) / perSecond;
  const take = together(async (calls: undefined[]) => {
    const first = await transaction(({ pace }) => pace.take(channel, calls.length, spacingMs, now()));
    return calls.map((_, index) => first + index * spacingMs);
  });
  return async () => {
    for (;;) {
      const slot = await take(undefined);
      for (let early = slot - now().getTime(); early > 0; early = slot - now().getTime()) await sleep(Math.ceil(early));
      if (now().getTime() - slot <= LATE_MS) return;
    }
  };
}
