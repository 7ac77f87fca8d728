import type { MailRequested } from "../../events/catalogue.ts";
import { joined } from "../../shared/batching.ts";
import type { BreachDeps, Overdue, Reader, StaleNotice } from "../ports.ts";

const HOUR_MS = 3_600_000;
/** A check overdue by more than this makes the result unreliable. */
const STALE_MS = 24 * HOUR_MS;
/** After a downtime everything is overdue, but is caught up with before anybody has to be notified. */
const PATIENCE_MS = HOUR_MS;
const AT_ONCE = 200;

/** Notifies accounts when their addresses cannot be checked, and when that is over: once each per incident. */
export function staleness({ transaction, feeds, accounts, now }: BreachDeps) {
  const sources = feeds.map(({ source }) => source);
  const lateSince = joined(async (accountIds: string[]) => {
    const notices = await transaction(({ stale }) => stale.list(accountIds));
    return new Map(notices.flatMap(({ accountId, toldAt, since }) => (toldAt ? [[accountId, since]] : [])));
  });

  function mailOf(
    template: "checks_stale" | "checks_resumed",
    { email, language }: Reader,
    about: Overdue,
  ): MailRequested {
    const { accountId, addresses, since } = about;
    const params = { addresses: String(addresses), since: since.toISOString(), at: now().toISOString() };
    return { type: "mail.requested", to: email, language, template, params, accountId };
  }

  /** Outside the transaction: other modules open transactions of their own. */
  async function tell(overdue: Overdue): Promise<number> {
    const account = await accounts.of(overdue.accountId);
    if (!account?.verified) return 0;
    return transaction(async ({ stale, events }) => {
      if (!(await stale.tell(overdue, now()))) return 0;
      await events.publish(mailOf("checks_stale", account, overdue));
      return 1;
    });
  }

  /** Overdue checks in one page of accounts; incidents older than an hour are reported. */
  async function lookAt(accountIds: string[]): Promise<number> {
    const at = now();
    const due = await transaction(async ({ stale }) => {
      const overdue = await stale.listOverdue(accountIds, sources, new Date(at.getTime() - STALE_MS));
      await stale.see(overdue, at);
      const isDue = ({ toldAt, seenAt }: StaleNotice) => !toldAt && at.getTime() - seenAt.getTime() >= PATIENCE_MS;
      const untold = new Set((await stale.list(accountIds)).filter(isDue).map(({ accountId }) => accountId));
      return overdue.filter(({ accountId }) => untold.has(accountId));
    });
    let told = 0;
    for (const overdue of due) told += await tell(overdue);
    return told;
  }

  async function begin(): Promise<number> {
    const before = new Date(now().getTime() - STALE_MS);
    if (!(await transaction(({ stale }) => stale.isAnythingDue(sources, before)))) return 0;
    let told = 0;
    for (let after: string | undefined; ; ) {
      const ids = await transaction(({ stale }) => stale.listAccounts(after, AT_ONCE));
      told += await lookAt(ids);
      after = ids.at(-1);
      if (ids.length < AT_ONCE) return told;
    }
  }

  /** Ends an incident; only accounts that were notified of it and still track something are notified again. */
  async function end(accountId: string, isWatching: boolean): Promise<number> {
    const account = isWatching ? await accounts.of(accountId) : undefined;
    return transaction(async ({ stale, events }) => {
      const ended = await stale.end(accountId);
      if (!ended?.toldAt || !account) return 0;
      await events.publish(mailOf("checks_resumed", account, ended));
      return 1;
    });
  }

  async function finish(): Promise<number> {
    let told = 0;
    for (let after: string | undefined; ; ) {
      const { notices, over } = await transaction(({ stale }) => stale.page(after, AT_ONCE, sources, now()));
      for (const { accountId, isWatching } of over) told += await end(accountId, isWatching);
      after = notices.at(-1)?.accountId;
      if (notices.length < AT_ONCE) return told;
    }
  }

  return {
    /** The job: returns the number of notified accounts. */
    tellStale: async (): Promise<number> => (await begin()) + (await finish()),

    /** Since when the account's checks are overdue, if it was notified. */
    lateSince,
  };
}
