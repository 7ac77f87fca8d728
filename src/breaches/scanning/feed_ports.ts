import type { DisclosureForm } from "../../shared/disclosure.ts";
import type { Breach } from "../catalogue/breach.ts";

/** Why a source gave no answer. Never means that an address is safe. */
export type SourceTrouble =
  /** Retry after `afterMs`: rate limit, outage, time-out, or an unreadable answer. */
  | {
      kind: "later";
      afterMs: number;
      reason: string;
      /** Only the rate limit requires waiting. */
      isRateLimit?: boolean;
      /** The problem concerns this address, or domain, only; others can be looked up. */
      isOfAddress?: boolean;
    }
  /** The operator has to act: invalid key, plan without this call, blocked. */
  | { kind: "misconfigured"; reason: string };

/** A source's answer for one address: the `name`s of its breaches, empty for "not found". */
export type Lookup =
  | {
      kind: "found";
      breaches: string[];
      /** The data is still being imported, so the address has to be looked up again soon. */
      isPartial?: boolean;
      /** How many of its breaches could not be read; the address is looked up again within the hour. */
      leftOut?: number;
    }
  /** The source does not support such an address. */
  | { kind: "unsupported" }
  | SourceTrouble;

export type Catalogue =
  /** `leftOut` names the entries that could not be read, or their places. All text is well-formed and without NUL. */
  { kind: "catalogue"; breaches: Breach[]; leftOut: string[] } | SourceTrouble;

/** The newest entry of a source: when it changes, the whole catalogue is read again. */
export type Latest = { kind: "latest"; name: string; addedDate: string } | SourceTrouble;

/** A paste that holds an address. */
export type Paste = {
  source: string;
  /** The paste's id at its source, or its URL. */
  id: string;
  title: string | undefined;
  /** ISO 8601; unknown for some. */
  date: string | undefined;
  addresses: number;
};

/** What the operator's subscription at a source includes. */
export type Subscription = {
  name: string | undefined;
  /** ISO 8601. */
  until: string | undefined;
  perMinute: number;
  kAnonymity: boolean;
  stealerLogs: boolean;
};

/** Where else a source has seen an address: pastes, and the websites in stealer logs. Their owners ask for them one at a time. */
export type TraceSource = {
  /** Whether addresses leave this server, in clear. */
  readonly sendsAddress: boolean;
  /** Undefined for a source that needs no subscription. Usually answers without a request. */
  subscription(): Promise<{ kind: "subscription"; subscription: Subscription | undefined } | SourceTrouble>;
  /** The subscription as it was last read, if it is known. */
  lastSubscription(): Subscription | undefined;
  /** Newest first. */
  pastesOf(address: string): Promise<FoundTraces<Paste>>;
  /** The domains of websites, each once. */
  sitesOf(address: string): Promise<FoundTraces<string>>;
};

type Refused = { kind: "refused" };
/** `refused`: not included, or not for this address. `leftOut` counts what could not be read. */
export type FoundTraces<Entry> = { kind: "found"; entries: Entry[]; leftOut: number } | Refused | SourceTrouble;
type Unverified = { kind: "unverified" };
type Verified = { kind: "verified" };

/** By the part of each address before the "@", lower case and well-formed. `leftOut` counts what could not be read. */
export type FoundByAlias = { kind: "found"; byAlias: Map<string, string[]>; leftOut: number };

/**
 * Breaches of a whole domain, for sources that have verified that the operator, or its customer, holds it. `domain` is ASCII, in
 * lower case. Each call gives `later`, without a request, when the rate limit allows none now.
 */
export type DomainLookups = {
  /** The names of each address's breaches, sensitive ones included. `unverified`: the source has not verified the domain for this key. */
  breachesOf(domain: string): Promise<FoundByAlias | Unverified | SourceTrouble>;
  /** Websites in stealer logs; `refused`: not included in the subscription. Undefined where the source has none. */
  sitesOf?(domain: string): Promise<FoundByAlias | Unverified | Refused | SourceTrouble>;
  /**
   * What the holder has to publish so that the source verifies the domain: the value of a TXT record. `refused`: the operator has to
   * verify it at the source. Undefined where the source has no such call.
   */
  startVerification?(domain: string): Promise<{ kind: "record"; value: string } | Refused | Verified | SourceTrouble>;
  /** Has the source look for that record; `missing`: it was not found. */
  finishVerification?(domain: string): Promise<Verified | { kind: "missing" } | Refused | SourceTrouble>;
};

/** A breach source. Secrets in its answers never leave the adapter. */
export type BreachFeed = {
  /** Identifies the source in records and on the status page, such as `hibp`. */
  readonly source: string;
  /** The namespace of its breach names: HIBP's are used unchanged, others are prefixed. */
  readonly naming: "hibp" | "own";
  /** True when it only knows example addresses, which the interface points out. */
  readonly demonstration: boolean;
  /** True when new data is matched with all addresses on arrival, so that no address becomes due. */
  readonly isMatched: boolean;
  /** Minimum interval between calls of `latest`. */
  readonly pollEveryMs: number;
  latest(): Promise<Latest>;
  catalogue(): Promise<Catalogue>;
  /** One breach by name; undefined when the source does not know it. */
  breach(name: string): Promise<{ kind: "breach"; breach: Breach | undefined } | SourceTrouble>;
  /**
   * `address` is normalised. `later`, without a request, when the rate limit allows none now. `onTold` is called if the source was
   * told the address, even if it then gives no answer; never by a source on this server.
   */
  lookUp(address: string, onTold?: (form: DisclosureForm) => void): Promise<Lookup>;
  /** Asks anew whether the operator's key is accepted; undefined for a source without keys. */
  verify?(): Promise<{ kind: "accepted" } | SourceTrouble>;
  /** Undefined for a source that knows breaches only. */
  readonly traces?: TraceSource;
  /** Undefined for a source that is asked for addresses only. */
  readonly domains?: DomainLookups;
};

/**
 * The rate limit of a source, shared by all processes: one request per `intervalMs`. Callers of a fast source that are
 * late may make up for a quarter of a second. `take` returns 0 when the caller may go now, else the milliseconds to wait.
 */
export type RateBudget = {
  take(source: string, intervalMs: number): Promise<number>;
  /** Blocks all requests to this source until then. */
  pause(source: string, until: Date): Promise<void>;
  /** When each known source may be called next, by name; a past time means now. */
  list(): Promise<{ source: string; nextSlotAt: Date }[]>;
};

/** One process's share of a source's rate limit. */
export type BudgetUse = {
  /** As it is called in `take`. */
  source: string;
  /** The rate: one call per this many milliseconds, over all processes. */
  everyMs: number;
  /** Calls of this process within the last 24 hours, or since it started. */
  taken: number;
  /** When any process may make the next call; a past time means now. */
  nextSlotAt: Date;
};

/** The last and the next check of an address; a check covers all available sources. */
export type CheckTimes = { checkedAt: Date | undefined; dueAt: Date };
