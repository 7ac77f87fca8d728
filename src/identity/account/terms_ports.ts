/** What an account has said yes to, and when; one row a version, which stays. */
export type TermsAcceptance = { accountId: string; version: string; acceptedAt: Date };

export type TermsAcceptanceRepository = {
  /** One conditional write: true for the one caller that added it. */
  add(acceptance: TermsAcceptance): Promise<boolean>;
  /** Newest first; none where it is not known what was accepted. */
  list(accountId: string): Promise<TermsAcceptance[]>;
};
