import { CHANNELS, type Channel } from "../../shared/contacts.ts";
import type { NotificationDeps } from "../ports.ts";

/** How a channel does; instants in ISO 8601. */
export type ChannelStatus = {
  channel: Channel;
  /** Resting: it failed repeatedly, and is tried again at `pausedUntil`. Troubled: its server refused us at the last look. */
  state: "well" | "resting" | "troubled";
  pausedUntil: string | null;
  /** What the look said, without a secret. */
  trouble: string | null;
};

/** Whether messages could leave, seen before one has to. */
export function channelHealth({ transaction, senders, report }: NotificationDeps) {
  const troubles = new Map<Channel, string>();

  async function verifyOne(channel: Channel): Promise<void> {
    try {
      await senders[channel]?.verify?.();
      troubles.delete(channel);
    } catch (error) {
      const known = troubles.get(channel);
      const code = error instanceof Error && "code" in error ? String(error.code) : "no answer that makes sense";
      troubles.set(channel, code);
      if (known !== code) report(new Error(`Cannot send by ${channel}: ${code}`), { channel });
    }
  }

  return {
    /** The job that looks whether each channel's server would take messages. */
    verifyChannels: () => Promise.all(CHANNELS.map(verifyOne)),

    /** The channels that this installation has. */
    async channelsHealth(): Promise<ChannelStatus[]> {
      const failing = await transaction(({ channels }) => channels.listFailing());
      return CHANNELS.filter((channel) => senders[channel] !== undefined).map((channel) => {
        const pausedUntil = failing.find((health) => health.channel === channel)?.pausedUntil;
        const trouble = troubles.get(channel);
        const state = pausedUntil ? "resting" : trouble === undefined ? "well" : "troubled";
        return { channel, state, pausedUntil: pausedUntil?.toISOString() ?? null, trouble: trouble ?? null };
      });
    },
  };
}
