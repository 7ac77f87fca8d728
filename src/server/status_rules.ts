import type { Modules } from "../module_types.ts";
import type { Channel } from "../shared/contacts.ts";

type SourceHealth = Awaited<ReturnType<Modules["breaches"]["sourcesHealth"]>>[number];
type ChannelHealth = Awaited<ReturnType<Modules["notifications"]["channelsHealth"]>>[number];

/** A source that only waits for its rate limit is healthy. */
export function sourceState(
  { lookUpTrouble, trouble, pausedUntil }: SourceHealth,
  now: Date,
): "well" | "paused" | "troubled" {
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
