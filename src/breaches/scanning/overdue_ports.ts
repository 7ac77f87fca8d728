import type { Language } from "../../shared/language.ts";

/** An account as one writes to it. */
export type Reader = { email: string; language: Language; verified: boolean };

/** What an account should know of: addresses that no source has checked, though each was to be asked long ago. */
export type Overdue = {
  accountId: string;
  addresses: number;
  /** When the first of them should have been checked at the latest. */
  since: Date;
};

/** One incident of an account: from the first look that met it to the last check that was missing. */
export type StaleNotice = {
  accountId: string;
  seenAt: Date;
  /** Undefined as long as it may be over before anybody need hear of it. */
  toldAt: Date | undefined;
  since: Date;
  addresses: number;
};

/** A page of incidents; in `over` are those whose addresses have all been checked since, or are watched no longer. */
export type StalePage = { notices: StaleNotice[]; over: { accountId: string; isWatching: boolean }[] };

export type StaleRepository = {
  /** Whether any check at all is due since `before`: mostly not, and then no account needs to be looked at. */
  isAnythingDue(sources: string[], before: Date): Promise<boolean>;
  /** Accounts that watch something, by id, behind `after`. */
  listAccounts(after: string | undefined, limit: number): Promise<string[]>;
  /** Of these accounts, those with addresses that all their sources should have been asked for before `before`. */
  listOverdue(accountIds: string[], sources: string[], before: Date): Promise<Overdue[]>;
  /** Begins the incidents that are new. */
  see(overdue: Overdue[], at: Date): Promise<void>;
  /** Those of the accounts that were first seen so by `seenBefore`, and were not told. */
  listUntold(accountIds: string[], seenBefore: Date): Promise<string[]>;
  /** Of these accounts. */
  list(accountIds: string[]): Promise<StaleNotice[]>;
  /** By account, behind `after`. */
  page(after: string | undefined, limit: number, sources: string[], now: Date): Promise<StalePage>;
  /** True for the one caller that is to tell the account. */
  tell(overdue: Overdue, at: Date): Promise<boolean>;
  /** Ends the incident; returns it to the one caller that did so. */
  end(accountId: string): Promise<StaleNotice | undefined>;
};
