import type { EventPublisher } from "../events/catalogue.ts";
import type { ConsentScope } from "../shared/consent.ts";
import type { Language } from "../shared/language.ts";
import type { Result } from "../shared/result.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { AlertRepository, SeenRepository } from "./alerts/alert_ports.ts";
import type { BreachRepository, SourceRepository } from "./catalogue/catalogue_ports.ts";
import type { ChangeRepository } from "./catalogue/change_ports.ts";
import type { DescriptionText } from "./catalogue/description_ports.ts";
import type { LogoRepository, LogoSource } from "./catalogue/logo_ports.ts";
import type { DatasetRepository, DomainFinds, HashedFinding, HashKind, ImportQueue } from "./datasets/dataset_ports.ts";
import type { DrillRepository } from "./drill/drill_ports.ts";
import type { LetterDirectories, LetterRepository } from "./letters/letter_ports.ts";
import type { DisclosureRepository } from "./scanning/disclosure_ports.ts";
import type { BreachFeed, CheckTimes } from "./scanning/feed_ports.ts";
import type { Reader, StaleRepository } from "./scanning/overdue_ports.ts";
import type { ChangePasswordPages, ServiceDirectories, ServicePageRepository } from "./services/service_ports.ts";
import type { TraceRepository } from "./traces/trace_ports.ts";

export type * from "./alerts/alert_ports.ts";
export type * from "./catalogue/catalogue_ports.ts";
export type * from "./catalogue/change_ports.ts";
export type * from "./catalogue/logo_ports.ts";
export type * from "./datasets/dataset_ports.ts";
export type * from "./drill/drill_ports.ts";
export type * from "./letters/letter_ports.ts";
export type * from "./scanning/disclosure_ports.ts";
export type * from "./scanning/feed_ports.ts";
export type * from "./scanning/overdue_ports.ts";
export type * from "./services/service_ports.ts";
export type * from "./traces/trace_ports.ts";

/** An address whose check is claimed. */
export type ClaimedScan = {
  address: string;
  source: string;
  /** The catalogue's generation when it was claimed. */
  generation: number;
  /** Number of the last request for a check; a request during the check keeps the address due. */
  request: number;
  failures: number;
  leaseToken: string;
};

/** Counting millions of due checks would take seconds, which the pages would feel, each time that a figure is asked for. */
export const MOST_COUNTED = 100_000;

/** One row per address and source. */
export type ScanRepository = {
  /** Makes the address due immediately with each source, whether it is new or not. */
  add(address: string, sources: string[], now: Date): Promise<void>;
  /**
   * Looks at the next `limit` tracked addresses after this one (undefined: from the beginning), and adds those that this source has no
   * row for. Returns the last one it looked at; undefined at the end.
   */
  enrol(source: string, after: string | undefined, limit: number, now: Date): Promise<string | undefined>;
  remove(addresses: string[]): Promise<void>;
  /**
   * Locks the checks of these addresses until the end of the transaction; taken before the locks on their watches, as in a check.
   */
  lock(addresses: string[]): Promise<void>;
  /** New addresses first, then those checked under an older catalogue, then the longest overdue. */
  claimDue(source: string, limit: number, now: Date, leaseMs: number): Promise<ClaimedScan[]>;
  /** Returns the addresses whose lease was still held; for the others nothing may be recorded. Lock several addresses first. */
  finish(scans: ClaimedScan[], checkedAt: Date, nextAt: Date): Promise<string[]>;
  /** Returns addresses unchecked: due again at `retryAt`, with their former results unchanged. */
  release(scans: ClaimedScan[], retryAt: Date, failed: boolean): Promise<void>;
  /** Like `finish`, for addresses that the source does not support: they count neither as checked nor as awaited. */
  finishUnsupported(scans: ClaimedScan[], nextAt: Date): Promise<string[]>;
  /**
   * The oldest last check and the next check by address, over those of these sources that can answer at present, or over all if
   * none can. `checkedAt` is undefined while one of them has never checked the address.
   */
  timesOf(addresses: string[], sources: string[]): Promise<Map<string, CheckTimes>>;
  /** Those of these addresses that one of these sources has yet to check. */
  awaited(addresses: string[], sources: string[], now: Date): Promise<string[]>;
  /** What is due, and how much of it has failed and waits for its next try; each up to `MOST_COUNTED`. */
  backlog(source: string, now: Date): Promise<{ due: number; retrying: number; oldest: Date | undefined }>;
};

/** Who tracks an address: this module's own copy, so that matching is a set operation in the database. */
export type Watch = {
  associationId: string;
  accountId: string;
  address: string;
  baselineAt: Date | undefined;
  /** A suspended one raises no alerts; missed ones are raised when it resumes. */
  suspended: boolean;
  /** For an alias, whose `associationId` is its own id: the association that it belongs to and that its alerts are of. */
  aliasOf: string | undefined;
} & ConsentScope;

export type WatchRepository = {
  /** Does nothing if it exists already. */
  add(watch: Pick<Watch, "associationId" | "accountId" | "address" | keyof ConsentScope>): Promise<void>;
  /** With the account, scope and suspension of its association; undefined if that is not watched. */
  addAlias(alias: { id: string; associationId: string; address: string }): Promise<Watch | undefined>;
  listAliases(associationId: string): Promise<Watch[]>;
  /**
   * Ends the first check of these associations' aliases, once none of them is awaited; returns their addresses by association.
   * Locks the associations until the end of the transaction, in order.
   */
  endFirstChecks(associationIds: string[], sources: string[], now: Date): Promise<Map<string, string[]>>;
  /** False when there is no such watch. */
  setScope(associationId: string, scope: ConsentScope): Promise<boolean>;
  /** Its aliases as well. */
  remove(associationId: string): Promise<void>;
  /** Locks removals of watches for this address, so that the last one knows that it is the last. */
  lockRemovals(address: string): Promise<void>;
  /** Its aliases as well; false when there is no such watch. */
  setSuspended(associationId: string, suspended: boolean): Promise<boolean>;
  /** Stores when the address was last checked, as its scans are removed. */
  keepLastCheck(associationId: string, checkedAt: Date): Promise<void>;
  /** The latest of these times for each address that has one. */
  lastChecks(addresses: string[]): Promise<Map<string, Date>>;
  /** Those not suspended, ordered by association. */
  listActive(addresses: string[]): Promise<Watch[]>;
  countAll(address: string): Promise<number>;
  listByAccount(accountId: string): Promise<Watch[]>;
  find(associationId: string): Promise<Watch | undefined>;
  /** Aliases of associations that are no longer watched; at most `limit`. */
  listOrphans(limit: number): Promise<Watch[]>;
  /** Addresses whose first report is due: at least one of these sources has checked them, and none has yet to do so. */
  listUnreported(sources: string[], now: Date, limit: number): Promise<string[]>;
  /** The first `PREFIX` digits of the hashes after this one, at most `limit`, concatenated, and the last full hash. */
  listHashes(kind: HashKind, after: string, limit: number): Promise<{ prefixes: string; last: string | undefined }>;
  /** Backfills hashes of addresses stored before there were any, at most `limit`; returns the number. */
  hashMissing(limit: number): Promise<number>;
  /** Returns those whose first check was ended by this call. */
  markBaselines(associationIds: string[], now: Date): Promise<string[]>;
};

/** Which source found what. */
export type ExposureRepository = {
  /**
   * Stores exposures of tracked addresses with these hashes, in one set operation; returns the addresses for which they are new,
   * in order.
   */
  match(source: string, findings: HashedFinding[], now: Date): Promise<string[]>;
  /** Removes what was stored for these addresses while their last watch was being removed. */
  removeUnwatched(addresses: string[]): Promise<void>;
  /**
   * Moves exposures and alerts of linked breaches to the canonical ones; an account with alerts for both keeps one. Returns the
   * associations concerned, in order.
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
  seen: SeenRepository;
  changes: ChangeRepository;
  logos: LogoRepository;
  drills: DrillRepository;
  stale: StaleRepository;
  traces: TraceRepository;
  servicePages: ServicePageRepository;
  disclosures: DisclosureRepository;
  letters: LetterRepository;
  events: EventPublisher;
};

/** Implemented by tracking: what an account may see of an address. */
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

/** Texts of `locales/<language>/<topic>.json`; `key` is `<topic>.<key>`. Throws for a missing key, which `has` checks. */
export type Translate = {
  (language: Language, key: string): string;
  has(language: Language, key: string): boolean;
};

export type BreachDeps = {
  transaction: Transaction<BreachStore>;
  monitoringAccess: MonitoringAccess;
  /** Implemented by identity: a person's name. */
  people: { nameOf(accountId: string): Promise<string | undefined> };
  /** Implemented by identity: an account's email and language. */
  accounts: { of(accountId: string): Promise<Reader | undefined> };
  translate: Translate;
  /** The configured sources; the first one is the main source. */
  feeds: BreachFeed[];
  /** Files to import; undefined without a source for them. */
  imports?: ImportQueue | undefined;
  /** Where the addresses of those files go that are at watched domains. */
  domainFinds?: DomainFinds | undefined;
  /** Sanitizes the sources' descriptions. */
  descriptions: DescriptionText;
  /** Where logos are fetched; without it only initials are shown. */
  logoSource?: LogoSource | undefined;
  directories: ServiceDirectories;
  letterDirectories: LetterDirectories;
  /** Without it no service is asked for its page to change passwords. */
  changePasswordPages?: ChangePasswordPages | undefined;
  newId: () => string;
  now: () => Date;
  /** Waits for the source's next slot. */
  sleep: (ms: number) => Promise<void>;
  /** SHA-256 in hex, for comparing content. */
  hash: (text: string) => string;
  /** Called by jobs between two items, to yield to requests. */
  yieldToRequests?: () => Promise<void> | undefined;
  /** Tells the operator what happened. */
  note?: (says: string, context: Record<string, unknown>) => void;
  /** Reports an error that will be retried to the operator. */
  report: (error: unknown, context: Record<string, unknown>) => void;
};
