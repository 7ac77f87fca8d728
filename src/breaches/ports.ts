import type { EventPublisher } from "../events/catalogue.ts";
import type { ConsentScope } from "../shared/consent.ts";
import type { Result } from "../shared/result.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { AlikeBreach, Breach } from "./breach.ts";
import type { DatasetRepository, HashedFinding, ImportDesk } from "./dataset_ports.ts";
import type { BreachFeed, CheckTimes } from "./feed_ports.ts";

export type * from "./dataset_ports.ts";
export type * from "./feed_ports.ts";

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
  /** Without those that are the same as another. */
  count(): Promise<number>;
  /** All that are listed, for finding out which are the same. */
  listAlike(): Promise<AlikeBreach[]>;
  /** From now on what is found in `name` is found in `sameAs`. */
  link(name: string, sameAs: string): Promise<void>;
  /** The breach that each name stands for: itself, or the one it was linked to. */
  canonical(names: string[]): Promise<Map<string, string>>;
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
  source: string;
  /** The catalogue's generation when it was claimed. */
  generation: number;
  /** Counts requests to check it; one that came during the check keeps it due. */
  request: number;
  failures: number;
  leaseToken: string;
};

/** One row per address and source. */
export type ScanRepository = {
  /** Due at once with each source; an address that is there already becomes due again. */
  add(address: string, sources: string[], now: Date): Promise<void>;
  /** Adds what is watched and was never to be checked with this source. */
  enrol(source: string, now: Date): Promise<void>;
  remove(address: string): Promise<void>;
  /** Keeps checks of an address waiting until the transaction ends: taken before its watches, as a check does. */
  hold(address: string): Promise<void>;
  /** New addresses first, then those checked under an older catalogue, then the oldest. */
  claimDue(source: string, limit: number, now: Date, leaseMs: number): Promise<ClaimedScan[]>;
  /** False when the lease was lost: then nothing may be recorded. */
  finish(scan: ClaimedScan, checkedAt: Date, nextAt: Date): Promise<boolean>;
  /** Not checked: back at `retryAt`, with its former result untouched. */
  release(scan: ClaimedScan, retryAt: Date, failed: boolean): Promise<void>;
  /** Like `finish`, where the source cannot be asked for this address: it counts neither as checked nor as awaited. */
  finishUnsupported(scan: ClaimedScan, nextAt: Date): Promise<boolean>;
  /** The oldest last check and the next one by address; without a `checkedAt` while one of these sources never checked it. */
  timesOf(addresses: string[], sources: string[]): Promise<Map<string, CheckTimes>>;
  /** Which of these sources still have to check an address. */
  awaited(address: string, sources: string[], now: Date): Promise<string[]>;
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
  /** Addresses whose first report is due: none of these sources still has to check them, and one did. */
  listUnreported(sources: string[], now: Date, limit: number): Promise<string[]>;
  /** Hashes addresses that were stored before there were hashes, at most `limit`; returns how many. */
  hashMissing(limit: number): Promise<number>;
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

/** Which source found what. */
export type ExposureRepository = {
  /** The source, too, has found the address in these. */
  nameSource(source: string, address: string, breachNames: string[]): Promise<void>;
  /** By breach, the sources that found these addresses in it. */
  sourcesOf(addresses: string[]): Promise<{ address: string; breachName: string; sources: string[] }[]>;
  /**
   * Stores as exposures of watched addresses what these hashes say, in one set operation; returns the addresses
   * concerned that did not have it, in order.
   */
  match(source: string, findings: HashedFinding[], now: Date): Promise<string[]>;
  /** Forgets what was stored of these addresses while the last who watched them left. */
  removeUnwatched(addresses: string[]): Promise<void>;
  /**
   * Moves exposures and alerts of linked breaches to what they stand for; who has alerts for both keeps one.
   * Returns the associations concerned, in order.
   */
  mergeLinked(): Promise<string[]>;
};

export type BreachStore = {
  exposures: ExposureRepository;
  datasets: DatasetRepository;
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
  /** The configured sources; the first one is the main one. */
  feeds: BreachFeed[];
  /** Files that wait to be imported; none where no source takes them. */
  imports?: ImportDesk | undefined;
  now: () => Date;
  /** Waits for the source's next slot. */
  sleep: (ms: number) => Promise<void>;
  /** SHA-256 in hex, for comparing content. */
  hash: (text: string) => string;
  /** Tells the operator of something that went wrong and will be tried again. */
  report: (error: unknown, context: Record<string, unknown>) => void;
};
