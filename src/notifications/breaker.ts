import { CHANNELS, type Channel } from "../shared/contacts.ts";
import type { Delivery, NotificationStore, Outcome } from "./ports.ts";

const FAILURES_IN_A_ROW = 5;
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 10 * 60_000;
const PROBE_MS = 60_000;
const LONGEST_WISH_MS = 60 * 60_000;

/** How long a channel rests after this many failures in a row; 0 while it is still trusted. */
export function pauseAfter(failures: number): number {
  if (failures < FAILURES_IN_A_ROW) return 0;
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - FAILURES_IN_A_ROW, 10));
}

type Wanted = {
  limit: number;
  now: Date;
  leaseUntil: Date;
  /** Nothing of the lanes behind it. */
  lastLane: number | undefined;
};

/** Claims what may be sent now: of a channel that failed, after its pause, a single delivery to try it with. */
export async function claimOpen(
  { deliveries, channels }: NotificationStore,
  { limit, now, leaseUntil, lastLane }: Wanted,
): Promise<Delivery[]> {
  const failing = (await channels.listFailing()).filter(
    ({ failures, pausedUntil }) => failures >= FAILURES_IN_A_ROW || (pausedUntil !== undefined && pausedUntil > now),
  );
  const open = CHANNELS.filter((channel) => !failing.some((health) => health.channel === channel));
  const claimed = open.length > 0 ? await deliveries.claimDue(open, limit, now, leaseUntil, lastLane) : [];
  for (const { channel, pausedUntil } of failing) {
    if (claimed.length >= limit || (pausedUntil !== undefined && pausedUntil > now)) continue;
    const probed = await channels.takeProbe(channel, now, new Date(now.getTime() + PROBE_MS));
    if (probed) claimed.push(...(await deliveries.claimDue([channel], 1, now, leaseUntil, lastLane)));
  }
  return claimed;
}

/** Remembers how the channel itself did; returns for how many milliseconds it now rests. */
export async function recordHealth(
  { channels }: NotificationStore,
  channel: Channel,
  outcome: Outcome,
  now: Date,
): Promise<number> {
  const failed = outcome.kind === "misconfigured" || (outcome.kind === "retry" && outcome.scope === "channel");
  if (!failed) {
    await channels.recover(channel);
    return 0;
  }
  // A provider that names a time is not asked before it, by anybody.
  const wish = outcome.kind === "retry" ? (outcome.afterMs ?? 0) : 0;
  const pause = Math.max(pauseAfter(await channels.countFailure(channel)), Math.min(wish, LONGEST_WISH_MS));
  if (pause > 0) await channels.pause(channel, new Date(now.getTime() + pause));
  return pause;
}
