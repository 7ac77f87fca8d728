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
import type { DatasetRepository, HashedFinding, HashKind, ImportDesk } from "./datasets/dataset_ports.ts";
import type { DrillRepository } from "./drill/drill_ports.ts";
import type { BreachFeed, CheckTimes } from "./scanning/feed_ports.ts";
import type { Reader, StaleRepository } from "./scanning/overdue_ports.ts";

export type * from "./alerts/alert_ports.ts";
export type * from "./catalogue/catalogue_ports.ts";
export type * from "./catalogue/change_ports.ts";
export type * from "./catalogue/logo_ports.ts";
export type * from "./datasets/dataset_ports.ts";
export type * from "./drill/drill_ports.ts";
export type * from "./scanning/feed_ports.ts";
export type * from "./scanning/overdue_ports.ts";

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
  remove(addresses: string[]): Promise<void>;
  /** Keeps checks of these addresses waiting until the transaction ends: taken before their watches, as a check does. */
  hold(addresses: string[]): Promise<void>;
  /** New addresses first, then those checked under an older catalogue, then those that are due the longest. */
  claimDue(source: string, limit: number, now: Date, leaseMs: number): Promise<ClaimedScan[]>;
  /** Returns the addresses whose lease was still held: of the others nothing may be recorded. Several are held first. */
  finish(scans: ClaimedScan[], checkedAt: Date, nextAt: Date): Promise<string[]>;
  /** Not checked: back at `retryAt`, with their former results untouched. */
  release(scans: ClaimedScan[], retryAt: Date, failed: boolean): Promise<void>;
  /** Like `finish`, where the source cannot be asked for these addresses: they count neither as checked nor as awaited. */
  finishUnsupported(scans: ClaimedScan[], nextAt: Date): Promise<string[]>;
  /**
   * The oldest last check and the next one by address, as these sources know that can answer at present, or all of them where
   * none can; without a `checkedAt` while one of these never checked it.
   */
  timesOf(addresses: string[], sources: string[]): Promise<Map<string, CheckTimes>>;
  /** Those of these addresses that one of these sources still has to check. */
  awaited(addresses: string[], sources: string[], now: Date): Promise<string[]>;
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
  /** Notes when the address was last checked, which is forgotten with its scans. */
  keepLastCheck(associationId: string, checkedAt: Date): Promise<void>;
  /** The latest of these notes for each of the addresses that have one. */
  lastChecks(addresses: string[]): Promise<Map<string, Date>>;
  /** Those not suspended, in the order of their associations. */
  listActive(addresses: string[]): Promise<Watch[]>;
  countAll(address: string): Promise<number>;
  listByAccount(accountId: string): Promise<Watch[]>;
  find(associationId: string): Promise<Watch | undefined>;
  /** Addresses whose first report is due: none of these sources still has to check them, and one did. */
  listUnreported(sources: string[], now: Date, limit: number): Promise<string[]>;
  /** The first 16 digits of the hashes of all addresses behind this one, at most `limit`, and the last of these hashes. */
  listHashes(kind: HashKind, after: string, limit: number): Promise<{ prefixes: string; last: string | undefined }>;
  /** Hashes addresses that were stored before there were hashes, at most `limit`; returns how many. */
  hashMissing(limit: number): Promise<number>;
  /** Returns those whose first check this caller, and nobody else, has ended. */
  markBaselines(associationIds: string[], now: Date): Promise<string[]>;
};

/** Which source found what. */
export type ExposureRepository = {
  /** By breach (all, or only these), the sources that found these addresses in it. */
  sourcesOf(
    addresses: string[],
    breachNames?: string[],
  ): Promise<{ address: string; breachName: string; sources: string[] }[]>;
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
  seen: SeenRepository;
  changes: ChangeRepository;
  logos: LogoRepository;
  drills: DrillRepository;
  stale: StaleRepository;
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

/** Words of `locales/<language>/<topic>.json`; `key` is `<topic>.<key>`. A missing key throws; `has` tells beforehand. */
export type Translate = {
  (language: Language, key: string): string;
  has(language: Language, key: string): boolean;
};

export type BreachDeps = {
  transaction: Transaction<BreachStore>;
  monitoringAccess: MonitoringAccess;
  /** Asked of identity: how a person is called. */
  people: { nameOf(accountId: string): Promise<string | undefined> };
  /** Asked of identity: where an account is written to. */
  accounts: { of(accountId: string): Promise<Reader | undefined> };
  translate: Translate;
  /** The configured sources; the first one is the main one. */
  feeds: BreachFeed[];
  /** Files that wait to be imported; none where no source takes them. */
  imports?: ImportDesk | undefined;
  /** Makes sources' descriptions harmless. */
  descriptions: DescriptionText;
  /** Where logos are fetched; none: there are initials only. */
  logoSource?: LogoSource | undefined;
  newId: () => string;
  now: () => Date;
  /** Waits for the source's next slot. */
  sleep: (ms: number) => Promise<void>;
  /** SHA-256 in hex, for comparing content. */
  hash: (text: string) => string;
  /** Before the next thing that a job does: people who ask now go first. */
  yieldToRequests?: () => Promise<void> | undefined;
  /** Tells the operator of something that went wrong and will be tried again. */
  report: (error: unknown, context: Record<string, unknown>) => void;
};
