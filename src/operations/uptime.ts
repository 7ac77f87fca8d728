import type { OperationsDeps, PartDay } from "./ports.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
export const HISTORY_DAYS = 90;

export type PartHistory = {
  /** The first day of which anything is known; YYYY-MM-DD, in UTC. */
  since: string | null;
  days: PartDay[];
};

function dayBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10);
}

/** How the sources and channels have done, minute by minute, summed up by the day. */
export function uptime({ transaction, clinic, now }: OperationsDeps) {
  let lastMinute: number | undefined;

  return {
    /**
     * The job: how each part does in this minute. Minutes in which nobody could look, because the service or its database
     * was down, are not there: they show as not measured.
     */
    async measureParts(): Promise<void> {
      const minute = Math.floor(now().getTime() / MINUTE_MS) * MINUTE_MS;
      if (minute === lastMinute) return;
      const parts = await clinic.look();
      await transaction((store) => store.uptime.count(new Date(minute), parts));
      lastMinute = minute;
    },

    /** Today included. */
    partHistory(): Promise<PartHistory> {
      return transaction(async (store) => {
        const days = await store.uptime.list(dayBefore(now(), HISTORY_DAYS - 1));
        return { since: days[0]?.day ?? null, days };
      });
    },

    /** The job: what is older than anybody is shown. */
    forgetOldDays(): Promise<number> {
      return transaction((store) => store.uptime.removeBefore(dayBefore(now(), HISTORY_DAYS)));
    },
  };
}
