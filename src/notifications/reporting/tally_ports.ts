import type { Channel } from "../../shared/contacts.ts";
import type { Histogram } from "./latency.ts";

/** How a message ended: accepted by its provider, failed for good, or refused because there is no such recipient. */
export type End = "accepted" | "failed" | "refused";

/** One message that has ended, as a figure: no more is kept of it. */
export type Tally = {
  /** YYYY-MM-DD, in UTC. */
  day: string;
  channel: Channel;
  /** Which of the day's rows takes it, and what is counted with it, so that senders do not wait for each other. */
  slot: number;
  end: End;
  /** Accepted perhaps twice. */
  inDoubt: boolean;
  /** How long it took from detection, as a bucket; undefined for what nobody detected, such as a sign-in code. */
  bucket: number | undefined;
};

/** What one channel did on one day. */
export type DayTally = {
  day: string;
  channel: Channel;
  accepted: number;
  failed: number;
  refused: number;
  inDoubt: number;
  latencies: Histogram;
};

export type TallyRepository = {
  /** Belongs into the transaction that ends the messages, as its last step. */
  count(tallies: Tally[]): Promise<void>;
  /** From the one day on, before the other; by day and channel. */
  list(from: string, before: string): Promise<DayTally[]>;
  /** Forgets the days before; returns how many rows went. */
  removeBefore(day: string): Promise<number>;
};
