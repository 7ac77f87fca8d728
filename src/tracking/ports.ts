import type { EventPublisher } from "../events/catalogue.ts";
import type { ConsentScope } from "../shared/consent.ts";
import type { ContactAddress } from "../shared/contacts.ts";
import type { Language } from "../shared/language.ts";
import type { Cipher, HashToken, Mac, NewToken } from "../shared/secrets.ts";
import type { StrangerMailRepository } from "../shared/stranger_mail.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { AliasDirectory, AliasRepository } from "./alias_ports.ts";
import type { Association, AssociationStatus } from "./association.ts";

/** What an account may change of an association without its owner. */
export type Settings = Pick<Association, "language" | "contacts" | "paused">;

/** The number of an association's pending alerts. */
export type OpenAlerts = { associationId: string; open: number; version: number };

/** `attention`: breached ones by number of pending alerts, then active, inactive and safe ones; ties from the oldest. */
export type AssociationOrder = "oldest" | "attention";

/** A requested page of associations with consent; `search` is a part of the address. */
export type AskedPage = {
  accountId: string;
  search: string;
  status: AssociationStatus | "all";
  order: AssociationOrder;
  offset: number;
};

/** An account's associations as shown on the dashboard. */
export type AssociationList = {
  /** The page, in the requested order. */
  associations: Association[];
  /** How many match the filter. */
  total: number;
  /** How many there are, including those that await consent, as they count against the cap. */
  used: number;
  /** Those with consent, regardless of the filter. */
  counts: Record<AssociationStatus, number>;
  /** Associations with consent and pending alerts, and the number of these alerts, regardless of the filter. */
  waiting: { addresses: number; alerts: number };
};

export type AssociationRepository = {
  /** Locks the account for writers: before counting and adding, and before writing several of its associations. */
  lockAccount(accountId: string): Promise<void>;
  /** False when the account tracks the address already. */
  add(association: Association): Promise<boolean>;
  find(accountId: string, id: string): Promise<Association | undefined>;
  findByAddress(accountId: string, address: string): Promise<Association | undefined>;
  listByIds(ids: string[]): Promise<Association[]>;
  listByAccount(accountId: string): Promise<Association[]>;
  /** Those of any account that have consent, oldest first. */
  listWatching(address: string): Promise<Association[]>;
  /** A page of at most `limit` for each request, in their order. */
  list(asked: AskedPage[], limit: number): Promise<AssociationList[]>;
  /** Includes those that await consent, as they count against the cap. */
  countByAccount(accountId: string): Promise<number>;
  /** Those of the addresses that the account tracks, or awaits consent for. */
  listTracked(accountId: string, addresses: string[]): Promise<string[]>;
  /** Throws when the account tracks one of them already. */
  addAll(associations: Association[]): Promise<void>;
  saveSettings(accountId: string, id: string, settings: Settings): Promise<void>;
  /** Those verified as their account's own, by id. */
  listOwn(after: string | undefined, limit: number): Promise<Association[]>;
  /** Marks it as the account's own. */
  prove(accountId: string, id: string): Promise<void>;
  /**
   * Ignored, and undefined, when `version` is not newer than the stored one or the address is verified. Returns the former state.
   */
  grant(id: string, scope: ConsentScope, version: number): Promise<Association | undefined>;
  /** Sets which ones are kept when the plan does not cover all; replaces the former choice. */
  setPreferred(accountId: string, ids: string[]): Promise<void>;
  setSuspended(id: string, suspended: boolean): Promise<void>;
  /** Ignored where `version` is not newer than the stored one. */
  setOpenAlerts(counts: OpenAlerts[]): Promise<void>;
  remove(accountId: string, id: string): Promise<Association | undefined>;
  /** Returns those that existed. */
  removeAll(accountId: string, ids: string[]): Promise<Association[]>;
  /** Stores when the plan last changed; false for a change older than the stored one. */
  noteEntitlement(accountId: string, changedAt: Date): Promise<boolean>;
  forgetAccount(accountId: string): Promise<void>;
};

export type TrackingStore = {
  associations: AssociationRepository;
  aliases: AliasRepository;
  strangerMail: StrangerMailRepository;
  events: EventPublisher;
};

/** The account whose aliases are confirmed by mail. */
export type AliasAsker = {
  email: string;
  language: Language;
  firstName: string;
  lastName: string;
  /** Keyed hash of the network it last signed in from. */
  network?: string | undefined;
};

/** By address; `dueAt` is set where a check is planned. */
export type CheckTimes = Map<string, { checkedAt: Date | undefined; dueAt: Date | undefined }>;
export type ContactState = ContactAddress & { state: "unconfirmed" | "active" | "unsubscribed" | "broken" };

export type TrackingDeps = {
  transaction: Transaction<TrackingStore>;
  /** Implemented by billing: the account's current entitlement. */
  planGate: { of(accountId: string): Promise<{ active: boolean; cap: number | null }> };
  /** Implemented by identity: the account's own address, once it is verified. */
  ownAddress: { of(accountId: string): Promise<string | undefined> };
  /** Implemented by identity: the same for several accounts; those without are left out. */
  ownAddresses: { of(accountIds: string[]): Promise<Map<string, string>> };
  /** Resolves when all handlers have processed the events of this association, so that the next request sees their effects. */
  drainFor(associationId: string): Promise<void>;
  /** Implemented by breaches. */
  checks: { of(addresses: string[]): Promise<CheckTimes> };
  /** Implemented by breaches: since when the account's checks have been overdue, if it was notified. */
  lateChecks: { since(accountId: string): Promise<Date | undefined> };
  /** Implemented by notifications: whether the account's limit allows these additional contacts. */
  contactRoom: { has(accountId: string, contacts: ContactAddress[]): Promise<boolean> };
  contactStates: { of(accountId: string, addresses: ContactAddress[]): Promise<ContactState[]> };
  /** Implemented by invitations: when the owner of this address, who refused this account, may be asked again. */
  consentGate: { of(accountId: string, addresses: string[]): Promise<Map<string, Date>> };
  /** Implemented by identity. */
  people: { of(accountId: string): Promise<AliasAsker | undefined> };
  /** Implemented by identity: the account that has verified this email. */
  mailboxOwners: { of(email: string): Promise<string | undefined> };
  aliasDirectory: AliasDirectory;
  newToken: NewToken;
  hashToken: HashToken;
  mac: Mac;
  cipher: Cipher;
  newId: () => string;
  now: () => Date;
};
