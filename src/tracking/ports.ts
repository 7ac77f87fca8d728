import type { EventPublisher } from "../events/catalogue.ts";
import type { ContactAddress } from "../shared/contacts.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { Association, AssociationStatus } from "./association.ts";

export type AssociationRepository = {
  /** One writer per account at a time, so that counting before adding is safe. */
  lockAccount(accountId: string): Promise<void>;
  /** False when the account tracks the address already. */
  add(association: Association): Promise<boolean>;
  find(accountId: string, id: string): Promise<Association | undefined>;
  findByAddress(accountId: string, address: string): Promise<Association | undefined>;
  listByIds(ids: string[]): Promise<Association[]>;
  listByAccount(accountId: string): Promise<Association[]>;
  /** Oldest first; `search` is a part of the address. */
  list(
    accountId: string,
    filter: { search: string; status: AssociationStatus | "all" },
    offset: number,
    limit: number,
  ): Promise<{ associations: Association[]; total: number }>;
  countByAccount(accountId: string): Promise<number>;
  setSuspended(id: string, suspended: boolean): Promise<void>;
  /** Ignored when `version` is not newer than the stored one. */
  setOpenAlerts(id: string, open: number, version: number): Promise<void>;
  remove(accountId: string, id: string): Promise<Association | undefined>;
  /** When the plan last changed, as far as this module has heard; an older change answers false. */
  noteEntitlement(accountId: string, changedAt: Date): Promise<boolean>;
  forgetAccount(accountId: string): Promise<void>;
};

export type TrackingStore = { associations: AssociationRepository; events: EventPublisher };

export type CheckTimes = Map<string, { checkedAt: Date | undefined; dueAt: Date }>;
export type ContactState = ContactAddress & { state: "unconfirmed" | "active" | "unsubscribed" | "broken" };

export type TrackingDeps = {
  transaction: Transaction<TrackingStore>;
  /** Asked of billing: what the account may do now. */
  planGate: { of(accountId: string): Promise<{ active: boolean; cap: number | null }> };
  /** Asked of identity: the account's own address, once it is proven. */
  ownAddress: { of(accountId: string): Promise<string | undefined> };
  /** Asked of breaches. */
  checks: { of(addresses: string[]): Promise<CheckTimes> };
  /** Asked of notifications. */
  contactStates: { of(accountId: string): Promise<ContactState[]> };
  newId: () => string;
  now: () => Date;
};
