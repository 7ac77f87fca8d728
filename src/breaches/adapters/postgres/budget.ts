import { eq, lte, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import type { Transaction } from "../../../shared/transaction.ts";
import type { RateBudget } from "../../ports.ts";
import { budgetTable } from "./tables.ts";

/** What callers of a fast source may make up for when they come late: calls of that time may go together. */
const TOGETHER_MS = 250;

/** The shared rate limit of a source: one timestamp, at which its next slot is free (GCRA). */
export function postgresRateBudget(transaction: Transaction<Database>, now: () => Date): RateBudget {
  const { source: name, nextSlotAt } = budgetTable;
  const later = (ms: number) => sql`${ms}::double precision * interval '1 millisecond'`;

  return {
    take: (source, intervalMs) =>
      transaction(async (tx) => {
        const at = now();
        const earliest = sql.param(new Date(at.getTime() - Math.max(0, TOGETHER_MS - intervalMs)), nextSlotAt);
        const taking = tx
          .insert(budgetTable)
          .values({ source, nextSlotAt: sql`${sql.param(at, nextSlotAt)}::timestamptz + ${later(intervalMs)}` })
          .onConflictDoUpdate({
            target: name,
            set: { nextSlotAt: sql`greatest(${nextSlotAt}, ${earliest}) + ${later(intervalMs)}` },
            setWhere: lte(nextSlotAt, at),
          });
        if ((await taking.returning({ name })).length > 0) return 0;
        const [row] = await tx.select().from(budgetTable).where(eq(name, source));
        return Math.max(1, (row?.nextSlotAt.getTime() ?? 0) - at.getTime());
      }),
    async pause(source, until) {
      await transaction(async (tx) => {
        await tx
          .insert(budgetTable)
          .values({ source, nextSlotAt: until })
          .onConflictDoUpdate({
            target: name,
            set: { nextSlotAt: sql`greatest(${nextSlotAt}, excluded.next_slot_at)` },
          });
      });
    },
    list: () => transaction((tx) => tx.select().from(budgetTable).orderBy(name)),
  };
}
