import { eq, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import { together } from "../../../shared/batching.ts";
import type { Transaction } from "../../../shared/transaction.ts";
import type { RateBudget } from "../../ports.ts";
import { takeTurn } from "../../scanning/rate_limit.ts";
import { budgetTable } from "./tables.ts";

/** The rate limit of each source, shared by all processes: a row says when its next slot is free. */
export function postgresRateBudget(transaction: Transaction<Database>, now: () => Date): RateBudget {
  const { source: name, nextSlotAt } = budgetTable;

  /** Locks the source's row, and inserts it if it is missing. Returns its next slot in milliseconds, with a fraction. */
  async function lockSlot(tx: Database, source: string, at: Date): Promise<number> {
    const [row] = await tx
      .insert(budgetTable)
      .values({ source, nextSlotAt: at })
      .onConflictDoUpdate({ target: name, set: { source } })
      .returning({ ms: sql<string>`extract(epoch from ${nextSlotAt}) * 1000` });
    if (!row) throw new Error(`Cannot lock the rate limit of ${source}`);
    return Number(row.ms);
  }

  /** One transaction for callers that ask at the same time. */
  const queueOf = (source: string) =>
    together((intervals: number[]) =>
      transaction(async (tx) => {
        const at = now();
        const found = await lockSlot(tx, source, at);
        let next = found;
        const waits = intervals.map((intervalMs) => {
          const { nextSlot, waitMs } = takeTurn(next, at.getTime(), intervalMs);
          next = nextSlot;
          return waitMs;
        });
        if (next > found)
          await tx
            .update(budgetTable)
            .set({ nextSlotAt: sql`to_timestamp(${next / 1000}::float8)` })
            .where(eq(name, source));
        return waits;
      }),
    );
  const queues = new Map<string, ReturnType<typeof queueOf>>();

  return {
    take(source, intervalMs) {
      const queue = queues.get(source) ?? queueOf(source);
      queues.set(source, queue);
      return queue(intervalMs);
    },
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
