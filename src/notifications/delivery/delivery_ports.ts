import type { Channel, ContactAddress } from "../../shared/contacts.ts";
import type { Language } from "../../shared/language.ts";
import type { About, Outcome } from "../messages/message_ports.ts";

export type DeliveryState = "due" | "sending" | "sent" | "held" | "dead" | "cancelled";

/** Why a delivery is held, or ended without being sent. */
export type HeldReason =
  | "unconfirmed"
  | "misconfigured"
  | "crash_loop"
  | "unrenderable"
  | "digest"
  | "quiet"
  /** The operator wants to check it first. */
  | "operator";
export type CancelReason =
  | "unsubscribed"
  | "contact_broken"
  | "contact_removed"
  | "alert_gone"
  | "account_gone"
  | "already_settled"
  /** Sent together with others, in one message. */
  | "gathered"
  | "expired";
export type DeadReason = "refused" | "rejected" | "gave_up";
/** Why a delivery is due again. */
export type RetryReason = "refused" | "retry" | "interrupted";

/** One message to one contact: a row of both the delivery log and the queue. Unique by (subject, channel, value). */
export type Delivery = {
  id: string;
  /** `alert:<id>`, `alert:<id>:<change>`, `report:<association>`, `confirm:<contact>:<request>` or `mail:<hash>`. */
  subject: string;
  recipient: ContactAddress;
  contactId: string | undefined;
  accountId: string | undefined;
  language: Language;
  about: About;
  /** Encrypted secrets of the content; erased when it is sent, dead or cancelled. */
  sealed: string | undefined;
  notAfter: Date | undefined;
  /** Priority, lower first: 0 code, 1 confirmation and security, 2 alert, 3 report and consent, 4 digest. */
  lane: number;
  /** Fixed at insert, so that duplicates of a mail can be recognised. */
  messageId: string;
  state: DeliveryState;
  reason: HeldReason | CancelReason | DeadReason | RetryReason | undefined;
  /** The earliest time to send it. */
  runAt: Date;
  /** Queue position: later than its time if its account has many waiting messages. */
  turn: Date;
  createdAt: Date;
  endedAt: Date | undefined;
  /** Claims since the last recorded outcome. */
  claims: number;
  /** Recorded outcomes that count against the contact. */
  attempts: number;
  failingSince: Date | undefined;
  /** It may have been delivered already: a worker died, or an answer was lost, after sending had begun. */
  inDoubt: boolean;
  providerId: string | undefined;
  /** Receipt of an emergency message. */
  receipt: string | undefined;
  /** When an emergency was acknowledged on a device. */
  acknowledgedAt: Date | undefined;
  /** The earliest time that the reader wants it, if later than its creation. */
  wantedAt: Date | undefined;
  /** The message that includes this one. */
  gatheredIn: string | undefined;
  leaseToken: string | undefined;
  leaseUntil: Date | undefined;
};

/** One attempt at sending: inserted before it starts, completed when it ends, and then immutable. */
export type Attempt = {
  id: string;
  deliveryId: string;
  startedAt: Date;
  endedAt: Date | undefined;
  outcome: Outcome["kind"] | undefined;
  detail: string | undefined;
};

export type Backlog = {
  /** To be sent now. */
  due: number;
  /** Refused or failed before, and due again, now or later. */
  retrying: number;
  oldestDueAt: Date | undefined;
  held: number;
  dead: number;
  inDoubt: number;
};

export type DeliveryRepository = {
  /** Adds those whose (subject, recipient) is new; returns their ids. */
  addMissing(deliveries: Delivery[]): Promise<string[]>;
  find(id: string): Promise<Delivery | undefined>;
  listBySubject(subject: string): Promise<Delivery[]>;
  /** The last queue position of each account's waiting messages of this priority; accounts without any are missing. */
  lastQueuePositions(accountIds: string[], lane: number): Promise<Map<string, Date>>;
  /** The subjects that have a delivery. */
  listKnownSubjects(subjects: string[]): Promise<string[]>;
  /** Whether one of the account's messages of this priority has failed and waits for its next try. */
  hasFailing(accountId: string, lane: number): Promise<boolean>;
  /**
   * Makes deliveries with expired leases due again, in doubt; suspects that crashed several workers one at a time. Returns their
   * number.
   */
  reclaimExpired(now: Date): Promise<number>;
  /**
   * Claims due deliveries by priority and queue position: sets `sending`, one more claim, and a new lease. Skips priorities
   * behind `lowestPriority`, if given.
   */
  claimDue(
    channels: Channel[],
    limit: number,
    now: Date,
    leaseUntil: Date,
    lowestPriority?: number,
  ): Promise<Delivery[]>;
  /**
   * Extends these leases as far as their tokens still hold the rows. A slow suspect, whose worker is still alive, is no longer one:
   * otherwise a server that hangs would keep the other suspects waiting.
   */
  renewLeases(leases: { id: string; leaseToken: string; isSlow: boolean }[], leaseUntil: Date): Promise<void>;
  /** Writes the row if `leaseToken` still holds it; a worker that lost its lease changes nothing. */
  replaceClaimed(leaseToken: string, delivery: Delivery): Promise<boolean>;
  /** The same for many rows, outcomes only; returns the ids of those that were written. */
  replaceAllClaimed(claims: { leaseToken: string; delivery: Delivery }[]): Promise<string[]>;
  /** Cancels deliveries past their `notAfter` and erases their secrets; returns them. */
  expire(now: Date): Promise<{ id: string; channel: Channel }[]>;
  /**
   * Releases deliveries held for `reason`, of one contact or of all: due immediately, and wanted from now on where the reader
   * postponed them.
   */
  releaseHeld(reason: HeldReason, contactId: string | undefined, now: Date): Promise<number>;
  /**
   * Releases deliveries that a channel's failure holds (`misconfigured`, without a failure of their own), the longest waiting
   * first and at most `most`; returns their number.
   */
  releaseHeldByChannel(channel: Channel, now: Date, most?: number): Promise<number>;
  /**
   * After the channel's repair: releases the deliveries that its failures hold, and retries waiting ones now, each with a new
   * deadline; returns their number.
   */
  resume(channel: Channel, now: Date): Promise<number>;
  /** A sent message that bounced: permanently failed, or due again for another recipient. False when it is not sent. */
  returnSent(id: string, state: "dead" | "due", now: Date): Promise<boolean>;
  /** Makes a dead delivery due again, as if new; false when there is none. Its secrets are gone. */
  reviveDead(id: string, now: Date): Promise<boolean>;
  addAttempt(attempt: Attempt): Promise<void>;
  /** Starts attempts whose delivery the lease token still holds; returns their ids. */
  startHeldAttempts(attempts: (Attempt & { leaseToken: string })[]): Promise<string[]>;
  endAttempts(ends: Pick<Attempt, "id" | "endedAt" | "outcome" | "detail">[]): Promise<void>;
  listAttempts(deliveryId: string): Promise<Attempt[]>;
  /** Oldest first, each with its attempts. */
  listByAccount(accountId: string, offset: number, limit: number): Promise<(Delivery & { tries: Attempt[] })[]>;
  /** With the attempts. */
  removeByAccount(accountId: string): Promise<void>;
  /** All deliveries about this alert, with the attempts. */
  removeByAlert(accountId: string, alertId: string): Promise<void>;
  /** Ended deliveries without an account, created by then, with the attempts; nothing else would remove them. */
  removeUnowned(before: Date): Promise<void>;
  /** Up to `limit` deliveries that ended before, the oldest first, with their attempts; not the last one that reached a contact. */
  removeEnded(before: Date, limit: number): Promise<number>;
  backlog(now: Date): Promise<Backlog>;
};
