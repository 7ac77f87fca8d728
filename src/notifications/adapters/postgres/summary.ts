import { and, asc, eq, gt, lt, ne } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import type { SummaryRepository } from "../../summaries/summary_ports.ts";
import { summaryTable } from "./tables.ts";

export function postgresSummaries(tx: Database): SummaryRepository {
  return {
    async find(accountId) {
      const [row] = await tx.select().from(summaryTable).where(eq(summaryTable.accountId, accountId));
      return row;
    },
    async want(summary) {
      const { accountId, every } = summaryTable;
      const isOther = ne(every, summary.every);
      await tx
        .insert(summaryTable)
        .values(summary)
        .onConflictDoUpdate({ target: accountId, set: summary, setWhere: isOther });
    },
    async drop(accountId) {
      await tx.delete(summaryTable).where(eq(summaryTable.accountId, accountId));
    },
    async listDue({ every, through }, after, limit) {
      const behind = after === undefined ? undefined : gt(summaryTable.accountId, after);
      const rows = await tx
        .select({ accountId: summaryTable.accountId })
        .from(summaryTable)
        .where(and(eq(summaryTable.every, every), lt(summaryTable.through, through), behind))
        .orderBy(asc(summaryTable.accountId))
        .limit(limit);
      return rows.map(({ accountId }) => accountId);
    },
    async take({ accountId, every, through }) {
      const isDue = and(eq(summaryTable.every, every), lt(summaryTable.through, through));
      const taken = await tx
        .update(summaryTable)
        .set({ through })
        .where(and(eq(summaryTable.accountId, accountId), isDue))
        .returning({ accountId: summaryTable.accountId });
      return taken.length === 1;
    },
  };
}
