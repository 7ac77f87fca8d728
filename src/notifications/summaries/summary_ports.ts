/** An account that wants the monthly summary; `through` is the last month that it had, or never wanted ("2026-10"). */
export type Summary = { accountId: string; through: string };

export type SummaryRepository = {
  find(accountId: string): Promise<Summary | undefined>;
  /** Nothing happens when it is wanted already. */
  want(summary: Summary): Promise<void>;
  drop(accountId: string): Promise<void>;
  /** Accounts, by id and behind `after`, that have not had this month's. */
  listDue(month: string, after: string | undefined, limit: number): Promise<string[]>;
  /** One conditional write: true for the one caller that is to send this month's. */
  take(accountId: string, month: string): Promise<boolean>;
};

/** What a month's summary tells, as it stands now. */
export type SummaryFacts = {
  /** How many addresses are watched; `addresses` names some of them, first those where alerts wait. */
  watched: number;
  addresses: { address: string; pending: number; checkedAt: Date | undefined }[];
  /** Alerts raised in the month. */
  found: number;
  /** Alerts that wait, whenever they were raised. */
  pending: number;
  /** Since when checks have been late, if they are. */
  lateSince: Date | undefined;
};

/** Asked of tracking and breaches; `from` and `to` are the month's ends, the latter not in it. */
export type SummaryFactsOf = { of(accountId: string, month: { from: Date; to: Date }): Promise<SummaryFacts> };
