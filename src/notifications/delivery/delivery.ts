import type { ContactAddress } from "../../shared/contacts.ts";
import type { Language } from "../../shared/language.ts";
import { DAY_MS } from "../contacts/contact.ts";
import { CHECKS_TEMPLATES } from "../messages/checks_message.ts";
import { PLAN_TEMPLATES } from "../messages/plan_message.ts";
import { SUPPORT_TEMPLATES } from "../messages/support_message.ts";
import type { About, CancelReason, Contact, DeadReason, Delivery, HeldReason, Outcome } from "../ports.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RETRY_AFTER_MS = [30_000, 2 * MINUTE_MS, 10 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS];
const LAST_RETRY_AFTER_MS = 6 * HOUR_MS;
/** Pushover counts what comes sooner as abuse; the others do not mind. */
const SHORTEST_RETRY_MS = 5000;
const GIVE_UP_AFTER_MS = 72 * HOUR_MS;
const INTERRUPTED_AFTER_MS = 30_000;
/** A row that was claimed this often without any outcome takes its worker down with it. */
export const MAX_CLAIMS = 5;
/** What so many workers died with is tried alone: what kills must not take the same others along until all are parked. */
export const SUSPECT_CLAIMS = 2;

const SECURITY_LANE = 1;
/** What nobody waits for must not hold up an alert. */
const LAST_LANE = 3;
const DIGEST_LANE = 4;
const LANE: Partial<Record<About["kind"], number>> = {
  login_code: 0,
  alert: 2,
  alerts: 2,
  worse: 2,
  report: LAST_LANE,
  digest: DIGEST_LANE,
  invitation: LAST_LANE,
  invitation_reminder: LAST_LANE,
  consent_answered: LAST_LANE,
  consent_given: LAST_LANE,
  watching_stopped: LAST_LANE,
  watching_resumed: LAST_LANE,
  monthly_summary: DIGEST_LANE,
  ...Object.fromEntries(
    [...PLAN_TEMPLATES, ...CHECKS_TEMPLATES, ...SUPPORT_TEMPLATES].map((template) => [template, LAST_LANE]),
  ),
};

/** The lower goes first. */
export function laneOf({ kind }: About): number {
  return LANE[kind] ?? SECURITY_LANE;
}

type NewDelivery = {
  id: string;
  /** The part of message ids after the @. */
  host: string;
  subject: string;
  recipient: ContactAddress;
  language: Language;
  about: About;
  now: Date;
  contactId?: string | undefined;
  accountId?: string | undefined;
  sealed?: string | undefined;
  notAfter?: Date | undefined;
  turn?: Date;
};

/** A message that is to be sent at once. */
export function newDelivery({ id, host, recipient, now, ...rest }: NewDelivery): Delivery {
  return {
    contactId: undefined,
    accountId: undefined,
    sealed: undefined,
    notAfter: undefined,
    ...rest,
    id,
    recipient: { channel: recipient.channel, value: recipient.value },
    lane: laneOf(rest.about),
    messageId: `<${id}@${host}>`,
    state: "due",
    reason: undefined,
    runAt: now,
    turn: rest.turn ?? now,
    createdAt: now,
    endedAt: undefined,
    claims: 0,
    attempts: 0,
    failingSince: undefined,
    inDoubt: false,
    providerId: undefined,
    receipt: undefined,
    acknowledgedAt: undefined,
    wantedAt: undefined,
    gatheredIn: undefined,
    leaseToken: undefined,
    leaseUntil: undefined,
  };
}

/** What is told without having been asked for at that moment. */
export const STOPPABLE: About["kind"][] = ["alert", "alerts", "worse", "report", "digest", "test"];

/** Alerts and reports, which their reader can stop; all else is mail that somebody has just asked for. */
export function canBeStopped({ about }: Delivery): boolean {
  return STOPPABLE.includes(about.kind);
}

/** What the contact's state means for a delivery to it: send, or a reason to wait or to leave it. */
export function suppressionReason(
  delivery: Delivery,
  contact: Contact | undefined,
  lastResort: boolean,
): { held: HeldReason } | { cancelled: CancelReason } | undefined {
  if (delivery.contactId === undefined) return undefined;
  // Only the contact: what goes with an account is decided where the account itself is not found.
  if (!contact) return { cancelled: "contact_removed" };
  if (contact.state === "unsubscribed") return { cancelled: "unsubscribed" };
  // The account's own address is tried even so: there is nobody else left to tell.
  if (contact.state === "broken" && !lastResort) return { cancelled: "contact_broken" };
  if (contact.state === "unconfirmed" && canBeStopped(delivery)) return { held: "unconfirmed" };
  return undefined;
}

const NO_LEASE = { leaseToken: undefined, leaseUntil: undefined, claims: 0 };

export function held(delivery: Delivery, reason: HeldReason): Delivery {
  return { ...delivery, ...NO_LEASE, state: "held", reason };
}

/** What waits for these reasons waits because its reader wants it so. */
export const READERS_REASONS: HeldReason[] = ["unconfirmed", "digest", "quiet"];

/** Until its contact wants it. */
export function postponed(delivery: Delivery, { reason, until }: { reason: HeldReason; until: Date }): Delivery {
  return { ...held(delivery, reason), runAt: until, wantedAt: until };
}

export function cancelled(delivery: Delivery, reason: CancelReason, now: Date): Delivery {
  return { ...delivery, ...NO_LEASE, state: "cancelled", reason, endedAt: now, sealed: undefined };
}

function dead(delivery: Delivery, reason: DeadReason, now: Date): Delivery {
  return { ...delivery, ...NO_LEASE, state: "dead", reason, endedAt: now, sealed: undefined };
}

/** Nothing was sent and nobody is to blame: back into the queue. */
export function interrupted(delivery: Delivery, now: Date): Delivery {
  const runAt = new Date(now.getTime() + INTERRUPTED_AFTER_MS);
  return { ...delivery, ...NO_LEASE, state: "due", reason: "interrupted", runAt, turn: runAt };
}

/** Given up in the middle: it may have been sent, and another process goes on with it at once. */
export function abandoned(delivery: Delivery, now: Date): Delivery {
  return { ...interrupted(delivery, now), inDoubt: true, runAt: now, turn: now };
}

/**
 * How long to wait after `attempts` failures: the provider's wish, or the schedule with full jitter. Once the schedule
 * is used up, a wish is only the least: a provider that says "in a second" for days is not asked every second.
 */
export function retryDelay(attempts: number, afterMs: number | undefined, random: number): number {
  const scheduled = Math.max(SHORTEST_RETRY_MS, Math.round((RETRY_AFTER_MS[attempts] ?? LAST_RETRY_AFTER_MS) * random));
  if (afterMs === undefined) return scheduled;
  const wish = Math.min(HOUR_MS, Math.max(1000, afterMs));
  return attempts < RETRY_AFTER_MS.length ? wish : Math.max(wish, scheduled);
}

type Circumstances = {
  now: Date;
  random: number /** The recipient has refused on an earlier day too. */;
  refusesForGood: boolean;
};

/** The row after a provider's answer. */
export function afterOutcome(
  delivery: Delivery,
  outcome: Outcome,
  { now, random, refusesForGood }: Circumstances,
): Delivery {
  if (outcome.kind === "misconfigured") return held(delivery, "misconfigured");
  const tried: Delivery = { ...delivery, ...NO_LEASE, attempts: delivery.attempts + 1 };
  if (outcome.kind === "delivered")
    return {
      ...tried,
      state: "sent",
      reason: undefined,
      providerId: outcome.providerId,
      receipt: outcome.receipt,
      endedAt: now,
      sealed: undefined,
    };
  const failed = { ...tried, failingSince: tried.failingSince ?? now };
  if (outcome.kind === "dead") {
    if (outcome.cause === "message") return dead(failed, "rejected", now);
    if (refusesForGood || outcome.forGood || delivery.contactId === undefined) return dead(failed, "refused", now);
    const tomorrow = new Date(now.getTime() + DAY_MS);
    return { ...failed, state: "due", reason: "refused", runAt: tomorrow, turn: tomorrow };
  }
  const inDoubt = failed.inDoubt || outcome.inDoubt === true;
  if (now.getTime() - failed.failingSince.getTime() >= GIVE_UP_AFTER_MS)
    return dead({ ...failed, inDoubt }, "gave_up", now);
  const runAt = new Date(now.getTime() + retryDelay(delivery.attempts, outcome.afterMs, random));
  return { ...failed, state: "due", reason: "retry", inDoubt, runAt, turn: runAt };
}
