import type { Channel } from "../../shared/contacts.ts";
import type { Transaction } from "../../shared/transaction.ts";
import type { ChannelHealth, Delivery, Note, NotificationStore, Outcome, Report } from "../ports.ts";

const FAILURES_IN_A_ROW = 5;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 10 * 60_000;
const PROBE_MS = 60_000;
const LONGEST_WISH_MS = 60 * 60_000;

/** How long a channel's circuit stays open after this many consecutive failures; 0 while it is closed. */
export function pauseAfter(failures: number): number {
  if (failures < FAILURES_IN_A_ROW) return 0;
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - FAILURES_IN_A_ROW, 10));
}

/** Until a probe has succeeded, also between the pauses. */
export function isOpen({ failures }: Pick<ChannelHealth, "failures">): boolean {
  return failures >= FAILURES_IN_A_ROW;
}

function isResting({ failures, pausedUntil }: ChannelHealth, now: Date): boolean {
  return isOpen({ failures }) && pausedUntil !== undefined && pausedUntil > now;
}

type Wanted = {
  channels: Channel[];
  limit: number;
  now: Date;
  leaseUntil: Date;
  /** The lowest priority to claim. */
  lowestPriority: number | undefined;
  /** Whether it may be a probe of a channel that rests. */
  mayProbe: boolean;
};

/** A delivery claimed by this worker: its row at that time, and the lease token. */
export type Claim = {
  delivery: Delivery;
  leaseToken: string;
  /** As this worker has last renewed it. */
  leaseUntil: Date;
  /** When this worker began to send it. */
  sendingSince?: Date;
  /** The single delivery that tests whether a paused channel works again. */
  isProbe: boolean;
};

/** Claims what may be sent now; for a failed channel whose pause is over, only a single probe. */
export async function claimOpen(
  { transaction, report }: { transaction: Transaction<NotificationStore>; report: Report },
  { channels: wanted, limit, now, leaseUntil, lowestPriority, mayProbe }: Wanted,
): Promise<Claim[]> {
  async function claim({ deliveries }: NotificationStore, channels: Channel[], most: number): Promise<Delivery[]> {
    return channels.length === 0 ? [] : deliveries.claimDue(channels, most, now, leaseUntil, lowestPriority);
  }
  const claimOf = (delivery: Delivery, isProbe: boolean) => ({
    delivery,
    leaseToken: delivery.leaseToken ?? "",
    leaseUntil,
    isProbe,
  });

  const { failing, open } = await transaction(async (store) => {
    const failing = (await store.channels.listFailing()).filter(
      ({ failures, pausedUntil }) => failures >= FAILURES_IN_A_ROW || (pausedUntil !== undefined && pausedUntil > now),
    );
    const open = wanted.filter((channel) => !failing.some((health) => health.channel === channel));
    return { failing, open: await claim(store, open, limit) };
  });
  const claimed = open.map((delivery) => claimOf(delivery, false));
  for (const { channel, pausedUntil } of mayProbe ? failing : []) {
    if (claimed.length >= limit || !wanted.includes(channel)) continue;
    if (pausedUntil !== undefined && pausedUntil > now) continue;
    const probing = transaction(async (store) => {
      const probed = await store.channels.takeProbe(channel, now, new Date(now.getTime() + PROBE_MS));
      if (!probed) return [];
      const due = await claim(store, [channel], 1);
      if (due.length > 0) return due;
      // Nothing else is due: probe with a delivery that is held because of this channel.
      await store.deliveries.releaseHeldByChannel(channel, now, 1);
      return claim(store, [channel], 1);
    });
    // What is claimed already must be sent even if this fails.
    const probes = await probing.catch((error) => {
      report(error, { channel });
      return [];
    });
    claimed.push(...probes.map((delivery) => claimOf(delivery, true)));
  }
  return claimed;
}

/** The reason of a failure, which is kept and shown to the operator; servers quote the addresses that they refuse. */
export function withoutAddresses(outcome: Outcome): string {
  const reason = "reason" in outcome ? outcome.reason : outcome.kind;
  return reason.replaceAll(/<?[^\s<>]+@[^\s<>:,;]+>?/g, "…").slice(0, 200);
}

/** The health of the channels, by the outcomes of their deliveries. */
export function circuitBreaker(note: Note) {
  /** Whose servers have refused ours by policy since the last delivery of the channel; per process. */
  const refusing = new Map<Channel, Set<string>>();

  /** Closes the circuit. What an open one held up is due again. */
  async function recover({ channels, deliveries }: NotificationStore, channel: Channel, now: Date): Promise<void> {
    const failures = await channels.recover(channel);
    if (!isOpen({ failures })) return;
    await deliveries.releaseHeldByChannel(channel, now);
    note("The channel has recovered", { channel });
  }

  /** True for the first refusal by this recipient's server: many refusals of one server are no news about the channel. */
  function isNewRefusal({ channel, value }: Delivery["recipient"]): boolean {
    const known = refusing.get(channel) ?? new Set();
    const server = value.slice(value.lastIndexOf("@") + 1);
    refusing.set(channel, new Set([...known, server]));
    return !known.has(server);
  }

  /** How many failures in a row this outcome adds up to at least; 0 when it is no failure of the channel. */
  function weightOf(outcome: Outcome, recipient: Delivery["recipient"]): number {
    if (outcome.kind === "retry") return outcome.scope === "channel" ? 1 : 0;
    if (outcome.kind !== "misconfigured") return 0;
    if (outcome.scope === "channel") return FAILURES_IN_A_ROW;
    return outcome.scope === "message" || isNewRefusal(recipient) ? 1 : 0;
  }

  return {
    /** Something was delivered. */
    async noteDelivered(store: NotificationStore, channel: Channel, now: Date): Promise<void> {
      refusing.delete(channel);
      await recover(store, channel, now);
    },

    /** Records any other outcome; returns for how many milliseconds the channel is paused. */
    async noteOutcome(
      store: NotificationStore,
      { delivery: { recipient }, isProbe }: Claim,
      outcome: Outcome,
      now: Date,
    ): Promise<number> {
      const { channel } = recipient;
      const { channels } = store;
      const weight = weightOf(outcome, recipient);
      if (weight === 0) {
        // The server has answered; that several servers refuse ours in a row is not forgotten by it.
        if (!refusing.has(channel)) await recover(store, channel, now);
        return 0;
      }
      const rests = (await channels.listFailing()).some(
        (health) => health.channel === channel && isResting(health, now),
      );
      // Deliveries that were in progress when the circuit opened carry no new information.
      if (rests && !isProbe) return 0;
      // No worker calls a provider before the time it asked for.
      const wish = outcome.kind === "retry" ? (outcome.afterMs ?? 0) : 0;
      const failures = await channels.countFailure(channel, withoutAddresses(outcome), weight);
      const pause = Math.max(pauseAfter(failures), Math.min(wish, LONGEST_WISH_MS));
      if (pause > 0) await channels.pause(channel, new Date(now.getTime() + pause));
      return pause;
    },
  };
}
