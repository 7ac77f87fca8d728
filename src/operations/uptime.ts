import type { OperationsDeps, PartDay } from "./ports.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
export const HISTORY_DAYS = 90;

export type PartHistory = {
  /** The first measured day; YYYY-MM-DD, in UTC. */
  since: string | null;
  days: PartDay[];
};

function dayBefore(now: Date, days: number): string {
  return new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10);
}

/** The uptime of sources and channels, measured every minute and aggregated by day. */
export function uptime({ transaction, clinic, now }: OperationsDeps) {
  let lastMinute: number | undefined;

  return {
    /**
     * Job: measures each part in this minute. Minutes in which the service or its database was down have no measurement, and are
     * shown as such.
     */
    async measureParts(): Promise<void> {
      const minute = Math.floor(now().getTime() / MINUTE_MS) * MINUTE_MS;
      if (minute === lastMinute) return;
      const parts = await clinic.look();
      await transaction((store) => store.uptime.count(new Date(minute), parts));
      lastMinute = minute;
    },

    /** Includes today. */
    partHistory(): Promise<PartHistory> {
      return transaction(async (store) => {
        const days = await store.uptime.list(dayBefore(now(), HISTORY_DAYS - 1));
        return { since: days[0]?.day ?? null, days };
      });
    },

    /** Job: removes days that are older than what is shown. */
    forgetOldDays(): Promise<number> {
      return transaction((store) => store.uptime.removeBefore(dayBefore(now(), HISTORY_DAYS)));
    },
  };
}
