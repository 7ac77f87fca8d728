import type { StoreAndClock } from "../ports.ts";

const DAY_MS = 24 * 3_600_000;
/** Small transactions, as messages are being sent meanwhile. */
const BATCH = 500;

type Needs = StoreAndClock & {
  /** For how many days the record of an ended message is kept; undefined: as long as the account. */
  keptDays?: number | undefined;
  /** Whether an event that was published before then has not been handled completely. */
  hasUnfinishedEvents: (before: Date) => Promise<boolean>;
};

/** How long the records of messages are kept. */
export function keeping({ transaction, keptDays, hasUnfinishedEvents, now }: Needs) {
  return {
    /**
     * Job: removes the records of messages that ended longer ago than they are kept. Not while an event of that time is
     * unfinished: when it is repeated, it has to find what it has sent. Returns their number.
     */
    async forgetOldDeliveries(): Promise<number> {
      if (keptDays === undefined) return 0;
      const before = new Date(now().getTime() - keptDays * DAY_MS);
      if (await hasUnfinishedEvents(before)) return 0;
      for (let count = 0; ; ) {
        const removed = await transaction(({ deliveries }) => deliveries.removeEnded(before, BATCH));
        count += removed;
        if (removed < BATCH) return count;
      }
    },
  };
}
