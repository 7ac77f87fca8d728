import type { Channel } from "../shared/contacts.ts";

export const SOURCE_STATES = ["well", "paused", "troubled"] as const;
export const CHANNEL_STATES = ["well", "resting", "troubled"] as const;

/** What the modules know of themselves; more than everybody may. Instants in ISO 8601. */
export type SourceHealth = {
  source: string;
  pausedUntil: string | null;
  syncedAt: string | null;
  trouble: string | null;
  lookUpTrouble: string | null;
  oldestDue: string | null;
};
export type ChannelHealth = { channel: Channel; state: (typeof CHANNEL_STATES)[number] };

/** A source that only waits for its turn is well. */
export function sourceState(
  { lookUpTrouble, trouble, pausedUntil }: Omit<SourceHealth, "source">,
  now: Date,
): (typeof SOURCE_STATES)[number] {
  const isPaused = lookUpTrouble !== null && pausedUntil !== null && new Date(pausedUntil) > now;
  if (isPaused) return "paused";
  return (lookUpTrouble ?? trouble) === null ? "well" : "troubled";
}

/** The names that the history of each day goes by. */
export const partOfSource = (source: string) => `source:${source}`;
export const partOfChannel = (channel: Channel) => `channel:${channel}`;

/** How each part does at this moment, for its history. */
export function partsOf(health: { sources: SourceHealth[]; channels: ChannelHealth[] }, now: Date) {
  return [
    ...health.sources.map((source) => ({
      part: partOfSource(source.source),
      troubled: sourceState(source, now) !== "well",
    })),
    ...health.channels.map(({ channel, state }) => ({ part: partOfChannel(channel), troubled: state !== "well" })),
  ];
}
