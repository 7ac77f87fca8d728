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
/** Pushover treats faster retries as abuse. */
const SHORTEST_RETRY_MS = 5000;
const GIVE_UP_AFTER_MS = 72 * HOUR_MS;
const INTERRUPTED_AFTER_MS = 30_000;
/** A row claimed this often without an outcome is assumed to crash its worker. Renewing the lease of a slow send lowers the count. */
export const MAX_CLAIMS = 5;
/** After this many crashes a delivery is tried alone, so that it does not take others with it until all are held. */
export const SUSPECT_CLAIMS = 2;

/** The priority of log-in codes. */
export const CODES = 0;
const SECURITY_LANE = 1;
/** The lowest priority, so that it does not delay alerts. */
const LOWEST_PRIORITY = 3;
const DIGEST_LANE = 4;
const LANE: Partial<Record<About["kind"], number>> = {
  login_code: CODES,
  alert: 2,
  alerts: 2,
  worse: 2,
  report: LOWEST_PRIORITY,
  digest: DIGEST_LANE,
  invitation: LOWEST_PRIORITY,
  invitation_reminder: LOWEST_PRIORITY,
  consent_answered: LOWEST_PRIORITY,
  consent_given: LOWEST_PRIORITY,
  watching_stopped: LOWEST_PRIORITY,
  watching_resumed: LOWEST_PRIORITY,
  monthly_summary: DIGEST_LANE,
  letter_due: LOWEST_PRIORITY,
  domain_findings: LOWEST_PRIORITY,
  domain_notice: LOWEST_PRIORITY,
  domain_news: LOWEST_PRIORITY,
  ...Object.fromEntries(
    [...PLAN_TEMPLATES, ...CHECKS_TEMPLATES, ...SUPPORT_TEMPLATES].map((template) => [template, LOWEST_PRIORITY]),
  ),
};

/** Lower numbers go first. */
export function priorityOf({ kind }: About): number {
  return LANE[kind] ?? SECURITY_LANE;
}

type Parts = {
  subject: string;
  recipient: ContactAddress;
  language: Language;
  about: About;
  contactId?: string | undefined;
  accountId?: string | undefined;
  sealed?: string | undefined;
  notAfter?: Date | undefined;
  turn?: Date;
};

/** `host` is the part of message ids after the @. */
type NewDelivery = Parts & { id: string; host: string; now: Date };

export type MakeDelivery = (parts: Parts) => Delivery;

export function deliveryMaker(deps: { publicUrl: string; newId: () => string; now: () => Date }): MakeDelivery {
  const host = new URL(deps.publicUrl).hostname;
  return (parts) => newDelivery({ ...parts, id: deps.newId(), host, now: deps.now() });
}

/** A delivery that is due immediately. */
export function newDelivery({ id, host, recipient, now, ...rest }: NewDelivery): Delivery {
  return {
    contactId: undefined,
    accountId: undefined,
    sealed: undefined,
    notAfter: undefined,
    ...rest,
    id,
    recipient: { channel: recipient.channel, value: recipient.value },
    lane: priorityOf(rest.about),
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

/** Messages to the contacts of an address or a domain. They contain no secret, so they can be sent again. */
export const FOR_CONTACTS: About["kind"][] = [
  "alert",
  "alerts",
  "worse",
  "report",
  "digest",
  "test",
  "letter_due",
  "domain_findings",
];

/** Whether it is sent to any confirmed contact; all other messages are for one particular person. */
export function isForContacts({ about }: Delivery): boolean {
  return FOR_CONTACTS.includes(about.kind);
}

/** The delivery as its contact's state holds or cancels it; undefined if that allows it. */
export function suppressed(
  delivery: Delivery,
  contact: Contact | undefined,
  { lastResort, now }: { lastResort: boolean; now: Date },
): Delivery | undefined {
  if (delivery.contactId === undefined) return undefined;
  // Only the contact is checked; a missing account is handled where it is looked up.
  if (!contact) return cancelled(delivery, "contact_removed", now);
  if (contact.state === "unsubscribed") return cancelled(delivery, "unsubscribed", now);
  // The account's own address is tried even if broken, as nobody else is left.
  if (contact.state === "broken" && !lastResort) return cancelled(delivery, "contact_broken", now);
  return contact.state === "unconfirmed" && isForContacts(delivery) ? held(delivery, "unconfirmed") : undefined;
}

const NO_LEASE = { leaseToken: undefined, leaseUntil: undefined, claims: 0 };

export function held(delivery: Delivery, reason: HeldReason): Delivery {
  return { ...delivery, ...NO_LEASE, state: "held", reason };
}

/** Reasons that the reader chose. */
export const READERS_REASONS: HeldReason[] = ["unconfirmed", "digest", "quiet"];

/** Holds the delivery until its contact wants it. */
export function postponed(delivery: Delivery, { reason, until }: { reason: HeldReason; until: Date }): Delivery {
  return { ...held(delivery, reason), runAt: until, wantedAt: until };
}

export function cancelled(delivery: Delivery, reason: CancelReason, now: Date): Delivery {
  return { ...delivery, ...NO_LEASE, state: "cancelled", reason, endedAt: now, sealed: undefined };
}

function dead(delivery: Delivery, reason: DeadReason, now: Date): Delivery {
  return { ...delivery, ...NO_LEASE, state: "dead", reason, endedAt: now, sealed: undefined };
}

/** Nothing was sent: back into the queue, without counting an attempt. */
export function interrupted(delivery: Delivery, now: Date): Delivery {
  const runAt = new Date(now.getTime() + INTERRUPTED_AFTER_MS);
  return { ...delivery, ...NO_LEASE, state: "due", reason: "interrupted", runAt, turn: runAt };
}

/** Interrupted while sending: in doubt, and due immediately for another process. */
export function abandoned(delivery: Delivery, now: Date): Delivery {
  return { ...interrupted(delivery, now), inDoubt: true, runAt: now, turn: now };
}

/**
 * The delay after `attempts` failures: the provider's Retry-After, or the back-off schedule with full jitter. Once the schedule
 * is exhausted, Retry-After is only the minimum: a provider that asks for a second for days is not called every second.
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
  // A channel outage does not count against the delivery's own time limit.
  if (outcome.kind === "misconfigured" && outcome.scope === "channel")
    return { ...held(delivery, "misconfigured"), failingSince: undefined };
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
  const isOver = now.getTime() - failed.failingSince.getTime() >= GIVE_UP_AFTER_MS;
  if (outcome.kind === "misconfigured") {
    if (isOver || outcome.scope === "message") return held(failed, "misconfigured");
    return retried(failed, retryDelay(delivery.attempts, undefined, random), now);
  }
  const inDoubt = failed.inDoubt || outcome.inDoubt === true;
  if (isOver) return dead({ ...failed, inDoubt }, "gave_up", now);
  return retried({ ...failed, inDoubt }, retryDelay(delivery.attempts, outcome.afterMs, random), now);
}

function retried(delivery: Delivery, afterMs: number, now: Date): Delivery {
  const runAt = new Date(now.getTime() + afterMs);
  return { ...delivery, state: "due", reason: "retry", runAt, turn: runAt };
}
