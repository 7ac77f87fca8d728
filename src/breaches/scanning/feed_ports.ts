import type { Breach } from "../catalogue/breach.ts";

/** Why a source gave no answer. None of these ever means that an address is safe. */
export type SourceTrouble =
  /** Try again after `afterMs`: rate limit, outage, time-out, an answer that was not understood. */
  | {
      kind: "later";
      afterMs: number;
      reason: string;
      /** It is only not our turn yet. */
      isTurn?: boolean;
      /** It is about this address: others may be asked for. */
      isOfAddress?: boolean;
    }
  /** The operator has to act: bad key, plan without the call, blocked. */
  | { kind: "misconfigured"; reason: string };

/** What a source knows of one address: the `name`s of its breaches, none for "not found". */
export type Lookup =
  | {
      kind: "found";
      breaches: string[];
      /** More is being read: it is to be asked again soon. */
      isPartial?: boolean;
    }
  /** The source cannot be asked for such an address at all. */
  | { kind: "unsupported" }
  | SourceTrouble;

export type Catalogue =
  | { kind: "catalogue"; breaches: Breach[] /** Entries that could not be read. */; broken: number }
  | SourceTrouble;

/** The newest entry of a source: when it differs from the last one seen, the whole catalogue is worth reading. */
export type Latest = { kind: "latest"; name: string; addedDate: string } | SourceTrouble;

/** A breach source. Secrets in its answers never leave the adapter. */
export type BreachFeed = {
  /** Names the source in records and on the status page, such as `hibp`. */
  readonly source: string;
  /** Whose names its breaches have: those of HIBP are ours, too; a source's own are kept apart from them. */
  readonly naming: "hibp" | "own";
  /** True when it only knows example addresses, which the interface then says. */
  readonly demonstration: boolean;
  /** True when it is matched with every address as soon as it gets something: then no address becomes due by it. */
  readonly isMatched: boolean;
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
 * The rate of a source, shared by every process: one request each `intervalMs`, evenly spaced but for those of a few
 * milliseconds, which may go together.
 * `take` returns 0 when the caller may go now, else the milliseconds to wait.
 */
export type RateBudget = {
  take(source: string, intervalMs: number): Promise<number>;
  /** Nobody asks this source before `until`. */
  pause(source: string, until: Date): Promise<void>;
  /** When each source that was ever asked or paused may be asked next, by name; what is past means now. */
  list(): Promise<{ source: string; nextSlotAt: Date }[]>;
};

/** How much one process has taken of a source's rate. */
export type BudgetUse = {
  /** As it is called in `take`. */
  source: string;
  /** The rate: one call in so many milliseconds, for all processes together. */
  everyMs: number;
  /** Calls of this process within the last 24 hours, or since it started. */
  taken: number;
  /** When any process may make the next one; what is past means now. */
  nextSlotAt: Date;
};

/** When an address was checked last, and when it is next; a check covers all sources that can answer. */
export type CheckTimes = { checkedAt: Date | undefined; dueAt: Date };
