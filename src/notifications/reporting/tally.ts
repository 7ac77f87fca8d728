import type { Channel } from "../../shared/contacts.ts";
import type { Delivery, DeliveryStat } from "../ports.ts";
import { bucketOf } from "./latency.ts";

/** Rows per day and channel, to avoid contention. */
const SLOTS = 8;

/** What the statistics need to know about an ended message. */
export type Measured = {
  /** A test or drill, which is not counted. */
  madeUp?: boolean;
  /** When its subject was detected; undefined if it was not triggered by a detection. */
  detectedAt?: Date | undefined;
};

/** YYYY-MM-DD, in UTC. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** Deterministic, and uniform over many ids. */
function slotOf(id: string): number {
  return Number.parseInt(id.slice(-2), 16) % SLOTS;
}

function endOf({ state, reason }: Delivery): DeliveryStat["end"] | undefined {
  if (state === "sent") return "accepted";
  if (state === "dead") return reason === "refused" ? "refused" : "failed";
  // It expired before it could be sent.
  return state === "cancelled" && reason === "expired" ? "failed" : undefined;
}

/**
 * The statistics entry of a message that has ended; undefined while it has not, or when it was no longer wanted. The time counts
 * from detection or, if the recipient wanted it later (quiet hours, digest hour, late confirmation), from then. Queues, retries
 * and provider limits count in full.
 */
export function statOf(delivery: Delivery, { madeUp = false, detectedAt }: Measured = {}): DeliveryStat | undefined {
  const { id, endedAt, inDoubt, wantedAt, recipient } = delivery;
  const end = endOf(delivery);
  if (madeUp || end === undefined || endedAt === undefined || delivery.about.kind === "test") return undefined;
  const start = detectedAt && Math.max(detectedAt.getTime(), wantedAt?.getTime() ?? 0);
  const isTimed = end === "accepted" && start !== undefined;
  return {
    day: dayOf(endedAt),
    channel: recipient.channel,
    slot: slotOf(id),
    end,
    inDoubt: end === "accepted" && inDoubt,
    bucket: isTimed ? bucketOf(endedAt.getTime() - start) : undefined,
  };
}

/** For messages that expired unsent. */
export function statsOfExpired(expired: { id: string; channel: Channel }[], now: Date): DeliveryStat[] {
  return expired.map(({ id, channel }) => ({
    day: dayOf(now),
    channel,
    slot: slotOf(id),
    end: "failed",
    inDoubt: false,
    bucket: undefined,
  }));
}
