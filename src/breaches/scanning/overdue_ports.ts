import type { Language } from "../../shared/language.ts";

/** An account's data for mails. */
export type Reader = { email: string; language: Language; verified: boolean };

/** Addresses of an account that no source has checked, though each was due long ago. */
export type Overdue = {
  accountId: string;
  addresses: number;
  /** The latest time by which the first of them should have been checked. */
  since: Date;
};

/** An incident of an account: from the first time that overdue checks were noticed until all have been made up for. */
export type StaleNotice = {
  accountId: string;
  seenAt: Date;
  /** Undefined until the account is notified, as the incident may end before. */
  toldAt: Date | undefined;
  since: Date;
  addresses: number;
};

/** A page of incidents; `over` holds those whose addresses have all been checked since, or are no longer tracked. */
export type StalePage = { notices: StaleNotice[]; over: { accountId: string; isWatching: boolean }[] };

export type StaleRepository = {
  /** Whether any check has been due since `before`: usually not, which saves looking at each account. */
  isAnythingDue(sources: string[], before: Date): Promise<boolean>;
  /** Accounts that track something, by id, after `after`. */
  listAccounts(after: string | undefined, limit: number): Promise<string[]>;
  /** Those of these accounts with addresses that have been due with all their sources since before `before`. */
  listOverdue(accountIds: string[], sources: string[], before: Date): Promise<Overdue[]>;
  /** Starts incidents for accounts without one. */
  see(overdue: Overdue[], at: Date): Promise<void>;
  list(accountIds: string[]): Promise<StaleNotice[]>;
  /** By account, after `after`. */
  page(after: string | undefined, limit: number, sources: string[], now: Date): Promise<StalePage>;
  /** True for the one caller that is to notify the account. */
  tell(overdue: Overdue, at: Date): Promise<boolean>;
  /** Ends the incident; returns it to the one caller that did so. */
  end(accountId: string): Promise<StaleNotice | undefined>;
};
