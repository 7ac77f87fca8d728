import type { EventPublisher, MailRequested } from "../events/catalogue.ts";
import type { AlertFacts } from "../shared/breach.ts";
import type { AlertRoute, Channel, ContactAddress } from "../shared/contacts.ts";
import type { Language } from "../shared/language.ts";
import type { HashToken, Mac, NewToken, Seal } from "../shared/secrets.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { Content } from "./content.ts";

/** `unconfirmed` waits for its owner's yes; `broken` has refused for good. */
export type ContactState = "unconfirmed" | "active" | "unsubscribed" | "broken";

/** One place to send to, of one account: unique by (account, channel, canonical value). */
export type Contact = ContactAddress & {
  id: string;
  accountId: string;
  language: Language;
  state: ContactState;
  /** Hash of the token in its one confirmation mail; undefined while none was written. */
  confirmHash: string | undefined;
  confirmExpiresAt: Date | undefined;
  confirmedAt: Date | undefined;
  /** When it first refused for good, with no success since. */
  refusedAt: Date | undefined;
  createdAt: Date;
  /** Grows with every change; a change names the version it saw. */
  version: number;
};

export type ContactRepository = {
  /** False when the account has this contact already. */
  add(contact: Contact): Promise<boolean>;
  find(id: string): Promise<Contact | undefined>;
  findByConfirmHash(hash: string): Promise<Contact | undefined>;
  list(accountId: string): Promise<Contact[]>;
  /** Those of the account at these addresses. */
  listAt(accountId: string, addresses: ContactAddress[]): Promise<Contact[]>;
  /** The same, and none of them changes before this transaction ends. */
  listLocked(accountId: string): Promise<Contact[]>;
  /** Writes the contact if `contact.version` is still the stored one. */
  replace(contact: Contact): Promise<boolean>;
  removeByAccount(accountId: string): Promise<void>;
  /** Confirmation mails to one address over all accounts; `mark` stands for the address and outlives its account. */
  countConfirmations(mark: string, since: Date): Promise<number>;
  /** Remembers one more, and forgets all from before `since`. */
  addConfirmation(mark: string, at: Date, since: Date): Promise<void>;
};

/** What a delivery tells. The words are made when it is sent, from the facts of that moment. */
export type About =
  | { kind: "alert"; associationId: string; alertId: string }
  | { kind: "report"; associationId: string; alertIds: string[] }
  | { kind: "confirmation" }
  | { kind: MailRequested["template"]; params: Record<string, string> };

export type DeliveryState = "due" | "sending" | "sent" | "held" | "dead" | "cancelled";

/** Why a delivery waits, or ended without being sent. */
export type HeldReason = "unconfirmed" | "misconfigured" | "crash_loop" | "unrenderable";
export type CancelReason =
  | "unsubscribed"
  | "contact_broken"
  | "contact_removed"
  | "alert_gone"
  | "account_gone"
  | "already_settled"
  | "expired";
export type DeadReason = "refused" | "rejected" | "gave_up";
/** Why a delivery is due again. */
export type RetryReason = "refused" | "retry" | "interrupted";

/** One message to one contact: the ledger's row is the queue's row. Unique by (subject, channel, value). */
export type Delivery = {
  id: string;
  /** `alert:<id>`, `report:<association>`, `confirm:<contact>` or `mail:<hash>`. */
  subject: string;
  recipient: ContactAddress;
  contactId: string | undefined;
  accountId: string | undefined;
  language: Language;
  about: About;
  /** Secrets of its content, encrypted; wiped when it is sent, dead or cancelled. */
  sealed: string | undefined;
  notAfter: Date | undefined;
  /** 0 code, 1 confirmation and security, 2 alert, 3 report and consent: the lower goes first. */
  lane: number;
  /** Fixed at insert, so that a mail sent twice can be recognised as one. */
  messageId: string;
  state: DeliveryState;
  reason: HeldReason | CancelReason | DeadReason | RetryReason | undefined;
  runAt: Date;
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

export type Backlog = { due: number; oldestDueAt: Date | undefined; held: number; dead: number; inDoubt: number };

export type DeliveryRepository = {
  /** Adds those whose (subject, recipient) is new; returns the ids of these. */
  addMissing(deliveries: Delivery[]): Promise<string[]>;
  find(id: string): Promise<Delivery | undefined>;
  listBySubject(subject: string): Promise<Delivery[]>;
  /** Those of the subjects that have a delivery. */
  listKnownSubjects(subjects: string[]): Promise<string[]>;
  /**
   * Takes what is due or was left by a dead worker, lower lanes first, then the longest due: `sending`, one more
   * claim, a new lease; in doubt when it was `sending` already.
   */
  claimDue(channels: Channel[], limit: number, now: Date, leaseUntil: Date): Promise<Delivery[]>;
  /** Writes the row if `leaseToken` still holds it. A worker that lost its lease changes nothing. */
  replaceClaimed(leaseToken: string, delivery: Delivery): Promise<boolean>;
  /** Cancels what waits past its `notAfter` and wipes its secrets. */
  expire(now: Date): Promise<number>;
  /** Held for `reason`, of one contact or of all: due at once. */
  releaseHeld(reason: HeldReason, contactId: string | undefined, now: Date): Promise<number>;
  startAttempt(attempt: Attempt): Promise<void>;
  endAttempt(id: string, end: Pick<Attempt, "endedAt" | "outcome" | "detail">): Promise<void>;
  listAttempts(deliveryId: string): Promise<Attempt[]>;
  /** Oldest first, each with its attempts. */
  listByAccount(accountId: string, offset: number, limit: number): Promise<(Delivery & { tries: Attempt[] })[]>;
  /** With the attempts. */
  removeByAccount(accountId: string): Promise<void>;
  /** What has ended and belongs to no account, with the attempts: it would stay for ever. */
  removeUnowned(): Promise<void>;
  backlog(now: Date): Promise<Backlog>;
};

/** A channel's breaker: after repeated failures of the channel itself nothing is sent there for a while. */
export type ChannelHealth = { channel: Channel; failures: number; pausedUntil: Date | undefined };

export type ChannelRepository = {
  /** Channels with failures; all others are well. */
  listFailing(): Promise<ChannelHealth[]>;
  /** One more failure in a row; returns how many. */
  countFailure(channel: Channel): Promise<number>;
  pause(channel: Channel, until: Date): Promise<void>;
  /** After a pause, one caller may try: true for it, and the channel is paused until `until` for all others. */
  takeProbe(channel: Channel, now: Date, until: Date): Promise<boolean>;
  recover(channel: Channel): Promise<void>;
};

export type NotificationStore = {
  contacts: ContactRepository;
  deliveries: DeliveryRepository;
  channels: ChannelRepository;
  events: EventPublisher;
};

export type Message = {
  deliveryId: string;
  messageId: string;
  to: ContactAddress;
  content: Content;
  /** Where a mail program may POST to stop these messages (RFC 8058). */
  oneClickUrl?: string;
};

/** A provider's answer, in one vocabulary for all channels. `reason` never holds a secret. */
export type Outcome =
  | { kind: "delivered"; providerId?: string }
  /** Temporary. `inDoubt`: it may have been accepted, as the answer was lost. */
  | { kind: "retry"; scope: "contact" | "channel"; reason: string; afterMs?: number; inDoubt?: boolean }
  /** For good: the recipient is refused, or this one message is. */
  | { kind: "dead"; cause: "recipient" | "message"; reason: string }
  /** Our key, our sender address, our set-up: the operator has to act, the contact is not to blame. */
  | { kind: "misconfigured"; reason: string };

/** One channel's way out. Never throws for a provider's answer. */
export type MessageSender = {
  readonly channel: Channel;
  send(message: Message): Promise<Outcome>;
};

/** Asked of tracking: where the alerts of associations go; one that is gone has no route. */
export type AlertRoutes = { of(associationIds: string[]): Promise<AlertRoute[]> };
/** Asked of breaches: what alerts tell; one that is gone has no facts. */
export type AlertFactsOf = { of(alertIds: string[]): Promise<AlertFacts[]> };
export type Account = { email: string; language: Language; firstName: string; verified: boolean };
/** Asked of identity. */
export type Accounts = { of(accountId: string): Promise<Account | undefined> };
/** Asked of invitations: whether the question that this link answers is still open, and no later mail replaces it. */
export type OpenQuestions = { has(token: string): Promise<boolean> };
/** Whose alert it is: the account hears of it itself when no contact can be told. */
export type Told = { route: AlertRoute; account: Account };

export type TextParams = Record<string, string | number | Date>;
/**
 * Words of `locales/<language>/<topic>.json`; `key` is `<topic>.<key>`. Dates and numbers come out as people of that
 * language write them, in UTC. A missing key throws; `has` tells beforehand.
 */
export type Translate = {
  (language: Language, key: string, params?: TextParams): string;
  has(language: Language, key: string): boolean;
};

export type NotificationDeps = {
  transaction: Transaction<NotificationStore>;
  senders: Partial<Record<Channel, MessageSender>>;
  alertRoutes: AlertRoutes;
  alertFacts: AlertFactsOf;
  accounts: Accounts;
  openQuestions: OpenQuestions;
  translate: Translate;
  /** The configured address of this installation, without a slash at its end: every link starts with it. */
  publicUrl: string;
  /** Where people can write to for help. */
  supportEmail: string;
  now: () => Date;
  newId: () => string;
  newToken: NewToken;
  hashToken: HashToken;
  mac: Mac;
  seal: Seal;
  /** Between 0 and 1, for the jitter of retries. */
  random: () => number;
  /** Tells the operator of something that went wrong. */
  report: (error: unknown, context: Record<string, unknown>) => void;
  /** How long one send may take; shorter than the lease of 60 s. */
  sendTimeoutMs?: number;
};
