import { eq, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import { together } from "../../../shared/batching.ts";
import type { Transaction } from "../../../shared/transaction.ts";
import type { RateBudget } from "../../ports.ts";
import { budgetTable } from "./tables.ts";

/** Calls of a fast source that are due within this time may go together. */
const TOGETHER_MS = 20;

/** The shared rate limit of a source: one timestamp, at which its next slot is free (GCRA). */
export function postgresRateBudget(transaction: Transaction<Database>, now: () => Date): RateBudget {
  const isOf = (source: string) => eq(budgetTable.source, source);

  /** Takes slots for callers that ask at the same time, and returns the wait of each. */
  function claim(source: string, intervalMs: number, callers: number): Promise<number[]> {
    return transaction(async (tx) => {
      const at = now().getTime();
      await tx
        .insert(budgetTable)
        .values({ source, nextSlotAt: new Date(at) })
        .onConflictDoNothing();
      const [row] = await tx.select().from(budgetTable).where(isOf(source)).for("update");
      let next = Math.max(row?.nextSlotAt.getTime() ?? at, at - Math.max(0, TOGETHER_MS - intervalMs));
      let granted = 0;
      while (granted < callers && next <= at) {
        next += intervalMs;
        granted += 1;
      }
      if (granted > 0)
        await tx
          .update(budgetTable)
          .set({ nextSlotAt: new Date(Math.ceil(next)) })
          .where(isOf(source));
      return Array.from({ length: callers }, (_, place) => (place < granted ? 0 : Math.max(1, Math.ceil(next - at))));
    });
  }

  const queues = new Map<string, (caller: undefined) => Promise<number>>();
  return {
    take(source, intervalMs) {
      const key = `${intervalMs} ${source}`;
      const queue = queues.get(key) ?? together((callers) => claim(source, intervalMs, callers.length));
      queues.set(key, queue);
      return queue(undefined);
    },
    async pause(source, until) {
      await transaction(async (tx) => {
        await tx
          .insert(budgetTable)
          .values({ source, nextSlotAt: until })
          .onConflictDoUpdate({
            target: budgetTable.source,
            set: { nextSlotAt: sql`greatest(${budgetTable.nextSlotAt}, excluded.next_slot_at)` },
          });
      });
    },
    list: () => transaction((tx) => tx.select().from(budgetTable).orderBy(budgetTable.source)),
  };
}
