import { CHANNELS, type Channel } from "../../shared/contacts.ts";
import type { DayTally, NotificationDeps } from "../ports.ts";
import { type Histogram, merged, percentile, sizeOf } from "./latency.ts";
import { dayOf } from "./tally.ts";

const DAY_MS = 24 * 3_600_000;
export const FIGURE_DAYS = 90;
/** Of fewer messages nothing is told, not even that there were any: it would be told of one person. */
export const LEAST = 10;
/** What ended before midnight has been written by then. */
const SETTLED_MS = 10 * 60_000;

/** How long from detection to acceptance, in whole seconds; null where there were too few. */
export type Latency = { medianSeconds: number | null; p95Seconds: number | null };
export type DeliveryFigures = Latency & {
  /** Of all messages that the provider accepted, in percent: those that may have come twice. */
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

/** Rounded down: whatever failed shows. */
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

/** Rates and times only, and nothing of days with few messages. */
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

/** How well and how fast messages left, for everybody to see. */
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
    /** Of days that are over (UTC), which never change again: nobody can watch single messages go by. */
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

    /** The job: what is older than the figures tell of is forgotten. */
    forgetOldFigures(): Promise<number> {
      const first = dayOf(new Date(now().getTime() - (FIGURE_DAYS + 1) * DAY_MS));
      return transaction(({ tallies }) => tallies.removeBefore(first));
    },
  };
}
