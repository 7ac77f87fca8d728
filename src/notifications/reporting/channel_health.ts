import { CHANNELS, type Channel } from "../../shared/contacts.ts";
import { isOpen } from "../delivery/circuit_breaker.ts";
import { CODES } from "../delivery/delivery.ts";
import type { Note, Report, Senders, SendLimit, StoreAndClock } from "../ports.ts";
import { dayOf } from "./tally.ts";

/** The health of a channel; instants in ISO 8601. */
export type ChannelStatus = {
  channel: Channel;
  /** `resting`: paused by the circuit breaker until `pausedUntil`. `troubled`: its server refused the last verification. */
  state: "well" | "resting" | "troubled";
  pausedUntil: string | null;
  /** The error of the last verification, or of the last message while the channel rests; without secrets and addresses. */
  trouble: string | null;
};

/** A channel's usage. */
export type ChannelUse = {
  channel: Channel;
  /** Messages accepted by the provider today (UTC), over all processes; without tests and drills. */
  acceptedToday: number;
  limit: SendLimit | undefined;
};

type Needs = StoreAndClock & { senders: Senders; note: Note; report: Report };

const DAY_MS = 24 * 3_600_000;

/** How the channels are, and what verifies them before they are needed. */
export function channelHealth({ transaction, senders, note, report, now }: Needs) {
  const configured = () => CHANNELS.filter((channel) => senders[channel] !== undefined);
  const troubles = new Map<Channel, string>();

  async function verifyOne(channel: Channel): Promise<void> {
    try {
      await senders[channel]?.verify?.();
      if (troubles.delete(channel)) note("The channel's server accepts connections again", { channel });
    } catch (error) {
      const known = troubles.get(channel);
      const code = error instanceof Error && "code" in error ? String(error.code) : "unreadable response";
      troubles.set(channel, code);
      if (known !== code) report(new Error(`Cannot send by ${channel}: ${code}`), { channel });
    }
  }

  return {
    /** Job: verifies that each channel's server would accept messages. */
    verifyChannels: () => Promise.all(CHANNELS.map(verifyOne)),

    /** Whether an account that waits for a code has to be told that mails cannot be sent: all of them, or the code's. */
    async areCodesDelayed(accountId: string): Promise<boolean> {
      return transaction(async ({ channels, deliveries }) => {
        const failing = await channels.listFailing();
        const rests = failing.some((health) => health.channel === "email" && isOpen(health));
        return rests || troubles.has("email") || (await deliveries.hasFailing(accountId, CODES));
      });
    },

    /** The configured channels. */
    async channelsHealth(): Promise<ChannelStatus[]> {
      const failing = await transaction(({ channels }) => channels.listFailing());
      return configured().map((channel) => {
        const { pausedUntil, reason } = failing.find((health) => health.channel === channel) ?? {};
        const trouble = (pausedUntil && reason) ?? troubles.get(channel);
        const state = pausedUntil ? "resting" : trouble === undefined ? "well" : "troubled";
        return { channel, state, pausedUntil: pausedUntil?.toISOString() ?? null, trouble: trouble ?? null };
      });
    },

    /** The usage of each channel against its limit. */
    async channelUses(): Promise<ChannelUse[]> {
      const [today, tomorrow] = [dayOf(now()), dayOf(new Date(now().getTime() + DAY_MS))];
      const stats = await transaction((store) => store.stats.list(today, tomorrow));
      return configured().map((channel) => ({
        channel,
        acceptedToday: stats.find((stat) => stat.channel === channel)?.accepted ?? 0,
        limit: senders[channel]?.limit?.current(),
      }));
    },
  };
}
