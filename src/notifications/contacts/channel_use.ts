import { CHANNELS, type Channel } from "../../shared/contacts.ts";
import type { NotificationDeps, SendLimit } from "../ports.ts";
import { dayOf } from "../reporting/tally.ts";

const DAY_MS = 24 * 3_600_000;

/** How much of a channel is used. */
export type ChannelUse = {
  channel: Channel;
  /** Messages that its provider took today (UTC) from all processes; tests and drills are left out. */
  acceptedToday: number;
  limit: SendLimit | undefined;
};

/** How near each channel is to what it lets through. */
export function channelUse({ transaction, senders, now }: NotificationDeps) {
  return {
    async channelUses(): Promise<ChannelUse[]> {
      const [today, tomorrow] = [dayOf(now()), dayOf(new Date(now().getTime() + DAY_MS))];
      const tallies = await transaction((store) => store.tallies.list(today, tomorrow));
      return CHANNELS.filter((channel) => senders[channel] !== undefined).map((channel) => ({
        channel,
        acceptedToday: tallies.find((tally) => tally.channel === channel)?.accepted ?? 0,
        limit: senders[channel]?.limit?.current(),
      }));
    },
  };
}
