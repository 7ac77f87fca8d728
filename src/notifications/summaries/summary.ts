import { ok, type Result } from "../../shared/result.ts";
import { ownAddress } from "../contacts/address_book.ts";
import type { MakeDelivery } from "../delivery/delivery.ts";
import type { SummaryEvery } from "../inputs.ts";
import type { Accounts, StoreAndClock, Summary } from "../ports.ts";

/** On the first of the month or of January, in UTC: before most people's working day. */
const HOUR_MS = 3_600_000;
const SENT_AT_MS = 8 * HOUR_MS;
const AT_ONCE = 200;

/** The latest month or year whose summary is due, such as "2026-10" from 2026-11-01 08:00 on, or "2026" from 2027-01-01 08:00 on. */
export function duePeriod(every: SummaryEvery, now: Date): string {
  const day = new Date(now.getTime() - SENT_AT_MS);
  if (every === "year") return String(day.getUTCFullYear() - 1);
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

/** Whether it is a whole year, such as "2026". */
export function isYear(period: string): boolean {
  return period.length === 4;
}

/** The range of a month or year in UTC, without its end. */
export function rangeOf(period: string): { from: Date; to: Date } {
  const from = new Date(isYear(period) ? `${period}-01-01T00:00:00.000Z` : `${period}-01T00:00:00.000Z`);
  const [years, months] = isYear(period) ? [1, 0] : [0, 1];
  return { from, to: new Date(Date.UTC(from.getUTCFullYear() + years, from.getUTCMonth() + months, 1)) };
}

type Needs = StoreAndClock & { accounts: Accounts; makeDelivery: MakeDelivery };

/** The monthly summary or yearly look back: its setting, and sending it once per account and period. */
export function summaries({ transaction, accounts, makeDelivery, now }: Needs) {
  async function send(summary: Summary): Promise<number> {
    const { accountId, through: month } = summary;
    const account = await accounts.of(accountId);
    const recipient = account && ownAddress(account);
    return transaction(async ({ summaries, deliveries }) => {
      // The period is claimed in the transaction that queues its message, so that it is sent exactly once.
      if (!(await summaries.take(summary)) || !recipient) return 0;
      const about = { kind: "monthly_summary", month } as const;
      const parts = { subject: `summary:${accountId}:${month}`, recipient, accountId, about };
      const delivery = makeDelivery({ ...parts, language: account.language });
      return (await deliveries.addMissing([delivery])).length;
    });
  }

  async function sendDue(every: SummaryEvery): Promise<number> {
    const period = { every, through: duePeriod(every, now()) };
    let sent = 0;
    for (let after: string | undefined; ; ) {
      const due = await transaction(({ summaries }) => summaries.listDue(period, after, AT_ONCE));
      for (const accountId of due) sent += await send({ accountId, ...period });
      after = due.at(-1);
      if (due.length < AT_ONCE) return sent;
    }
  }

  return {
    showSummary: (accountId: string): Promise<Result<{ every: SummaryEvery | null }>> =>
      transaction(async ({ summaries }) => ok({ every: (await summaries.find(accountId))?.every ?? null })),

    /** Applies from the next first of the month, or of January, on; null turns it off. */
    setSummary(accountId: string, every: SummaryEvery | null): Promise<Result<{ every: SummaryEvery | null }>> {
      return transaction(async ({ summaries }) => {
        if (every) await summaries.want({ accountId, every, through: duePeriod(every, now()) });
        else await summaries.drop(accountId);
        return ok({ every });
      });
    },

    /** Job: returns how many summaries it queued. */
    summariseDue: async (): Promise<number> => (await sendDue("month")) + (await sendDue("year")),
  };
}
