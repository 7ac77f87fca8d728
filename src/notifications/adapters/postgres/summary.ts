import { and, asc, eq, gt, lt } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import type { SummaryRepository } from "../../summaries/summary_ports.ts";
import { summaryTable } from "./tables_summary.ts";

export function postgresSummaries(tx: Database): SummaryRepository {
  return {
    async find(accountId) {
      const [row] = await tx.select().from(summaryTable).where(eq(summaryTable.accountId, accountId));
      return row;
    },
    async want(summary) {
      await tx.insert(summaryTable).values(summary).onConflictDoNothing();
    },
    async drop(accountId) {
      await tx.delete(summaryTable).where(eq(summaryTable.accountId, accountId));
    },
    async listDue(month, after, limit) {
      const behind = after === undefined ? undefined : gt(summaryTable.accountId, after);
      const rows = await tx
        .select({ accountId: summaryTable.accountId })
        .from(summaryTable)
        .where(and(lt(summaryTable.through, month), behind))
        .orderBy(asc(summaryTable.accountId))
        .limit(limit);
      return rows.map(({ accountId }) => accountId);
    },
    async take(accountId, month) {
      const taken = await tx
        .update(summaryTable)
        .set({ through: month })
        .where(and(eq(summaryTable.accountId, accountId), lt(summaryTable.through, month)))
        .returning({ accountId: summaryTable.accountId });
      return taken.length === 1;
    },
  };
}
