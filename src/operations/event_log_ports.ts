import type { AlertFacts } from "../shared/breach.ts";

export const LOGGED_TYPES = [
  "alert.raised",
  "alert.worsened",
  "consent.requested",
  "consent.granted",
  "consent.ended",
  "staff.acted",
] as const;
export type LoggedType = (typeof LOGGED_TYPES)[number];

/** What happened, as ids and codes only: names and addresses are looked up when it is read. */
export type LoggedEvent = {
  /** Derived from what happened, so that an event that is delivered twice is logged once. */
  id: string;
  type: LoggedType;
  at: Date;
  /** The account that it concerns. */
  accountId: string | undefined;
  /** The staff account that acted. */
  actorId?: string | undefined;
  about: Record<string, string | boolean>;
};
/** `position` orders the log. No event ever appears before one that has been read. */
export type LogEntry = LoggedEvent & { position: number };

export type EventLogRepository = {
  /** Writers are serialised, so that positions become visible in order. Known ids are left as they are. */
  append(events: LoggedEvent[], now: Date): Promise<void>;
  /** Those behind a position, oldest first; of one account, or of all. */
  list(of: { accountId?: string }, after: number, limit: number): Promise<LogEntry[]>;
  /** How many are behind a position, and when the oldest of them happened. */
  countAfter(position: number): Promise<{ waiting: number; oldest: Date | undefined }>;
  /** Removes these accounts' events; of staff actions, only what names the account. */
  forget(accountIds: string[]): Promise<void>;
  removeBefore(before: Date): Promise<void>;
};

/** How far a destination has received the log. */
export type SinkState = {
  position: number;
  /** Failed attempts since the last success, and the last one's reason. */
  failures: number;
  trouble: string | undefined;
};

export type SinkRepository = {
  /** Reserves the destination until then; undefined while another process has it, or until the next attempt is due. */
  claim(name: string, now: Date, until: Date): Promise<SinkState | undefined>;
  /** Everything up to this position has arrived. Never goes back. */
  advance(name: string, position: number, until: Date): Promise<void>;
  /** Records a failed attempt; the next one is at `until`. */
  fail(name: string, trouble: string, until: Date): Promise<void>;
  release(name: string): Promise<void>;
  list(): Promise<(SinkState & { name: string })[]>;
};

/** An event as the operator's stream has it: ids and codes. */
export type OperatorEvent = {
  id: string;
  type: LoggedType;
  version: number;
  /** ISO 8601. */
  time: string;
  account: string | null;
  actor: string | null;
  [fact: string]: string | number | boolean | null;
};

/** A destination of the operator's stream. `send` resolves once the batch has arrived; it throws otherwise. */
export type EventSink = { name: string; send(events: OperatorEvent[]): Promise<void> };

/** Implemented by identity: those of these accounts that no longer exist. */
export type GoneAccounts = { of(accountIds: string[]): Promise<string[]> };
/** Implemented by breaches: what these alerts may show now; deleted ones are left out. */
export type AlertFactsOf = { of(alertIds: string[]): Promise<AlertFacts[]> };
/** Implemented by tracking: the addresses of those of these associations that belong to the account. */
export type TrackedAddresses = { of(accountId: string, associationIds: string[]): Promise<Map<string, string>> };
