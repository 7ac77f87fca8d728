import type { EventPublisher } from "../events/catalogue.ts";
import type { AlertFacts } from "../shared/breach.ts";
import type { BreachChange } from "../shared/breach_change.ts";
import type { AlertRoute, Channel, ContactAddress } from "../shared/contacts.ts";
import type { Language } from "../shared/language.ts";
import type { Result } from "../shared/result.ts";
import type { HashToken, Mac, NewToken, Seal } from "../shared/secrets.ts";
import type { StrangerMailRepository } from "../shared/stranger_mail.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { DeliveryRepository } from "./delivery/delivery_ports.ts";
import type { WaitingRepository } from "./delivery/schedule_ports.ts";
import type { MessageSender } from "./messages/message_ports.ts";
import type { ReceiptRepository } from "./pushover/receipt_ports.ts";
import type { DeskRepository } from "./reporting/delivery_admin_ports.ts";
import type { LedgerRepository } from "./reporting/delivery_log_ports.ts";
import type { TallyRepository } from "./reporting/tally_ports.ts";
import type { SummaryFactsOf, SummaryRepository } from "./summaries/summary_ports.ts";
import type { TelegramBot, TelegramRepository } from "./telegram/telegram_ports.ts";

export type * from "./delivery/delivery_ports.ts";
export type * from "./delivery/schedule_ports.ts";
export type * from "./messages/message_ports.ts";
export type * from "./pushover/receipt_ports.ts";
export type * from "./reporting/delivery_admin_ports.ts";
export type * from "./reporting/delivery_log_ports.ts";
export type * from "./reporting/tally_ports.ts";
export type * from "./summaries/summary_ports.ts";
export type * from "./telegram/telegram_ports.ts";

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
  settings: ContactSettings;
  /** What its provider calls it, such as a name in Telegram. */
  label: string | undefined;
  /** Telegram: the chat that messages go to, once its person has pressed Start. */
  chatId: string | undefined;
  /** Grows with every change; a change names the version it saw. */
  version: number;
};

/** What its owner chose for one contact; absent: as everybody has it. */
export type ContactSettings = {
  /** Pushover: only to this device; several with commas between. */
  device?: string;
  /** Pushover: the most serious alerts repeat until somebody has seen them. */
  emergency?: boolean;
  /** Nothing on a lock screen names a service, an address or a category. */
  discreet?: boolean;
  /** Instead of the one that each address's alerts are written in. */
  language?: Language;
  /** Alerts below this seriousness wait for the daily digest; "always": all but the critical ones. */
  digestBelow?: "medium" | "high" | "critical" | "always";
  /** 0 to 23, in `zone`. */
  digestHour?: number;
  /** "HH:MM" in `zone`; what is not critical waits for its end. */
  quiet?: { from: string; to: string };
  /** IANA name of a time zone; absent: UTC. */
  zone?: string;
  /** Webhook: the signing secret, sealed; absent until its owner was shown one. */
  secret?: string;
  /** What the provider said when the contact was added: the devices behind it. */
  devices?: string[];
};

/** Where a contact of an account may be. */
export type ContactPlace = ContactAddress & { accountId: string };

export type ContactRepository = {
  /** False when the account has this contact already, or `most` of them, however many are added at a time. */
  add(contact: Contact, most?: number): Promise<boolean>;
  count(accountId: string): Promise<number>;
  find(id: string): Promise<Contact | undefined>;
  listByIds(ids: string[]): Promise<Contact[]>;
  findByConfirmHash(hash: string): Promise<Contact | undefined>;
  list(accountId: string): Promise<Contact[]>;
  /** Those of all accounts that go to this chat. */
  listByChat(chatId: string): Promise<Contact[]>;
  /** Those of the account at these addresses. */
  listAt(accountId: string, addresses: ContactAddress[]): Promise<Contact[]>;
  /** How the contacts at these places stand, each of its own account. */
  statesAt(places: ContactPlace[]): Promise<(ContactPlace & { state: ContactState })[]>;
  /** The contacts at these places, each of its own account; none of them changes before this transaction ends. */
  lockAt(places: ContactPlace[]): Promise<Contact[]>;
  /** Those of all these accounts; none of them changes before this transaction ends. */
  listLocked(accountIds: string[]): Promise<Contact[]>;
  /** Writes the contact if `contact.version` is still the stored one. */
  replace(contact: Contact): Promise<boolean>;
  remove(id: string): Promise<void>;
  removeByAccount(accountId: string): Promise<void>;
  /** Confirmation mails to one address over all accounts; `mark` stands for the address and outlives its account. */
  countConfirmations(mark: string, since: Date): Promise<number>;
  /** Remembers one more. */
  countMark(mark: string, at: Date): Promise<void>;
  /** The same, and forgets all from before `since`. */
  addConfirmation(mark: string, at: Date, since: Date): Promise<void>;
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
  ledger: LedgerRepository;
  desk: DeskRepository;
  waiting: WaitingRepository;
  receipts: ReceiptRepository;
  telegram: TelegramRepository;
  summaries: SummaryRepository;
  tallies: TallyRepository;
  strangerMail: StrangerMailRepository;
  events: EventPublisher;
};

/** Asked of tracking: where the alerts of associations go; one that is gone has no route. */
export type AlertRoutes = { of(associationIds: string[]): Promise<AlertRoute[]> };
/** Asked of breaches: what alerts tell; one that is gone has no facts. */
export type AlertFactsOf = { of(alertIds: string[]): Promise<AlertFacts[]> };
/** Asked of breaches: what became different about a breach. */
export type BreachChanges = { of(changeId: string): Promise<BreachChange | undefined> };
export type Account = { email: string; language: Language; firstName: string; verified: boolean };
/** Asked of identity. */
export type Accounts = {
  of(accountId: string): Promise<Account | undefined>;
  /** Several at once; one that is gone is missing. */
  listOf(accountIds: string[]): Promise<(Account & { id: string })[]>;
};
/** Asked of breaches: handling an alert as its account does; `version` is the state that was seen. */
export type AlertHandling = {
  handle(accountId: string, alertId: string, version: number): Promise<Result<unknown, "NOT_FOUND" | "ALERT_CHANGED">>;
};
/** Asked of tracking: where the alerts of all the account's associations go. */
export type ContactUses = { of(accountId: string): Promise<AlertRoute[]> };
/** Asked of tracking and identity: takes a contact off all that names it. */
export type ContactRemoval = {
  from(accountId: string, contact: ContactAddress): Promise<Result<unknown, "CONTACT_IS_LAST">>;
};
/** Asked of tracking and identity: all that the account tracks tells this contact, too, and so will what comes next. */
export type ContactAdoption = { by(accountId: string, contact: ContactAddress): Promise<void> };
/** Asked of invitations: whether the question that this link answers is still open, and no later mail replaces it. */
export type OpenQuestions = { has(token: string): Promise<boolean> };
/** Whose alert it is: the account hears of it itself when no contact can be told. */
export type AlertAudience = { route: AlertRoute; account: Account };

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
  /** Nothing new but codes is taken up meanwhile. */
  isUnderMaintenance?: (() => boolean) | undefined;
  transaction: Transaction<NotificationStore>;
  senders: Partial<Record<Channel, MessageSender>>;
  alertRoutes: AlertRoutes;
  alertFacts: AlertFactsOf;
  breachChanges: BreachChanges;
  alertHandling: AlertHandling;
  contactUses: ContactUses;
  contactRemoval: ContactRemoval;
  contactAdoption: ContactAdoption;
  summaryFacts: SummaryFactsOf;
  /** None where Telegram is not set up. */
  telegramBot?: TelegramBot | undefined;
  accounts: Accounts;
  openQuestions: OpenQuestions;
  translate: Translate;
  /** The configured address of this installation, without a slash at its end: every link starts with it. */
  publicUrl: string;
  /** Where people can write to for help. */
  supportEmail: string;
  /** The breach sources that are asked here; messages credit them where they tell of no breach. */
  sources: string[];
  now: () => Date;
  newId: () => string;
  newToken: NewToken;
  hashToken: HashToken;
  mac: Mac;
  seal: Seal;
  /** Between 0 and 1, for the jitter of retries. */
  random: () => number;
  /** Before the next thing that a job does: people who ask now go first. */
  yieldToRequests?: () => Promise<void> | undefined;
  /** Tells the operator of something that went wrong. */
  report: (error: unknown, context: Record<string, unknown>) => void;
  /** How long one send may take; shorter than the lease. */
  sendTimeoutMs?: number;
};
