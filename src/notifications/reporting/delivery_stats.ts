import { CHANNELS, type Channel } from "../../shared/contacts.ts";
import type { DailyStats, Senders, StoreAndClock } from "../ports.ts";
import { type Histogram, merged, percentile, sizeOf } from "./latency.ts";
import { dayOf } from "./tally.ts";

const DAY_MS = 24 * 3_600_000;
export const FIGURE_DAYS = 90;
/** Smaller numbers are not published, as they could reveal something about a single person. */
export const LEAST = 10;
/** By then, everything that ended before midnight is recorded. */
const SETTLED_MS = 10 * 60_000;

/** From detection to acceptance by the provider, in whole seconds; null if there were too few. */
export type Latency = { medianSeconds: number | null; p95Seconds: number | null };
export type DeliveryFigures = Latency & {
  /** The percentage of accepted messages that may have arrived twice. */
  possiblyTwicePercent: number | null;
  days: (Latency & { day: string })[];
  channels: {
    channel: Channel;
    successPercent: number | null;
    days: { day: string; successPercent: number }[];
  }[];
};

type Counts = Pick<DailyStats, "accepted" | "failed" | "inDoubt">;

function latencyOf(histogram: Histogram): Latency {
  const of = (share: number) => {
    const ms = sizeOf(histogram) < LEAST ? undefined : percentile(histogram, share);
    return ms === undefined ? null : ms / 1000;
  };
  return { medianSeconds: of(0.5), p95Seconds: of(0.95) };
}

/** Rounded down, so that any failure shows. */
function successOf(stats: Counts[]): number | null {
  const accepted = stats.reduce((sum, stat) => sum + stat.accepted, 0);
  const ended = stats.reduce((sum, stat) => sum + stat.accepted + stat.failed, 0);
  return ended < LEAST ? null : Math.floor((accepted / ended) * 1000) / 10;
}

function doubtOf(stats: Counts[]): number | null {
  const accepted = stats.reduce((sum, stat) => sum + stat.accepted, 0);
  const inDoubt = stats.reduce((sum, stat) => sum + stat.inDoubt, 0);
  return accepted < LEAST ? null : Math.ceil((inDoubt / accepted) * 1000) / 10;
}

/** Rates and times only, without days that have few messages. */
export function figuresOf(stats: DailyStats[], channels: Channel[]): DeliveryFigures {
  const byDay = Map.groupBy(stats, ({ day }) => day);
  const days = [...byDay].map(([day, rows]) => ({ day, ...latencyOf(merged(rows.map(({ latencies }) => latencies))) }));
  return {
    ...latencyOf(merged(stats.map(({ latencies }) => latencies))),
    possiblyTwicePercent: doubtOf(stats),
    days: days.filter(({ medianSeconds }) => medianSeconds !== null),
    channels: channels.map((channel) => {
      const own = stats.filter((stat) => stat.channel === channel);
      const rates = own.map((stat) => ({ day: stat.day, successPercent: successOf([stat]) }));
      return {
        channel,
        successPercent: successOf(own),
        days: rates.flatMap(({ day, successPercent }) => (successPercent === null ? [] : [{ day, successPercent }])),
      };
    }),
  };
}

/** Public statistics on how reliably and fast messages are sent. */
export function deliveryFigures({ transaction, senders, now }: StoreAndClock & { senders: Senders }) {
  let known: { today: string; figures: Promise<DeliveryFigures> } | undefined;

  async function look(today: string): Promise<DeliveryFigures> {
    const from = dayOf(new Date(Date.parse(today) - (FIGURE_DAYS - 1) * DAY_MS));
    const stats = await transaction((store) => store.stats.list(from, today));
    return figuresOf(
      stats,
      CHANNELS.filter((channel) => senders[channel] !== undefined),
    );
  }

  return {
    /** Of complete days (UTC) only, so that single messages cannot be observed. */
    deliveryFigures(): Promise<DeliveryFigures> {
      const today = dayOf(new Date(now().getTime() - SETTLED_MS));
      if (known?.today === today) return known.figures;
      const figures = look(today);
      known = { today, figures };
      figures.catch(() => {
        known = undefined;
      });
      return figures;
    },

    /** Job: removes days that are no longer published. */
    forgetOldFigures(): Promise<number> {
      const first = dayOf(new Date(now().getTime() - (FIGURE_DAYS + 1) * DAY_MS));
      return transaction(({ stats }) => stats.removeBefore(first));
    },
  };
}
