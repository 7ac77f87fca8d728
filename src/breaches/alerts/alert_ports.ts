import type { AlertSort, Direction, HandleReason } from "../../shared/alert.ts";
import type { BreachFlag } from "../../shared/breach.ts";

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
  /** Why it was handled, if its account said so; gone once it is pending again. */
  reason: HandleReason | undefined;
  note: string | undefined;
  /** What was advised and has been done. */
  steps: string[];
  /** When its breach was last seen to have become worse. */
  worsenedAt: Date | undefined;
  /** Grows with every change; a change names the version it saw. */
  version: number;
};

/** An alert as far as its account may see it: without `details` only that there is one. */
export type SeenAlert = Alert & { details: boolean };
/** An address in a breach, however many watch it, and which sources say so. */
export type Exposure = { breachName: string; foundAt: Date; sources: string[] };

/** What a source says of one address; without names it only asks for what is known already. */
export type Finding = { address: string; breachNames: string[] };

/** Without a `ranking` (names from the least to the most grave) all breaches are as serious as each other. */
export type AlertOrder = { by: AlertSort; direction: Direction; ranking?: string[] };

export type AlertFilter = {
  state?: "pending" | "handled";
  /** Part of the address, or of the breach's title or domain where its details may be seen. */
  search?: string;
  address?: string;
  /** Only of these, and only where details may be seen. */
  breachNames?: string[];
  handledAfter: Date;
  /** Newest first without one; alerts that tell nothing of their breach are ordered as if nothing were known of it. */
  order?: AlertOrder;
};

/** To which state, and what is said about it. */
export type AlertTurn = { state: Alert["state"]; reason: HandleReason | undefined; note: string | undefined; at: Date };

/** A breach with the account's alerts of it that may tell of it: when the first was raised, and how many are pending. */
export type TouchingBreach = {
  /** YYYY-MM-DD; undefined, without data or flags, while no catalogue explains it. */
  breachDate: string | undefined;
  dataClasses: string[];
  flags: BreachFlag[];
  raisedAt: Date;
  pending: number;
};

/** Reads alerts, and only within the scope that the owner of the address has set. */
export type AlertReader = {
  find(accountId: string, id: string): Promise<SeenAlert | undefined>;
  /** Those of these alerts that are the account's. */
  findAll(accountId: string, ids: string[]): Promise<SeenAlert[]>;
  listByIds(ids: string[]): Promise<SeenAlert[]>;
  /** Newest first, at most `limit`. */
  listByAssociation(associationId: string, handledAfter: Date, limit: number): Promise<SeenAlert[]>;
  /**
   * Newest first unless the filter orders otherwise; those of one check by when their breach became known, the latest
   * first. Equals keep one order from page to page. `total` counts what the filter leaves, `pending` all that waits.
   */
  list(
    accountId: string,
    filter: AlertFilter,
    offset: number,
    limit: number,
  ): Promise<{ alerts: SeenAlert[]; total: number; pending: number }>;
  /** All that `list` would give, in its order. */
  listIds(accountId: string, filter: AlertFilter): Promise<string[]>;
  /** How many alerts the table shows of each breach, where its details may be seen. */
  countByBreach(accountId: string, handledAfter: Date): Promise<{ breachName: string; count: number }[]>;
  /** The same by address, in the order of the addresses, whatever may be seen. */
  countByAddress(accountId: string, handledAfter: Date): Promise<{ address: string; count: number }[]>;
  /** The breaches in the table of which details may be seen, each once and in any order; `undisclosed` counts the other alerts. */
  listTouching(accountId: string, handledAfter: Date): Promise<{ breaches: TouchingBreach[]; undisclosed: number }>;
  /** What was raised or became worse last. */
  latest(accountId: string, handledAfter: Date, limit: number): Promise<SeenAlert[]>;
  /** All that is pending, and how many of them were raised or became worse after `since`; without it, all. */
  countNews(accountId: string, since: Date | undefined): Promise<{ pending: number; fresh: number }>;
  countPending(accountId: string): Promise<number>;
  /** Raised from `from` on and before `to`, whatever became of them. */
  countRaised(accountId: string, from: Date, to: Date): Promise<number>;
};

export type OpenCount = { associationId: string; open: number; version: number };

export type AlertRepository = AlertReader & {
  /**
   * Stores the exposures of these addresses, each with the `source` that found it, and one alert per (association that is
   * not suspended, exposure within its scope), in set operations; returns the new alerts only. Until the transaction ends,
   * nobody else suspends or removes these associations' watches.
   */
  addMissing(findings: Finding[], now: Date, source?: string): Promise<Alert[]>;
  /** Newest first; all that is known of the address, for its owner. */
  listExposures(address: string, limit: number): Promise<Exposure[]>;
  /** Of all the account's alerts of this address, handled ones too; each once. */
  listBreachNames(accountId: string, address: string): Promise<string[]>;
  /** Those of the first check, by association; nothing where it found none. */
  listBaselineIds(associationIds: string[]): Promise<Map<string, string[]>>;
  /**
   * Turns those whose version is still the stored one, and returns these as they are then. Whoever turns several takes
   * them in one order, so that nobody waits for somebody who waits for them. What is handled already keeps its date.
   */
  turn(alerts: Pick<Alert, "id" | "version">[], turn: AlertTurn): Promise<Alert[]>;
  /** Ticks a step of the account's alert, or unticks it, whatever else is ticked at that moment; undefined without such an alert. */
  tick(accountId: string, id: string, step: { name: string; done: boolean }): Promise<string[] | undefined>;
  removeByAssociation(associationId: string): Promise<void>;
  /**
   * Counts the pending alerts of each association under a lock, with a growing version. The ids are given in order,
   * as two that count the same associations wait for each other.
   */
  countOpen(associationIds: string[]): Promise<OpenCount[]>;
};

/** Up to when each account has looked at its bell. */
export type SeenRepository = {
  find(accountId: string): Promise<Date | undefined>;
  /** Never goes back. */
  mark(accountId: string, until: Date): Promise<void>;
  remove(accountId: string): Promise<void>;
};
