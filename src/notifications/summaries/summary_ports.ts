/** An account that wants the monthly summary; `through` is the last month that it received or skipped ("2026-10"). */
export type Summary = { accountId: string; through: string };

export type SummaryRepository = {
  find(accountId: string): Promise<Summary | undefined>;
  /** Does nothing when it is wanted already. */
  want(summary: Summary): Promise<void>;
  drop(accountId: string): Promise<void>;
  /** Accounts, by id and after `after`, that have not received this month's. */
  listDue(month: string, after: string | undefined, limit: number): Promise<string[]>;
  /** Conditional write: true for the one caller that is to send this month's. */
  take(accountId: string, month: string): Promise<boolean>;
};

/** The current content of a month's summary. */
export type SummaryFacts = {
  /** How many addresses are tracked; `addresses` names some of them, first those with pending alerts. */
  watched: number;
  addresses: { address: string; pending: number; checkedAt: Date | undefined }[];
  /** Alerts raised in the month. */
  found: number;
  /** Pending alerts, whenever they were raised. */
  pending: number;
  /** Since when checks have been overdue, if they are. */
  lateSince: Date | undefined;
};

/** Implemented by tracking and breaches; `to` is exclusive. */
export type SummaryFactsOf = { of(accountId: string, month: { from: Date; to: Date }): Promise<SummaryFacts> };
