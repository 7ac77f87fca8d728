import type { BreachDeps } from "../ports.ts";
import { toldOf } from "../scanning/monitoring.ts";
import { knownTimes } from "../scanning/watching.ts";
import { type AlertView, viewOf } from "./alerts.ts";

const PAGE = 200;
const EVER = { handledAfter: new Date(0) };

/** The data that this module holds on an account. */
export function records({ transaction, feeds, accounts }: BreachDeps) {
  /** Pastes and stealer logs, as they were last asked for. */
  async function tracesOf(accountId: string) {
    const all = await transaction((store) => store.traces.list(accountId));
    return all.map(({ address, againAt, answer, done }) => ({ address, againAt, ...answer, done }));
  }

  /** What the sources were told about the account's own address and its aliases. */
  async function toldAbout(accountId: string) {
    const account = await accounts.of(accountId);
    if (!account?.verified) return [];
    return transaction(async (store) => {
      const watches = await store.watches.listByAccount(accountId);
      const aliases = watches.flatMap(({ aliasOf, address }) => (aliasOf === undefined ? [] : [address]));
      const told = [];
      for (const address of [account.email, ...aliases])
        told.push(...(await toldOf(store, address)).map((one) => ({ address, ...one })));
      return told;
    });
  }

  return {
    countOf: (accountId: string): Promise<number> =>
      transaction(async ({ alerts }) => (await alerts.list(accountId, EVER, 0, 1)).total),

    /** Alerts raised and handled within a period, and all that are pending. */
    alertCounts: (accountId: string, { from, to }: { from: Date; to: Date }) =>
      transaction(({ alerts }) => alerts.countWithin(accountId, from, to)),

    /**
     * For the account's data export, including alerts that have left the table. One page per transaction, as transactions are
     * kept short.
     */
    async recordsOf(accountId: string) {
      const alerts: AlertView[] = [];
      for (let more = true; more; ) {
        const page = await transaction((store) => store.alerts.list(accountId, EVER, alerts.length, PAGE));
        alerts.push(...page.alerts.map(viewOf));
        more = page.alerts.length === PAGE;
      }
      const checks = await transaction(async (store) => {
        const all = await store.watches.listByAccount(accountId);
        const addresses = all.map(({ address }) => address);
        const sources = feeds.map(({ source }) => source);
        const times = await knownTimes(store, addresses, sources);
        return all.map(({ address, baselineAt, suspended }) => ({
          address,
          suspended,
          firstCheckedAt: baselineAt ?? null,
          lastCheckedAt: times.get(address)?.checkedAt ?? null,
          nextCheckAt: times.get(address)?.dueAt ?? null,
        }));
      });
      const seenAt = await transaction(({ seen }) => seen.find(accountId));
      const [late] = await transaction(({ stale }) => stale.list([accountId]));
      const traces = await tracesOf(accountId);
      const told = await toldAbout(accountId);
      const letters = await transaction((store) => store.letters.list(accountId));
      return { alerts, checks, bell: { seenAt: seenAt ?? null }, lateChecks: late ?? null, traces, told, letters };
    },
  };
}
