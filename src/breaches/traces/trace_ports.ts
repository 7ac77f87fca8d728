import type { Paste } from "../scanning/feed_ports.ts";

/** What a source answered about pastes and stealer logs. */
export type TraceAnswer = {
  askedAt: Date;
  /** Undefined if the source does not say. */
  pastes: Paste[] | undefined;
  sites: string[] | undefined;
  /** The source has stealer logs, but not for this address. */
  sitesRefused: boolean;
};

/** The traces of an account's own address. */
export type Trace = {
  accountId: string;
  address: string;
  /** When the source may be asked again. */
  againAt: Date;
  answer: TraceAnswer | undefined;
  /** The sites whose password was changed. */
  done: string[];
};

export type TraceRepository = {
  find(accountId: string, address: string): Promise<Trace | undefined>;
  list(accountId: string): Promise<Trace[]>;
  /** Reserves the next request until `until`. Undefined for the one caller that may ask; the others get the time to wait for. */
  claim(key: TraceKey, now: Date, until: Date): Promise<Date | undefined>;
  /** Sets when the source may be asked again, without an answer. */
  postpone(key: TraceKey, againAt: Date): Promise<void>;
  /** Replaces the answer; sites that are in both stay done. Does nothing if the claimed row has been removed. */
  keep(key: TraceKey, answer: TraceAnswer, againAt: Date): Promise<void>;
  /** Sets a single site, leaving concurrent changes to others alone. False if it is not among them. */
  tick(key: TraceKey, site: string, done: boolean): Promise<boolean>;
  /** Removes those of the account, or only those of one address. */
  remove(accountId: string, address?: string): Promise<void>;
  /** Removes those of an address that is no longer tracked. */
  removeUnwatched(address: string): Promise<void>;
};

export type TraceKey = { accountId: string; address: string };
