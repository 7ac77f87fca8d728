import type { Breach } from "../catalogue/breach.ts";

/** The hash of an address (SHA-1 or SHA-256 in lower-case hex) and its breach, from a file or a source. */
export type HashedFinding = { hash: string; breachName: string };

export type HashKind = "sha1" | "sha256";

/** Hashes of one breach with the same prefix, sorted, without duplicates, as concatenated bytes. */
export type HashBlock = { bucket: number; breachName: string; hashes: Uint8Array };

export type ImportProblem = { line: number; reason: string };

/** The progress of an import. */
export type ImportProgress = {
  state: "running" | "done" | "stopped";
  /** Processed lines; a later run resumes after them. */
  lines: number;
  /** Findings that were not stored before. */
  added: number;
  /** Alerts raised by them. */
  raised: number;
  /** Number of invalid lines, and the first of them. */
  bad: number;
  problems: ImportProblem[];
  /** Why it stopped before the end. */
  reason: string | undefined;
};

/** Counters that are added up part by part, and the whole progress. */
export type ImportCounts = Pick<ImportProgress, "added" | "raised">;
export type ImportReach = Omit<ImportProgress, keyof ImportCounts>;

export type DatasetRepository = {
  /**
   * Returns how many hashes were new to their breaches. In buckets with many blocks, only identical blocks are recognised as
   * duplicates; hashes that are stored twice are still found once.
   */
  add(blocks: HashBlock[]): Promise<number>;
  /** The breaches of an address by its hashes. */
  breachesOf(hashes: string[]): Promise<string[]>;
  /** Whether a file has been imported since then, so that a look-up may be incomplete. */
  hasGrownSince(time: Date): Promise<boolean>;
  /** The breaches named by the files. */
  listBreaches(): Promise<Breach[]>;
  /** Claims a file with a lease and returns its progress; undefined while another process holds the lease. */
  claim(id: string, now: Date, leaseMs: number): Promise<{ leaseToken: string; progress: ImportProgress } | undefined>;
  /** Stores the progress, once everything before it is stored; keeps the counters. False when the lease was lost. */
  advance(id: string, leaseToken: string, reached: ImportReach, leaseUntil: Date): Promise<boolean>;
  /**
   * Adds up the counters of a part, possibly before others are stored. False when the lease was lost; then nothing of the part
   * may be stored.
   */
  count(id: string, leaseToken: string, part: ImportCounts, leaseUntil: Date): Promise<boolean>;
};

/** A request for an import by the operator. */
export type ImportRequest = {
  /** The same for the same file and breach, so that a repeated request resumes. */
  id: string;
  file: string;
  size: number;
  modifiedAt: number;
  /** Skip invalid lines instead of stopping. */
  skipBad: boolean;
  /** The breach of all lines that name none. */
  breach: string | undefined;
  /** Facts for breaches that are in no catalogue yet. */
  facts: { title?: string; domain?: string; breachDate?: string; dataClasses?: string[] };
};

/** Reads requests and their files, and publishes their progress. */
export type ImportQueue = {
  list(): Promise<ImportRequest[]>;
  /**
   * The UTF-8 text of a file, in chunks of a few thousand complete lines, so that the event loop is not blocked. Lines longer
   * than `LONGEST_LINE` are truncated, just above that limit. Throws `UnreadableFile`.
   */
  pieces(request: ImportRequest): AsyncIterable<Uint8Array>;
  /** Publishes the progress; at the end the request is removed. */
  tell(request: ImportRequest, progress: ImportProgress): Promise<void>;
};

/** An address in clear in an operator's file. */
export type DomainFind = {
  domain: string /** The part before the "@", in lower case. */;
  alias: string;
  breachName: string;
};

/** Takes addresses at watched domains, as a stored hash could not be matched with a domain later. */
export type DomainFinds = {
  /** The watched domains, in their ASCII form. */
  watched(): Promise<ReadonlySet<string>>;
  /** Idempotent: an interrupted import adds the same again. Called outside any transaction. */
  add(found: DomainFind[]): Promise<void>;
};

/** In bytes. */
export const LONGEST_LINE = 64 * 1024;

/** The file is at fault, so a retry will not help. */
export class UnreadableFile extends Error {}
