/** An acceptance of one version of the terms; rows are never changed. */
export type TermsAcceptance = { accountId: string; version: string; acceptedAt: Date };

export type TermsAcceptanceRepository = {
  /** Conditional write: true for the one caller that added it. */
  add(acceptance: TermsAcceptance): Promise<boolean>;
  /** Newest first; empty where it is unknown what was accepted. */
  list(accountId: string): Promise<TermsAcceptance[]>;
};
