import type { Channel } from "../../shared/contacts.ts";
import type { Delivery, Tally } from "../ports.ts";
import { bucketOf } from "./latency.ts";

/** Rows per day and channel. */
const SLOTS = 8;

/** What a message's end says of the service. */
export type Measured = {
  /** A test, or of a drill: it says nothing. */
  madeUp?: boolean;
  /** When that which it tells was detected; absent where it tells of nothing detected at that moment. */
  detectedAt?: Date | undefined;
};

/** YYYY-MM-DD, in UTC. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

/** The same for the same message, and even over many. */
function slotOf(id: string): number {
  return Number.parseInt(id.slice(-2), 16) % SLOTS;
}

function endOf({ state, reason }: Delivery): Tally["end"] | undefined {
  if (state === "sent") return "accepted";
  if (state === "dead") return reason === "refused" ? "refused" : "failed";
  // It was worth nothing any more before it could leave.
  return state === "cancelled" && reason === "expired" ? "failed" : undefined;
}

/**
 * The figure that a message leaves when it ends; none while it has not, or where somebody did not want it any more. Time
 * runs from detection; where its reader wanted it later (quiet hours, the digest's hour, a contact confirmed late), from
 * then. All else counts as ours: queues, retries, a provider's limits.
 */
export function tallyOf(delivery: Delivery, { madeUp = false, detectedAt }: Measured = {}): Tally | undefined {
  const { id, endedAt, inDoubt, wantedAt, recipient } = delivery;
  const end = endOf(delivery);
  if (madeUp || end === undefined || endedAt === undefined || delivery.about.kind === "test") return undefined;
  const start = detectedAt && Math.max(detectedAt.getTime(), wantedAt?.getTime() ?? 0);
  const isTimed = end === "accepted" && start !== undefined;
  return {
    ...{ day: dayOf(endedAt), channel: recipient.channel, slot: slotOf(id), end },
    inDoubt: end === "accepted" && inDoubt,
    bucket: isTimed ? bucketOf(endedAt.getTime() - start) : undefined,
  };
}

/** Of messages that nobody needs any more, unsent. */
export function tallyOfExpired(expired: { id: string; channel: Channel }[], now: Date): Tally[] {
  return expired.map(({ id, channel }) => ({
    ...{ day: dayOf(now), channel, slot: slotOf(id), end: "failed", inDoubt: false, bucket: undefined },
  }));
}
