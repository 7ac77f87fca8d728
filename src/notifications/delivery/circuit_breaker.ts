import type { Channel } from "../../shared/contacts.ts";
import type { ChannelHealth, Delivery, NotificationDeps, NotificationStore, Outcome } from "../ports.ts";

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

function isUnderMaintenance({ failures, pausedUntil }: ChannelHealth, now: Date): boolean {
  return failures >= FAILURES_IN_A_ROW && pausedUntil !== undefined && pausedUntil > now;
}

type Wanted = {
  channels: Channel[];
  limit: number;
  now: Date;
  leaseUntil: Date;
  /** The lowest priority to claim. */
  lowestPriority: number | undefined;
};

/** A delivery claimed by this worker: its row at that time, and the lease token. */
export type Claim = {
  delivery: Delivery;
  leaseToken: string;
  /** The single delivery that tests whether a paused channel works again. */
  isProbe: boolean;
};

/** Claims what may be sent now; for a failed channel whose pause is over, only a single probe. */
export async function claimOpen(
  { transaction }: Pick<NotificationDeps, "transaction">,
  { channels: wanted, limit, now, leaseUntil, lowestPriority }: Wanted,
): Promise<Claim[]> {
  async function claim({ deliveries }: NotificationStore, channels: Channel[], most: number): Promise<Delivery[]> {
    return channels.length === 0 ? [] : deliveries.claimDue(channels, most, now, leaseUntil, lowestPriority);
  }
  const claimOf = (delivery: Delivery, isProbe: boolean) => ({
    delivery,
    leaseToken: delivery.leaseToken ?? "",
    isProbe,
  });

  const { failing, open } = await transaction(async (store) => {
    const failing = (await store.channels.listFailing()).filter(
      ({ failures, pausedUntil }) => failures >= FAILURES_IN_A_ROW || (pausedUntil !== undefined && pausedUntil > now),
    );
    const open = wanted.filter((channel) => !failing.some((health) => health.channel === channel));
    return { failing, open: await claim(store, open, limit) };
  }, "autocommit");
  const claimed = open.map((delivery) => claimOf(delivery, false));
  for (const { channel, pausedUntil } of failing) {
    if (claimed.length >= limit || !wanted.includes(channel)) continue;
    if (pausedUntil !== undefined && pausedUntil > now) continue;
    const probes = await transaction(async (store) => {
      const probed = await store.channels.takeProbe(channel, now, new Date(now.getTime() + PROBE_MS));
      return probed ? claim(store, [channel], 1) : [];
    });
    claimed.push(...probes.map((delivery) => claimOf(delivery, true)));
  }
  return claimed;
}

/** Records the channel's health; returns for how many milliseconds it is paused. */
export async function recordHealth(
  { channels }: NotificationStore,
  { delivery: { recipient }, isProbe }: Claim,
  outcome: Outcome,
  now: Date,
): Promise<number> {
  const { channel } = recipient;
  const failed = outcome.kind === "misconfigured" || (outcome.kind === "retry" && outcome.scope === "channel");
  if (!failed) {
    await channels.recover(channel);
    return 0;
  }
  const rests = (await channels.listFailing()).some(
    (health) => health.channel === channel && isUnderMaintenance(health, now),
  );
  // Deliveries that were in progress when the circuit opened carry no new information.
  if (rests && !isProbe) return 0;
  // No worker calls a provider before the time it asked for.
  const wish = outcome.kind === "retry" ? (outcome.afterMs ?? 0) : 0;
  const pause = Math.max(pauseAfter(await channels.countFailure(channel)), Math.min(wish, LONGEST_WISH_MS));
  if (pause > 0) await channels.pause(channel, new Date(now.getTime() + pause));
  return pause;
}
