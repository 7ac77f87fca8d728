import { CHANNELS, type Channel } from "../../shared/contacts.ts";
import type { DayTally, NotificationDeps } from "../ports.ts";
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

type Counts = Pick<DayTally, "accepted" | "failed" | "inDoubt">;

function latencyOf(histogram: Histogram): Latency {
  const of = (share: number) => {
    const ms = sizeOf(histogram) < LEAST ? undefined : percentile(histogram, share);
    return ms === undefined ? null : ms / 1000;
  };
  return { medianSeconds: of(0.5), p95Seconds: of(0.95) };
}

/** Rounded down, so that any failure shows. */
function successOf(tallies: Counts[]): number | null {
  const accepted = tallies.reduce((sum, tally) => sum + tally.accepted, 0);
  const ended = tallies.reduce((sum, tally) => sum + tally.accepted + tally.failed, 0);
  return ended < LEAST ? null : Math.floor((accepted / ended) * 1000) / 10;
}

function doubtOf(tallies: Counts[]): number | null {
  const accepted = tallies.reduce((sum, tally) => sum + tally.accepted, 0);
  const inDoubt = tallies.reduce((sum, tally) => sum + tally.inDoubt, 0);
  return accepted < LEAST ? null : Math.ceil((inDoubt / accepted) * 1000) / 10;
}

/** Rates and times only, without days that have few messages. */
export function figuresOf(tallies: DayTally[], channels: Channel[]): DeliveryFigures {
  const byDay = Map.groupBy(tallies, ({ day }) => day);
  const days = [...byDay].map(([day, rows]) => ({ day, ...latencyOf(merged(rows.map(({ latencies }) => latencies))) }));
  return {
    ...latencyOf(merged(tallies.map(({ latencies }) => latencies))),
    possiblyTwicePercent: doubtOf(tallies),
    days: days.filter(({ medianSeconds }) => medianSeconds !== null),
    channels: channels.map((channel) => {
      const own = tallies.filter((tally) => tally.channel === channel);
      const rates = own.map((tally) => ({ day: tally.day, successPercent: successOf([tally]) }));
      return {
        ...{ channel, successPercent: successOf(own) },
        days: rates.flatMap(({ day, successPercent }) => (successPercent === null ? [] : [{ day, successPercent }])),
      };
    }),
  };
}

/** Public statistics on how reliably and fast messages are sent. */
export function deliveryFigures({ transaction, senders, now }: NotificationDeps) {
  let known: { today: string; figures: Promise<DeliveryFigures> } | undefined;

  async function look(today: string): Promise<DeliveryFigures> {
    const from = dayOf(new Date(Date.parse(today) - (FIGURE_DAYS - 1) * DAY_MS));
    const tallies = await transaction((store) => store.tallies.list(from, today));
    return figuresOf(
      tallies,
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
      return transaction(({ tallies }) => tallies.removeBefore(first));
    },
  };
}
