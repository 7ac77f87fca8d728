import type { EventPublisher } from "../events/catalogue.ts";
import type { ConsentScope } from "../shared/consent.ts";
import type { Result } from "../shared/result.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { Breach } from "./breach.ts";

/** Why a source gave no answer. None of these ever means that an address is safe. */
export type SourceTrouble =
  /** Try again after `afterMs`: rate limit, outage, time-out, an answer that was not understood. */
  | { kind: "later"; afterMs: number; reason: string }
  /** The operator has to act: bad key, plan without the call, blocked. */
  | { kind: "misconfigured"; reason: string };

/** What a source knows of one address: the `name`s of its breaches, none for "not found". */
export type Lookup = { kind: "found"; breaches: string[] } | SourceTrouble;

export type Catalogue =
  | { kind: "catalogue"; breaches: Breach[] /** Entries that could not be read. */; broken: number }
  | SourceTrouble;

/** The newest entry of a source: when it differs from the last one seen, the whole catalogue is worth reading. */
export type Latest = { kind: "latest"; name: string; addedDate: string } | SourceTrouble;

/** A breach source. Network only, no database of ours; secrets in its answers never leave the adapter. */
export type BreachFeed = {
  /** Names the source in records and on the status page, such as `hibp`. */
  readonly source: string;
  /** True when it only knows example addresses, which the interface then says. */
  readonly demonstration: boolean;
  /** How often `latest` may be asked. */
  readonly pollEveryMs: number;
  latest(): Promise<Latest>;
  catalogue(): Promise<Catalogue>;
  /** One breach by its name; undefined when the source does not know it. */
  breach(name: string): Promise<{ kind: "breach"; breach: Breach | undefined } | SourceTrouble>;
  /** `address` is normalised. `later` without a request when the source's rate allows none now. */
  lookUp(address: string): Promise<Lookup>;
};

/**
 * The rate of a source, shared by every process: one request each `intervalMs`, evenly spaced.
 * `take` returns 0 when the caller may go now, else the milliseconds to wait.
 */
export type RateBudget = {
  take(source: string, intervalMs: number): Promise<number>;
  /** Nobody asks this source before `until`. */
  pause(source: string, until: Date): Promise<void>;
};

/** The stored catalogue of all sources. */
export type BreachRepository = {
  /** Content hash by name, of entries that are not marked removed. */
  hashes(source: string): Promise<Map<string, string>>;
  find(name: string): Promise<Breach | undefined>;
  listByNames(names: string[]): Promise<Breach[]>;
  /** Adds or replaces by name; a replaced entry that was marked removed is back. */
  put(source: string, breaches: { breach: Breach; hash: string }[], now: Date): Promise<void>;
  /** Marks entries that the source no longer lists; their alerts stay. */
  markRemoved(source: string, names: string[], now: Date): Promise<void>;
  count(): Promise<number>;
};

/** What is known of a source between two polls. One row per source. */
export type SourceState = {
  source: string;
  latestName: string | undefined;
  latestAdded: string | undefined;
  /** Counts the catalogue's changes; an address checked under an older one is due. */
  generation: number;
  syncedAt: Date | undefined;
  checkedAt: Date | undefined;
  /** Why the catalogue could not be read last time. */
  trouble: string | undefined;
  /** Why addresses could not be checked last time. */
  lookUpTrouble: string | undefined;
};

export type SourceRepository = {
  find(source: string): Promise<SourceState>;
  /** Takes the poll that is due, and sets the next one; false when another process has it. */
  claimPoll(source: string, now: Date, nextPollAt: Date): Promise<boolean>;
  /** The generation never goes back, also when `state` was read before another process raised it. */
  save(state: SourceState): Promise<void>;
};

/** An address whose check somebody has claimed. */
export type ClaimedScan = {
  address: string;
  /** The catalogue's generation when it was claimed. */
  generation: number;
  /** Counts requests to check it; one that came during the check keeps it due. */
  request: number;
  failures: number;
  leaseToken: string;
};

export type ScanRepository = {
  /** Due at once; an address that is there already becomes due again. */
  add(address: string, now: Date): Promise<void>;
  remove(address: string): Promise<void>;
  /** New addresses first, then those checked under an older catalogue, then the oldest. */
  claimDue(source: string, limit: number, now: Date, leaseMs: number): Promise<ClaimedScan[]>;
  /** False when the lease was lost: then nothing may be recorded. */
  finish(scan: ClaimedScan, checkedAt: Date, nextAt: Date): Promise<boolean>;
  /** Not checked: back at `retryAt`, with its former result untouched. */
  release(scan: ClaimedScan, retryAt: Date, failed: boolean): Promise<void>;
  /** Last and next check by address; an address never checked has no `checkedAt`. */
  timesOf(addresses: string[]): Promise<Map<string, { checkedAt: Date | undefined; dueAt: Date }>>;
  backlog(source: string, now: Date): Promise<{ due: number; oldest: Date | undefined }>;
};

/** Who watches an address: this module's own copy, so that matching is a set operation in the database. */
export type Watch = {
  associationId: string;
  accountId: string;
  address: string;
  baselineAt: Date | undefined;
  /** A suspended one raises no alerts; what it missed is found when it resumes. */
  suspended: boolean;
} & ConsentScope;

export type WatchRepository = {
  /** Nothing happens when it is there already. */
  add(watch: Pick<Watch, "associationId" | "accountId" | "address" | keyof ConsentScope>): Promise<void>;
  /** False when there is no such watch. */
  setScope(associationId: string, scope: ConsentScope): Promise<boolean>;
  remove(associationId: string): Promise<void>;
  /** Whoever leaves an address waits here for those who are leaving it, so that the last one knows that it is the last. */
  leaveInTurn(address: string): Promise<void>;
  /** False when there is no such watch. */
  setSuspended(associationId: string, suspended: boolean): Promise<boolean>;
  /** Those not suspended. */
  listActive(address: string): Promise<Watch[]>;
  countAll(address: string): Promise<number>;
  listByAccount(accountId: string): Promise<Watch[]>;
  find(associationId: string): Promise<Watch | undefined>;
  /** True for the one caller that ends the first check. */
  markBaseline(associationId: string, now: Date): Promise<boolean>;
};

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
/** An address in a breach, however many watch it. */
export type Exposure = { breachName: string; foundAt: Date };

export type AlertFilter = { state?: "pending" | "handled"; search?: string; handledAfter: Date };

export type AlertRepository = {
  /**
   * Stores the exposures of an address and one alert per (association that is not suspended, exposure within its scope);
   * returns the new alerts only. Until the transaction ends, nobody else suspends or removes these associations' watches.
   */
  addMissing(address: string, breachNames: string[], now: Date): Promise<Alert[]>;
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
  /** Writes the state if `alert.version` is still the stored one; returns the stored alert, or undefined. */
  setState(alert: Alert, state: Alert["state"], now: Date): Promise<Alert | undefined>;
  removeByAssociation(associationId: string): Promise<void>;
  /** Counts the association's pending alerts under a lock, with a growing version. */
  countOpen(associationId: string): Promise<{ open: number; version: number }>;
  /** Forgets exposures of an address that nobody watches any more. */
  removeExposures(address: string): Promise<void>;
};

export type BreachStore = {
  breaches: BreachRepository;
  sources: SourceRepository;
  scans: ScanRepository;
  watches: WatchRepository;
  alerts: AlertRepository;
  events: EventPublisher;
};

/** Asked of tracking: what an account may see of an address. */
export type MonitoringAccess = {
  of(
    accountId: string,
    address: string,
  ): Promise<
    Result<
      {
        address: string;
        associationId: string;
        managerId: string;
        scope: ConsentScope;
        status: "safe" | "active" | "breached" | "inactive";
        since: Date;
      },
      "MONITORING_NOT_AUTHORISED" | "MONITORING_SUSPENDED" | "INVITATION_PENDING"
    >
  >;
};

export type BreachDeps = {
  transaction: Transaction<BreachStore>;
  monitoringAccess: MonitoringAccess;
  /** Asked of identity: how a person is called. */
  people: { nameOf(accountId: string): Promise<string | undefined> };
  feed: BreachFeed;
  now: () => Date;
  /** Waits for the source's next slot. */
  sleep: (ms: number) => Promise<void>;
  /** SHA-256 in hex, for comparing content. */
  hash: (text: string) => string;
  /** Tells the operator of something that went wrong and will be tried again. */
  report: (error: unknown, context: Record<string, unknown>) => void;
};
