import type { EventPublisher } from "../events/catalogue.ts";
import type { ConsentScope } from "../shared/consent.ts";
import type { ContactAddress } from "../shared/contacts.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { Association, AssociationStatus } from "./association.ts";

/** What an account may change of an association by itself. */
export type Settings = Pick<Association, "language" | "contacts" | "paused">;

/** How many alerts of an association are pending. */
export type OpenAlerts = { associationId: string; open: number; version: number };

/** `attention`: breached ones first, by how many alerts are open, then active, inactive and safe ones; equals from the oldest. */
export type AssociationOrder = "oldest" | "attention";

/** A page of those with consent that an account asks for; `search` is a part of the address. */
export type AskedPage = {
  accountId: string;
  search: string;
  status: AssociationStatus | "all";
  order: AssociationOrder;
  offset: number;
};

/** What an account's dashboard shows of all that it tracks. */
export type AssociationList = {
  /** Those of one page, in the order that was asked for. */
  associations: Association[];
  /** How many the filter leaves. */
  total: number;
  /** How many there are; pending ones included, as they count against the cap. */
  used: number;
  /** Those with consent, whatever the filter is. */
  counts: Record<AssociationStatus, number>;
  /** Of those with consent, whatever the filter is: how many have open alerts, and how many alerts these are. */
  waiting: { addresses: number; alerts: number };
};

export type AssociationRepository = {
  /** One writer per account at a time, so that counting before adding is safe. */
  lockAccount(accountId: string): Promise<void>;
  /** False when the account tracks the address already. */
  add(association: Association): Promise<boolean>;
  find(accountId: string, id: string): Promise<Association | undefined>;
  findByAddress(accountId: string, address: string): Promise<Association | undefined>;
  listByIds(ids: string[]): Promise<Association[]>;
  listByAccount(accountId: string): Promise<Association[]>;
  /** Those of any account that have consent, oldest first. */
  listWatching(address: string): Promise<Association[]>;
  /** A page of at most `limit` for each of these, in their order. */
  list(asked: AskedPage[], limit: number): Promise<AssociationList[]>;
  /** Pending ones included: they count against the cap. */
  countByAccount(accountId: string): Promise<number>;
  /** Those of the addresses that the account tracks, or waits for. */
  listTracked(accountId: string, addresses: string[]): Promise<string[]>;
  /** Throws when the account tracks one of them already. */
  addAll(associations: Association[]): Promise<void>;
  saveSettings(accountId: string, id: string, settings: Settings): Promise<void>;
  /** Those that are proven to be their account's own, by id. */
  listOwn(after: string | undefined, limit: number): Promise<Association[]>;
  /** It is the account's own now. */
  prove(accountId: string, id: string): Promise<void>;
  /** Ignored, and undefined, when `version` is not newer than the stored one or the address is proven. Returns what was stored before. */
  grant(id: string, scope: ConsentScope, version: number): Promise<Association | undefined>;
  /** These are kept when the plan does not cover all, and no others. */
  setPreferred(accountId: string, ids: string[]): Promise<void>;
  setSuspended(id: string, suspended: boolean): Promise<void>;
  /** Ignored where `version` is not newer than the stored one. */
  setOpenAlerts(counts: OpenAlerts[]): Promise<void>;
  remove(accountId: string, id: string): Promise<Association | undefined>;
  /** Returns those that were there. */
  removeAll(accountId: string, ids: string[]): Promise<Association[]>;
  /** When the plan last changed, as far as this module has heard; an older change answers false. */
  noteEntitlement(accountId: string, changedAt: Date): Promise<boolean>;
  forgetAccount(accountId: string): Promise<void>;
};

export type TrackingStore = { associations: AssociationRepository; events: EventPublisher };

/** By address; `dueAt` where a check is planned. */
export type CheckTimes = Map<string, { checkedAt: Date | undefined; dueAt: Date | undefined }>;
export type ContactState = ContactAddress & { state: "unconfirmed" | "active" | "unsubscribed" | "broken" };

export type TrackingDeps = {
  transaction: Transaction<TrackingStore>;
  /** Asked of billing: what the account may do now. */
  planGate: { of(accountId: string): Promise<{ active: boolean; cap: number | null }> };
  /** Asked of identity: the account's own address, once it is proven. */
  ownAddress: { of(accountId: string): Promise<string | undefined> };
  /** Asked of identity: the same for several accounts; one without is missing. */
  ownAddresses: { of(accountIds: string[]): Promise<Map<string, string>> };
  /** Resolves when everybody has heard what was told of this association: then what was done holds for the next request. */
  settled(associationId: string): Promise<void>;
  /** Asked of breaches. */
  checks: { of(addresses: string[]): Promise<CheckTimes> };
  /** Asked of breaches: since when the account's checks have been late, if it was told that they are. */
  lateChecks: { since(accountId: string): Promise<Date | undefined> };
  /** Asked of notifications: whether the account may have these contacts beside those that it has. */
  contactRoom: { has(accountId: string, contacts: ContactAddress[]): Promise<boolean> };
  contactStates: { of(accountId: string, addresses: ContactAddress[]): Promise<ContactState[]> };
  /** Asked of invitations: when the owner of this address, who said no to this account, may be asked again. */
  consentGate: { of(accountId: string, addresses: string[]): Promise<Map<string, Date>> };
  newId: () => string;
  now: () => Date;
};
