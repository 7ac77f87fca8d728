import type { SummaryEvery } from "../inputs.ts";

/** An account that wants summaries; `through` is the last month ("2026-10") or year ("2026") that it received or skipped. */
export type Summary = { accountId: string; through: string; every: SummaryEvery };

export type SummaryRepository = {
  find(accountId: string): Promise<Summary | undefined>;
  /** Does nothing when it is wanted already, as often. */
  want(summary: Summary): Promise<void>;
  drop(accountId: string): Promise<void>;
  /** Accounts that want one this often, by id and after `after`, that have not received this period's. */
  listDue(period: Pick<Summary, "every" | "through">, after: string | undefined, limit: number): Promise<string[]>;
  /** Conditional write: true for the one caller that is to send this period's. */
  take(summary: Summary): Promise<boolean>;
};

/** The current content of a summary. */
export type SummaryFacts = {
  /** How many addresses are tracked; `addresses` names some of them, first those with pending alerts. */
  watched: number;
  addresses: { address: string; pending: number; checkedAt: Date | undefined }[];
  /** Alerts raised in the period. */
  found: number;
  /** Alerts marked as handled in the period. */
  handled: number;
  /** Pending alerts, whenever they were raised. */
  pending: number;
  /** Since when checks have been overdue, if they are. */
  lateSince: Date | undefined;
};

/** Implemented by tracking and breaches; `to` is exclusive. */
export type SummaryFactsOf = { of(accountId: string, period: { from: Date; to: Date }): Promise<SummaryFacts> };
