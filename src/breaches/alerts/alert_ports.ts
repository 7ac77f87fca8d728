import type { AlertSort, Direction, HandleReason, PasswordChange } from "../../shared/alert.ts";
import type { Breach } from "../catalogue/breach.ts";

export type Alert = {
  id: string;
  associationId: string;
  accountId: string;
  address: string;
  breachName: string;
  state: "pending" | "handled";
  /** Whether the first check of its association raised it. */
  baseline: boolean;
  raisedAt: Date;
  handledAt: Date | undefined;
  /** Why it was handled, if the account gave a reason; cleared once it is pending again. */
  reason: HandleReason | undefined;
  note: string | undefined;
  /** The advised steps that are done. */
  steps: string[];
  /** When its breach last escalated. */
  worsenedAt: Date | undefined;
  /** When the person last changed the password, if they answered. */
  changedSince: PasswordChange | undefined;
  /** Optimistic lock: incremented by every change. */
  version: number;
  /** The addresses under which the breach was found; empty if that is `address` alone. */
  variants: string[];
};

/** `again`: an alert that is pending and news once more, as its breach was found under another alias. */
export type RaisedAlert = Alert & { again?: true };

/** An alert as its account may see it; without `details` only its existence is disclosed, and nothing is known. */
export type SeenAlert = Alert & { details: boolean; known: KnownBreach | undefined };

/**
 * What is known of an alert's breach, which may be in no catalogue yet. `logo`: the name of its file. `sources`: those that found
 * it, under any of the alert's addresses.
 */
export type KnownBreach = { breach: Breach | undefined; logo: string | undefined; sources: string[] };

/** An address in a breach, regardless of who tracks it, with the sources that found it. */
export type Exposure = { breachName: string; foundAt: Date; sources: string[] };

/** A source's breaches of one address; without names it only raises alerts for what is known already. */
export type Finding = { address: string; breachNames: string[] };

/** `ranking` lists names by ascending severity; without it all breaches are equally severe. */
export type AlertOrder = { by: AlertSort; direction: Direction; ranking?: string[] };

export type AlertFilter = {
  state?: "pending" | "handled";
  /** Part of the address, of an alias, or of the breach's title, an earlier title, or domain if its details are disclosed. */
  search?: string;
  address?: string;
  /** Only these breaches, and only alerts with details. */
  breachNames?: string[];
  handledAfter: Date;
  /** Defaults to newest first; alerts without details are ordered as if nothing were known of the breach. */
  order?: AlertOrder;
};

/** The new state, with reason and note. */
export type AlertTransition = {
  state: Alert["state"];
  reason: HandleReason | undefined;
  note: string | undefined;
  at: Date;
};

/** Reads alerts within the scope set by the owner of the address. */
export type AlertReader = {
  find(accountId: string, id: string): Promise<SeenAlert | undefined>;
  /** Those of these alerts that belong to the account. */
  findAll(accountId: string, ids: string[]): Promise<SeenAlert[]>;
  listByIds(ids: string[]): Promise<SeenAlert[]>;
  /** Newest first, at most `limit`. */
  listByAssociation(associationId: string, handledAfter: Date, limit: number): Promise<SeenAlert[]>;
  /**
   * Newest first unless the filter orders otherwise; alerts of one check are ordered by when their breach became known, the
   * latest first. The order is stable across pages. `total` counts what matches the filter, `pending` everything pending.
   */
  list(
    accountId: string,
    filter: AlertFilter,
    offset: number,
    limit: number,
  ): Promise<{ alerts: SeenAlert[]; total: number; pending: number }>;
  /** The ids of everything that `list` returns, in its order. */
  listIds(accountId: string, filter: AlertFilter): Promise<string[]>;
  /** Number of alerts in the table by disclosed breach, and how many of them are pending; `undisclosed` counts the others. */
  countByBreach(
    accountId: string,
    handledAfter: Date,
  ): Promise<{ breaches: { breachName: string; count: number; pending: number }[]; undisclosed: number }>;
  /** The same by address, ordered by address, with or without details. */
  countByAddress(accountId: string, handledAfter: Date): Promise<{ address: string; count: number }[]>;
  /** The alerts that were raised or escalated last. */
  latest(accountId: string, handledAfter: Date, limit: number): Promise<SeenAlert[]>;
  /** Counts everything pending, and how much of it was raised or escalated after `since`; without `since`, all. */
  countNews(accountId: string, since: Date | undefined): Promise<{ pending: number; fresh: number }>;
  /**
   * Counts alerts raised from `from` on and before `to`, in any state, those handled in this time that still are, and everything
   * pending.
   */
  countWithin(accountId: string, from: Date, to: Date): Promise<{ found: number; handled: number; pending: number }>;
};

export type OpenCount = { associationId: string; open: number; version: number };

export type AlertRepository = AlertReader & {
  /**
   * Stores the exposures of these addresses with the `source` that found them, and one alert for each association that is not
   * suspended and exposure within its scope, in set operations. Alerts of breaches that are found under another alias of the
   * association become pending again. Returns these and the new ones only; `baseline` of those tells whether an alias's first
   * check found it. Locks the associations' watches until the end of the transaction.
   */
  addMissing(findings: Finding[], now: Date, source?: string): Promise<RaisedAlert[]>;
  /** Newest first; everything known about the address, for its owner. */
  listExposures(address: string, limit: number): Promise<Exposure[]>;
  /** Breaches of all the account's alerts for this address, handled ones included; without duplicates. */
  listBreachNames(accountId: string, address: string): Promise<string[]>;
  /**
   * The breach's alerts within their scope and not suspended, of associations that have their first report; without `baseline`
   * only those that the report did not include.
   */
  listReported(breachName: string, baseline: boolean): Promise<Pick<Alert, "id" | "associationId" | "accountId">[]>;
  /** Ids of the alerts raised by the first check, by association; associations without any are left out. */
  listBaselineIds(associationIds: string[]): Promise<Map<string, string[]>>;
  /**
   * Changes those whose version is still the stored one, and returns their new state. Rows are locked in a consistent order to
   * avoid deadlocks. Alerts that are handled already keep their date.
   */
  transition(alerts: Pick<Alert, "id" | "version">[], transition: AlertTransition): Promise<Alert[]>;
  /**
   * Ticks or unticks a step of the account's alert, leaving concurrent changes to other steps alone; undefined without such an
   * alert.
   */
  tick(accountId: string, id: string, step: { name: string; done: boolean }): Promise<string[] | undefined>;
  /** False without such an alert of the account. */
  notePasswordChange(accountId: string, id: string, changed: PasswordChange): Promise<boolean>;
  removeByAssociation(associationId: string): Promise<void>;
  /** Removes an alias from the alerts of its association, and those that were found under it alone. */
  removeVariant(associationId: string, address: string): Promise<void>;
  /** The association's alerts that were found under one of these addresses, ordered by id. */
  listFoundUnder(associationId: string, addresses: string[]): Promise<Alert[]>;
  /**
   * Counts the pending alerts of each association under a lock, with an increasing version. The ids have to be sorted, to avoid
   * deadlocks.
   */
  countOpen(associationIds: string[]): Promise<OpenCount[]>;
};

/** Until when each account has seen its notifications. */
export type SeenRepository = {
  find(accountId: string): Promise<Date | undefined>;
  /** Never moves back. */
  mark(accountId: string, until: Date): Promise<void>;
  remove(accountId: string): Promise<void>;
};
