import type { Channel } from "../shared/contacts.ts";

export const SOURCE_STATES = ["well", "paused", "troubled"] as const;
export const CHANNEL_STATES = ["well", "resting", "troubled"] as const;

/** Internal health of the parts; more than is published. Instants in ISO 8601. */
export type SourceHealth = {
  source: string;
  pausedUntil: string | null;
  syncedAt: string | null;
  trouble: string | null;
  lookUpTrouble: string | null;
  oldestDue: string | null;
  /** The entries of its catalogue that could not be read. */
  leftOut: string[];
};
export type ChannelHealth = { channel: Channel; state: (typeof CHANNEL_STATES)[number] };

/** A source that only waits for its rate limit is healthy. */
export function sourceState(
  { lookUpTrouble, trouble, pausedUntil }: Omit<SourceHealth, "source" | "leftOut">,
  now: Date,
): (typeof SOURCE_STATES)[number] {
  const isPaused = lookUpTrouble !== null && pausedUntil !== null && new Date(pausedUntil) > now;
  if (isPaused) return "paused";
  return (lookUpTrouble ?? trouble) === null ? "well" : "troubled";
}

/** The keys of the parts in the daily history. */
export const partOfSource = (source: string) => `source:${source}`;
export const partOfChannel = (channel: Channel) => `channel:${channel}`;

/** The current state of each part, for its history. */
export function partsOf(health: { sources: SourceHealth[]; channels: ChannelHealth[] }, now: Date) {
  return [
    ...health.sources.map((source) => ({
      part: partOfSource(source.source),
      troubled: sourceState(source, now) !== "well",
    })),
    ...health.channels.map(({ channel, state }) => ({ part: partOfChannel(channel), troubled: state !== "well" })),
  ];
}
