import type { Channel } from "../../shared/contacts.ts";
import type { Histogram } from "./latency.ts";

/** How a message ended: accepted by its provider, failed permanently, or refused as the recipient does not exist. */
export type End = "accepted" | "failed" | "refused";

/** The statistics entry of one ended message; no other data is kept. */
export type DeliveryStat = {
  /** YYYY-MM-DD, in UTC. */
  day: string;
  channel: Channel;
  /** The row of the day that counts it; several rows keep senders from waiting for each other. */
  slot: number;
  end: End;
  /** It may have been accepted twice. */
  inDoubt: boolean;
  /** The bucket of the time since detection; undefined for messages without one, such as sign-in codes. */
  bucket: number | undefined;
};

/** The statistics of a channel on one day. */
export type DailyStats = {
  day: string;
  channel: Channel;
  accepted: number;
  failed: number;
  refused: number;
  inDoubt: number;
  latencies: Histogram;
};

export type StatsRepository = {
  /** Belongs at the end of the transaction that ends the messages. */
  count(stats: DeliveryStat[]): Promise<void>;
  /** From the first day until before the second; by day and channel. */
  list(from: string, before: string): Promise<DailyStats[]>;
  /** Removes earlier days; returns the number of rows. */
  removeBefore(day: string): Promise<number>;
};
