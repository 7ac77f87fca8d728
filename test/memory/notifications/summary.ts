import type { Summary, SummaryRepository } from "../../../src/notifications/summaries/summary_ports.ts";
import type { MemoryTables } from "../database.ts";

export function memorySummaries(tables: MemoryTables): SummaryRepository {
  const rows = tables<Summary>("notifications.summary");
  return {
    find: async (accountId) => rows.get(accountId),
    async want(summary) {
      rows.set(summary.accountId, rows.get(summary.accountId) ?? summary);
    },
    drop: async (accountId) => void rows.delete(accountId),
    async listDue(month, after, limit) {
      const due = rows.filter((row) => row.through < month && (after === undefined || row.accountId > after));
      return due
        .map(({ accountId }) => accountId)
        .toSorted()
        .slice(0, limit);
    },
    async take(accountId, month) {
      const row = rows.get(accountId);
      if (!row || row.through >= month) return false;
      rows.set(accountId, { accountId, through: month });
      return true;
    },
  };
}
