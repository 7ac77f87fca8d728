import { CHANNELS, type Channel } from "../../shared/contacts.ts";
import type { Senders, SendLimit, StoreAndClock } from "../ports.ts";
import { dayOf } from "../reporting/tally.ts";

const DAY_MS = 24 * 3_600_000;

/** A channel's usage. */
export type ChannelUse = {
  channel: Channel;
  /** Messages accepted by the provider today (UTC), over all processes; without tests and drills. */
  acceptedToday: number;
  limit: SendLimit | undefined;
};

/** The usage of each channel against its limit. */
export function channelUse({ transaction, senders, now }: StoreAndClock & { senders: Senders }) {
  return {
    async channelUses(): Promise<ChannelUse[]> {
      const [today, tomorrow] = [dayOf(now()), dayOf(new Date(now().getTime() + DAY_MS))];
      const stats = await transaction((store) => store.stats.list(today, tomorrow));
      return CHANNELS.filter((channel) => senders[channel] !== undefined).map((channel) => ({
        channel,
        acceptedToday: stats.find((stat) => stat.channel === channel)?.accepted ?? 0,
        limit: senders[channel]?.limit?.current(),
      }));
    },
  };
}
