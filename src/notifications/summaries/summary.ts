import { ok, type Result } from "../../shared/result.ts";
import { hostOf, ownAddress } from "../contacts/address_book.ts";
import { newDelivery } from "../delivery/delivery.ts";
import type { NotificationDeps } from "../ports.ts";

/** On the first of the month, in UTC: before most people's working day. */
const HOUR_MS = 3_600_000;
const SENT_AT_MS = 8 * HOUR_MS;
const AT_ONCE = 200;

/** The latest month whose summary is due, such as "2026-10" from 2026-11-01 08:00 on. */
export function dueMonth(now: Date): string {
  const day = new Date(now.getTime() - SENT_AT_MS);
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
}

/** The range of a month in UTC, without its end. */
export function rangeOf(month: string): { from: Date; to: Date } {
  const from = new Date(`${month}-01T00:00:00.000Z`);
  return { from, to: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1)) };
}

/** The monthly summary: its setting, and sending it once per account and month. */
export function summaries(deps: NotificationDeps) {
  const { transaction, accounts, newId, now } = deps;

  async function send(accountId: string, month: string): Promise<number> {
    const account = await accounts.of(accountId);
    const recipient = account && ownAddress(account);
    return transaction(async ({ summaries, deliveries }) => {
      // The month is claimed in the transaction that queues its message, so that it is sent exactly once.
      if (!(await summaries.take(accountId, month)) || !recipient) return 0;
      const about = { kind: "monthly_summary", month } as const;
      const parts = { id: newId(), host: hostOf(deps.publicUrl), subject: `summary:${accountId}:${month}`, recipient };
      const delivery = newDelivery({ ...parts, accountId, language: account.language, about, now: now() });
      return (await deliveries.addMissing([delivery])).length;
    });
  }

  return {
    showSummary: (accountId: string): Promise<Result<{ monthly: boolean }>> =>
      transaction(async ({ summaries }) => ok({ monthly: (await summaries.find(accountId)) !== undefined })),

    /** Applies from the next first of the month on. */
    setSummary(accountId: string, monthly: boolean): Promise<Result<{ monthly: boolean }>> {
      return transaction(async ({ summaries }) => {
        if (monthly) await summaries.want({ accountId, through: dueMonth(now()) });
        else await summaries.drop(accountId);
        return ok({ monthly });
      });
    },

    /** Job: returns how many summaries it queued. */
    async summariseDue(): Promise<number> {
      const month = dueMonth(now());
      let sent = 0;
      for (let after: string | undefined; ; ) {
        const due = await transaction(({ summaries }) => summaries.listDue(month, after, AT_ONCE));
        for (const accountId of due) sent += await send(accountId, month);
        after = due.at(-1);
        if (due.length < AT_ONCE) return sent;
      }
    },
  };
}
