import type { Overdue, StaleNotice, StaleRepository, Watch } from "../../../src/breaches/ports.ts";
import type { MemoryTables } from "../database.ts";
import type { ScanRow } from "./scans.ts";

const byAccount = (one: { accountId: string }, other: { accountId: string }) =>
  one.accountId < other.accountId ? -1 : 1;

export function memoryStale(tables: MemoryTables): StaleRepository {
  const notices = tables<StaleNotice>("breaches.stale_notice");
  const watches = tables<Watch>("breaches.watch");
  const scans = tables<ScanRow>("breaches.scan");
  const watched = (accountId: string) => watches.filter((watch) => watch.accountId === accountId && !watch.suspended);
  const scansOf = (address: string, sources: string[]) =>
    scans.filter((row) => row.address === address && sources.includes(row.source) && !row.unsupported);

  function overdueOf(accountId: string, sources: string[], before: Date): Overdue[] {
    const addresses = watched(accountId).filter(({ aliasOf }) => aliasOf === undefined);
    const late = addresses.flatMap(({ address }) => {
      const due = scansOf(address, sources).map(({ dueAt }) => dueAt.getTime());
      return due.length > 0 && Math.max(...due) <= before.getTime() ? Math.max(...due) : [];
    });
    return late.length === 0 ? [] : [{ accountId, addresses: late.length, since: new Date(Math.min(...late)) }];
  }

  function isOver({ accountId, toldAt, seenAt }: StaleNotice, sources: string[], now: Date): boolean {
    return watched(accountId).every(({ address }) => {
      const rows = scansOf(address, sources);
      const isChecked = ({ dueAt, checkedAt }: ScanRow) =>
        dueAt > now || (checkedAt !== undefined && checkedAt > (toldAt ?? seenAt));
      return rows.length === 0 || rows.some(isChecked);
    });
  }

  return {
    isAnythingDue: async (sources, before) =>
      scans.filter((row) => sources.includes(row.source) && !row.unsupported && row.dueAt <= before).length > 0,
    async listAccounts(after, limit) {
      const ids = new Set(watches.filter(() => true).map(({ accountId }) => accountId));
      const behind = [...ids].filter((id) => after === undefined || id > after);
      return behind.toSorted().slice(0, limit);
    },
    listOverdue: async (accountIds, sources, before) =>
      accountIds.toSorted().flatMap((accountId) => overdueOf(accountId, sources, before)),
    async see(overdue, seenAt) {
      for (const each of overdue)
        notices.set(each.accountId, notices.get(each.accountId) ?? { ...each, seenAt, toldAt: undefined });
    },
    list: async (accountIds) => accountIds.flatMap((accountId) => notices.get(accountId) ?? []),
    async page(after, limit, sources, now) {
      const behind = notices.filter(({ accountId }) => after === undefined || accountId > after);
      const page = behind.toSorted(byAccount).slice(0, limit);
      const over = page
        .filter((notice) => isOver(notice, sources, now))
        .map(({ accountId }) => ({ accountId, isWatching: watched(accountId).length > 0 }));
      return { notices: page, over };
    },
    async tell({ accountId, addresses, since }, toldAt) {
      const notice = notices.get(accountId);
      if (!notice || notice.toldAt) return false;
      notices.set(accountId, { ...notice, addresses, since, toldAt });
      return true;
    },
    async end(accountId) {
      const notice = notices.get(accountId);
      notices.delete(accountId);
      return notice;
    },
  };
}
