export type Alert = {
  id: string;
  associationId: string;
  accountId: string;
  address: string;
  breachName: string;
  state: "pending" | "handled";
  /** Raised by the first check of its association. */
  baseline: boolean;
  raisedAt: Date;
  handledAt: Date | undefined;
  /** Grows with every change; a change names the version it saw. */
  version: number;
};

/** An alert as far as its account may see it: without `details` only that there is one. */
export type SeenAlert = Alert & { details: boolean };
/** An address in a breach, however many watch it, and which sources say so. */
export type Exposure = { breachName: string; foundAt: Date; sources: string[] };

export type AlertFilter = { state?: "pending" | "handled"; search?: string; handledAfter: Date };

export type AlertRepository = {
  /**
   * Stores the exposures of an address and one alert per (association that is not suspended, exposure within its scope);
   * returns the new alerts only. Until the transaction ends, nobody else suspends or removes these associations' watches.
   */
  addMissing(address: string, breachNames: string[], now: Date): Promise<Alert[]>;
  /** The same for all exposures of many addresses at once. */
  addMissingOf(addresses: string[], now: Date): Promise<Alert[]>;
  /** Like all that reads alerts, only within the scope that the owner of the address has set. */
  find(accountId: string, id: string): Promise<SeenAlert | undefined>;
  listByIds(ids: string[]): Promise<SeenAlert[]>;
  /** Newest first, at most `limit`. */
  listByAssociation(associationId: string, handledAfter: Date, limit: number): Promise<SeenAlert[]>;
  /** Newest first; all that is known of the address, for its owner. */
  listExposures(address: string, limit: number): Promise<Exposure[]>;
  /** Newest first; those of one check by when their breach became known, the latest first. */
  list(
    accountId: string,
    filter: AlertFilter,
    offset: number,
    limit: number,
  ): Promise<{ alerts: SeenAlert[]; total: number }>;
  countPending(accountId: string): Promise<number>;
  /** Of all the account's alerts of this address, handled ones too; each once. */
  listBreachNames(accountId: string, address: string): Promise<string[]>;
  /** Those of the first check of an association. */
  listBaselineIds(associationId: string): Promise<string[]>;
  /** Writes the state if `alert.version` is still the stored one; returns the stored alert, or undefined. */
  setState(alert: Alert, state: Alert["state"], now: Date): Promise<Alert | undefined>;
  removeByAssociation(associationId: string): Promise<void>;
  /** Counts the association's pending alerts under a lock, with a growing version. */
  countOpen(associationId: string): Promise<{ open: number; version: number }>;
  /** Forgets exposures of an address that nobody watches any more. */
  removeExposures(address: string): Promise<void>;
};
