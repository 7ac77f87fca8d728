import type { EventPublisher } from "../events/catalogue.ts";
import type { AlertFacts } from "../shared/breach.ts";
import type { BreachChange } from "../shared/breach_change.ts";
import type { AlertRoute, Channel, ContactAddress } from "../shared/contacts.ts";
import type { Language } from "../shared/language.ts";
import type { Result } from "../shared/result.ts";
import type { StrangerMailRepository } from "../shared/stranger_mail.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { DeliveryRepository } from "./delivery/delivery_ports.ts";
import type { WaitingRepository } from "./delivery/schedule_ports.ts";
import type { MessageSender } from "./messages/message_ports.ts";
import type { ReceiptRepository } from "./pushover/receipt_ports.ts";
import type { DeliveryAdminRepository } from "./reporting/delivery_admin_ports.ts";
import type { DeliveryLogRepository } from "./reporting/delivery_log_ports.ts";
import type { StatsRepository } from "./reporting/tally_ports.ts";
import type { SummaryRepository } from "./summaries/summary_ports.ts";
import type { TelegramRepository } from "./telegram/telegram_ports.ts";
import type { PushKeyRepository } from "./webpush/webpush_ports.ts";

export type * from "./delivery/delivery_ports.ts";
export type * from "./delivery/schedule_ports.ts";
export type * from "./messages/message_ports.ts";
export type * from "./pushover/receipt_ports.ts";
export type * from "./reporting/delivery_admin_ports.ts";
export type * from "./reporting/delivery_log_ports.ts";
export type * from "./reporting/tally_ports.ts";
export type * from "./summaries/summary_ports.ts";
export type * from "./telegram/telegram_ports.ts";
export type * from "./webpush/webpush_ports.ts";

/** `unconfirmed` awaits confirmation by its owner; `broken` has refused permanently. */
export type ContactState = "unconfirmed" | "active" | "unsubscribed" | "broken";

/** A recipient of one account: unique by (account, channel, canonical value). */
export type Contact = ContactAddress & {
  id: string;
  accountId: string;
  language: Language;
  state: ContactState;
  /** Hash of the token in its confirmation mail; undefined before that is written. */
  confirmHash: string | undefined;
  confirmExpiresAt: Date | undefined;
  confirmedAt: Date | undefined;
  /** When it first refused permanently, without a success since. */
  refusedAt: Date | undefined;
  createdAt: Date;
  settings: ContactSettings;
  /** The provider's name for it, such as a name in Telegram. */
  label: string | undefined;
  /** Telegram: the chat for messages, once its person has pressed Start. */
  chatId: string | undefined;
  /** Optimistic lock: incremented by every change. */
  version: number;
};

/** Settings of a contact; missing ones have their default. */
export type ContactSettings = {
  /** Pushover: only to these devices, separated by commas. */
  device?: string;
  /** Pushover: critical alerts repeat until they are acknowledged. */
  emergency?: boolean;
  /** Telegram: the topic of a group. */
  thread?: number;
  /** Previews on lock screens name no service, address or category. */
  discreet?: boolean;
  /** Overrides the language of the address's alerts. */
  language?: Language;
  /** Alerts below this severity wait for the daily digest; "always": all but the critical ones. */
  digestBelow?: "medium" | "high" | "critical" | "always";
  /** 0 to 23, in `zone`. */
  digestHour?: number;
  /** "HH:MM" in `zone`; everything but critical alerts waits until its end. */
  quiet?: { from: string; to: string };
  /** IANA name of a time zone; defaults to UTC. */
  zone?: string;
  /** Encrypted. Webhook: the signing secret, undefined until its owner has seen one. Web Push: the subscription. */
  secret?: string;
  /** The devices that the provider reported when the contact was added. */
  devices?: string[];
};

/** A channel address of an account, with or without a contact. */
export type ContactPlace = ContactAddress & { accountId: string };

export type ContactRepository = {
  /** False when the account has this contact already, or has `most` contacts, even with concurrent additions. */
  add(contact: Contact, most?: number): Promise<boolean>;
  count(accountId: string): Promise<number>;
  find(id: string): Promise<Contact | undefined>;
  listByIds(ids: string[]): Promise<Contact[]>;
  findByConfirmHash(hash: string): Promise<Contact | undefined>;
  list(accountId: string): Promise<Contact[]>;
  /** Those of all accounts with this chat. */
  listByChat(chatId: string): Promise<Contact[]>;
  /** Those of the account at these addresses. */
  listAt(accountId: string, addresses: ContactAddress[]): Promise<Contact[]>;
  /** The states of the contacts at these places, each of its own account. */
  statesAt(places: ContactPlace[]): Promise<(ContactPlace & { state: ContactState })[]>;
  /** The contacts at these places, each of its own account, with row locks until the end of the transaction. */
  lockAt(places: ContactPlace[]): Promise<Contact[]>;
  /** Those of all these accounts, with row locks until the end of the transaction. */
  listLocked(accountIds: string[]): Promise<Contact[]>;
  /** Optimistic lock: writes only if `contact.version` is still the stored one, otherwise returns false. */
  replace(contact: Contact): Promise<boolean>;
  remove(id: string): Promise<void>;
  removeByAccount(accountId: string): Promise<void>;
  /** Confirmation requests to a recipient over all accounts; `mark` is an HMAC of the recipient, as it outlives accounts. */
  countConfirmations(mark: string, since: Date): Promise<number>;
  /** Counts one more. */
  countMark(mark: string, at: Date): Promise<void>;
  /** Counts one more, and removes those before `since`. */
  addConfirmation(mark: string, at: Date, since: Date): Promise<void>;
};

/** A channel's circuit breaker: after repeated failures of the channel nothing is sent for a while. */
export type ChannelHealth = {
  channel: Channel;
  failures: number;
  pausedUntil: Date | undefined;
  /** Of the last failure. */
  reason: string | undefined;
};

export type ChannelRepository = {
  /** Channels with failures; all others are healthy. */
  listFailing(): Promise<ChannelHealth[]>;
  /** Counts a consecutive failure, which makes at least `atLeast` of them; returns the new number. */
  countFailure(channel: Channel, reason: string, atLeast?: number): Promise<number>;
  pause(channel: Channel, until: Date): Promise<void>;
  /** After a pause, lets one caller probe the channel: true for that one, and for all others the pause lasts until `until`. */
  takeProbe(channel: Channel, now: Date, until: Date): Promise<boolean>;
  /** Closes the circuit; returns the failures that were counted. */
  recover(channel: Channel): Promise<number>;
};

export type PaceRepository = {
  /** Books `count` slots, `spacingMs` apart and after all others of the channel; returns the first, in milliseconds. */
  take(channel: Channel, count: number, spacingMs: number, now: Date): Promise<number>;
};

export type NotificationStore = {
  contacts: ContactRepository;
  deliveries: DeliveryRepository;
  channels: ChannelRepository;
  pace: PaceRepository;
  deliveryLog: DeliveryLogRepository;
  deliveryAdmin: DeliveryAdminRepository;
  waiting: WaitingRepository;
  receipts: ReceiptRepository;
  telegram: TelegramRepository;
  summaries: SummaryRepository;
  pushKeys: PushKeyRepository;
  stats: StatsRepository;
  strangerMail: StrangerMailRepository;
  events: EventPublisher;
};

/** Implemented by tracking: the alert routes of associations; removed ones have none. */
export type AlertRoutes = { of(associationIds: string[]): Promise<AlertRoute[]> };
/** Implemented by breaches: the facts of alerts; removed ones have none. */
export type AlertFactsOf = { of(alertIds: string[]): Promise<AlertFacts[]> };
/** Implemented by breaches: a change of a breach. */
export type BreachChanges = { of(changeId: string): Promise<BreachChange | undefined> };
export type Account = {
  email: string;
  language: Language;
  firstName: string;
  verified: boolean;
  /** Keyed hash of the network it last signed in from. */
  network?: string | undefined;
};
/** Asked of identity. */
export type Accounts = {
  of(accountId: string): Promise<Account | undefined>;
  /** Several accounts; deleted ones are left out. */
  listOf(accountIds: string[]): Promise<(Account & { id: string })[]>;
};
/** Implemented by breaches: marks an alert as handled; `version` is the version that was seen. */
export type AlertHandling = {
  handle(accountId: string, alertId: string, version: number): Promise<Result<unknown, "NOT_FOUND" | "ALERT_CHANGED">>;
};
/** Implemented by tracking: the alert routes of all the account's associations. */
export type ContactUses = { of(accountId: string): Promise<AlertRoute[]> };
/** Implemented by tracking and identity: removes a contact from everything that uses it. */
export type ContactRemoval = {
  from(accountId: string, contact: ContactAddress): Promise<Result<unknown, "CONTACT_IS_LAST">>;
};
/** Implemented by tracking and identity: adds this contact to everything that the account tracks now and later. */
export type ContactAdoption = { by(accountId: string, contact: ContactAddress): Promise<void> };
/** Implemented by invitations: whether the request behind this link is open and not replaced by a later mail. */
export type OpenQuestions = { has(token: string): Promise<boolean> };
/** The audience of an alert: the account itself is notified when no contact can be. */
export type AlertAudience = { route: AlertRoute; account: Account };

export type TextParams = Record<string, string | number | Date>;
/**
 * Texts of `locales/<language>/<topic>.json`; `key` is `<topic>.<key>`. Dates and numbers are localized, in UTC. Throws for a
 * missing key, which `has` checks.
 */
export type Translate = {
  (language: Language, key: string, params?: TextParams): string;
  has(language: Language, key: string): boolean;
};

/** What most factories need: the module's store, and the clock. */
export type StoreAndClock = { transaction: Transaction<NotificationStore>; now: () => Date };
/** What texts are written with. `publicUrl` is the base of every link, without a trailing slash. */
export type Texts = { translate: Translate; publicUrl: string };
export type Senders = Partial<Record<Channel, MessageSender>>;
/** Tells the operator what happened, by ids alone. */
export type Note = (says: string, context: Record<string, unknown>) => void;
/** Reports an error to the operator. */
export type Report = (error: unknown, context: Record<string, unknown>) => void;
