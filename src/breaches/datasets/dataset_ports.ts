import type { Breach } from "../catalogue/breach.ts";

/** A line of a file, or what a source tells: the hash of an address (SHA-1 or SHA-256 in lower-case hex), and its breach. */
export type HashedFinding = { hash: string; breachName: string };

export type HashKind = "sha1" | "sha256";

/** Hashes of one breach that begin alike, each once: their bytes, in order, one behind the other. */
export type HashBlock = { bucket: number; breachName: string; hashes: Uint8Array };

export type ImportProblem = { line: number; reason: string };

/** How far a file has been read. */
export type ImportProgress = {
  state: "running" | "done" | "stopped";
  /** Lines dealt with; the next one is where a later run goes on. */
  lines: number;
  /** Findings that were new here. */
  added: number;
  /** Alerts that were raised by them. */
  raised: number;
  /** Lines that could not be used, and the first of them. */
  bad: number;
  problems: ImportProblem[];
  /** Why it stopped before the end. */
  reason: string | undefined;
};

/** What came of it, which is counted part by part, and all that is said of how far it is. */
export type ImportCounts = Pick<ImportProgress, "added" | "raised">;
export type ImportReach = Omit<ImportProgress, keyof ImportCounts>;

export type DatasetRepository = {
  /**
   * Returns how many hashes were new to their breaches. Where many blocks of a bucket are stored, only the same block again is
   * known for sure not to be new; whatever is stored twice is found once.
   */
  add(blocks: HashBlock[]): Promise<number>;
  /** The breaches of whoever has one of these hashes. */
  breachesOf(hashes: string[]): Promise<string[]>;
  /** Whether a file has been read since then: more may come than a look-up found. */
  hasGrownSince(time: Date): Promise<boolean>;
  /** Those that the files name. */
  listBreaches(): Promise<Breach[]>;
  /** The one process that may read this file now, and how far it was read; undefined while another one has it. */
  claim(id: string, now: Date, leaseMs: number): Promise<{ leaseToken: string; progress: ImportProgress } | undefined>;
  /** All before it is stored; what is counted stays. False when the lease was lost. */
  advance(id: string, leaseToken: string, reached: ImportReach, leaseUntil: Date): Promise<boolean>;
  /** Counts on what a part has come to, while others may be stored. False when the lease was lost: then nothing of it may be stored. */
  count(id: string, leaseToken: string, part: ImportCounts, leaseUntil: Date): Promise<boolean>;
};

/** What an operator asks to import. */
export type ImportRequest = {
  /** The same for the same file and breach: a repeated request goes on where the former stopped. */
  id: string;
  file: string;
  size: number;
  modifiedAt: number;
  /** Skip lines that cannot be used, instead of stopping there. */
  skipBad: boolean;
  /** What all lines come from that name nothing else. */
  breach: string | undefined;
  /** Said of breaches that no catalogue knows yet. */
  facts: { title?: string; domain?: string; breachDate?: string; dataClasses?: string[] };
};

/** Hands out requests and their lines, and shows how far they are. */
export type ImportDesk = {
  list(): Promise<ImportRequest[]>;
  /**
   * The text of a file in UTF-8, in pieces of a few thousand whole lines, as others want the thread, too. Of a line that is longer than
   * `LONGEST_LINE` there is no more than shows that it is. Throws `UnreadableFile`.
   */
  pieces(request: ImportRequest): AsyncIterable<Uint8Array>;
  /** Shows the progress; at its end the request is gone. */
  tell(request: ImportRequest, progress: ImportProgress): Promise<void>;
};

/** In bytes. */
export const LONGEST_LINE = 64 * 1024;

/** The operator's file is to blame, not this house: trying again will not help. */
export class UnreadableFile extends Error {}
