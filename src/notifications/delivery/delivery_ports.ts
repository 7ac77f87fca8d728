import type { Channel, ContactAddress } from "../../shared/contacts.ts";
import type { Language } from "../../shared/language.ts";
import type { About, Outcome } from "../messages/message_ports.ts";

export type DeliveryState = "due" | "sending" | "sent" | "held" | "dead" | "cancelled";

/** Why a delivery waits, or ended without being sent. */
export type HeldReason =
  | "unconfirmed"
  | "misconfigured"
  | "crash_loop"
  | "unrenderable"
  | "digest"
  | "quiet"
  /** Whoever runs this wants to look at it first. */
  | "operator";
export type CancelReason =
  | "unsubscribed"
  | "contact_broken"
  | "contact_removed"
  | "alert_gone"
  | "account_gone"
  | "already_settled"
  /** AlertAudience together with others, in one message. */
  | "gathered"
  | "expired";
export type DeadReason = "refused" | "rejected" | "gave_up";
/** Why a delivery is due again. */
export type RetryReason = "refused" | "retry" | "interrupted";

/** One message to one contact: the ledger's row is the queue's row. Unique by (subject, channel, value). */
export type Delivery = {
  id: string;
  /** `alert:<id>`, `alert:<id>:<change>`, `report:<association>`, `confirm:<contact>` or `mail:<hash>`. */
  subject: string;
  recipient: ContactAddress;
  contactId: string | undefined;
  accountId: string | undefined;
  language: Language;
  about: About;
  /** Secrets of its content, encrypted; wiped when it is sent, dead or cancelled. */
  sealed: string | undefined;
  notAfter: Date | undefined;
  /** 0 code, 1 confirmation and security, 2 alert, 3 report and consent, 4 digest: the lower goes first. */
  lane: number;
  /** Fixed at insert, so that a mail sent twice can be recognised as one. */
  messageId: string;
  state: DeliveryState;
  reason: HeldReason | CancelReason | DeadReason | RetryReason | undefined;
  /** Not before. */
  runAt: Date;
  /** Its place in the queue: later than its time where its account has many that wait. */
  turn: Date;
  createdAt: Date;
  endedAt: Date | undefined;
  /** Claims since the last recorded outcome. */
  claims: number;
  /** Recorded outcomes that count against the contact. */
  attempts: number;
  failingSince: Date | undefined;
  /** Somebody may have been told already: a worker died, or an answer was lost, after sending had begun. */
  inDoubt: boolean;
  providerId: string | undefined;
  /** Of an emergency. */
  receipt: string | undefined;
  /** When somebody said on a device that they have seen it; only emergencies ask. */
  acknowledgedAt: Date | undefined;
  /** From when on its reader wants it, where that is later than it was written. */
  wantedAt: Date | undefined;
  /** The message that tells this one together with others. */
  gatheredIn: string | undefined;
  leaseToken: string | undefined;
  leaseUntil: Date | undefined;
};

/** One try at sending: written before it starts, completed after it ended, never changed again. */
export type Attempt = {
  id: string;
  deliveryId: string;
  startedAt: Date;
  endedAt: Date | undefined;
  outcome: Outcome["kind"] | undefined;
  detail: string | undefined;
};

export type AttemptEnd = Pick<Attempt, "endedAt" | "outcome" | "detail">;

export type Backlog = { due: number; oldestDueAt: Date | undefined; held: number; dead: number; inDoubt: number };

export type DeliveryRepository = {
  /** Adds those whose (subject, recipient) is new; returns the ids of these. */
  addMissing(deliveries: Delivery[]): Promise<string[]>;
  find(id: string): Promise<Delivery | undefined>;
  listBySubject(subject: string): Promise<Delivery[]>;
  /** The last turn that each account's waiting messages have in this lane; an account without any is missing. */
  lastTurns(accountIds: string[], lane: number): Promise<Map<string, Date>>;
  /** Those of the subjects that have a delivery. */
  listKnownSubjects(subjects: string[]): Promise<string[]>;
  /** What a dead worker left is due again, in doubt. Of what several died with one at a time, until it has ended. How many that were. */
  reclaimExpired(now: Date): Promise<number>;
  /**
   * Takes what is due, lower lanes first, then by turn: `sending`, one more claim, a new lease. None of a lane behind
   * `lastLane`, if one is named.
   */
  claimDue(channels: Channel[], limit: number, now: Date, leaseUntil: Date, lastLane?: number): Promise<Delivery[]>;
  /** Writes the row if `leaseToken` still holds it. A worker that lost its lease changes nothing. */
  replaceClaimed(leaseToken: string, delivery: Delivery): Promise<boolean>;
  /** Writes what became of many, as above; what a message is stays as it was added. Returns the ids of those that were written. */
  replaceAllClaimed(claims: { leaseToken: string; delivery: Delivery }[]): Promise<string[]>;
  /** Cancels what waits past its `notAfter` and wipes its secrets; returns what it was. */
  expire(now: Date): Promise<{ id: string; channel: Channel }[]>;
  /** Held for `reason`, of one contact or of all: due at once; wanted from now on where its reader let it wait. */
  releaseHeld(reason: HeldReason, contactId: string | undefined, now: Date): Promise<number>;
  /** A sent message that came back: refused for good, or due again, to be told to somebody else. False when it is not sent. */
  returnSent(id: string, state: "dead" | "due", now: Date): Promise<boolean>;
  /** A dead one is due again, as if it were new; false when there is none. What it said in secret is gone. */
  reviveDead(id: string, now: Date): Promise<boolean>;
  startAttempt(attempt: Attempt): Promise<void>;
  /** Starts those whose delivery the lease token still holds; returns their ids. */
  startHeldAttempts(attempts: (Attempt & { leaseToken: string })[]): Promise<string[]>;
  endAttempt(id: string, end: AttemptEnd): Promise<void>;
  endAttempts(ends: (AttemptEnd & { id: string })[]): Promise<void>;
  listAttempts(deliveryId: string): Promise<Attempt[]>;
  /** Oldest first, each with its attempts. */
  listByAccount(accountId: string, offset: number, limit: number): Promise<(Delivery & { tries: Attempt[] })[]>;
  /** With the attempts. */
  removeByAccount(accountId: string): Promise<void>;
  /** All about this alert of the account, with the attempts. */
  removeByAlert(accountId: string, alertId: string): Promise<void>;
  /** What has ended and belongs to no account, with the attempts: it would stay for ever. */
  removeUnowned(): Promise<void>;
  backlog(now: Date): Promise<Backlog>;
};
