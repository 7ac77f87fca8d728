import type { Summary, SummaryRepository } from "../../../src/notifications/summaries/summary_ports.ts";
import type { MemoryTables } from "../database.ts";

export function memorySummaries(tables: MemoryTables): SummaryRepository {
  const rows = tables<Summary>("notifications.summary");
  return {
    find: async (accountId) => rows.get(accountId),
    async want(summary) {
      const known = rows.get(summary.accountId);
      if (known?.every !== summary.every) rows.set(summary.accountId, summary);
    },
    drop: async (accountId) => void rows.delete(accountId),
    async listDue({ every, through }, after, limit) {
      const isDue = (row: Summary) => row.every === every && row.through < through;
      const due = rows.filter((row) => isDue(row) && (after === undefined || row.accountId > after));
      return due
        .map(({ accountId }) => accountId)
        .toSorted()
        .slice(0, limit);
    },
    async take(summary) {
      const row = rows.get(summary.accountId);
      if (row?.every !== summary.every || row.through >= summary.through) return false;
      rows.set(summary.accountId, summary);
      return true;
    },
  };
}
