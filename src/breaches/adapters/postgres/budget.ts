import { eq, sql } from "drizzle-orm";
import { rowsOf } from "../../../database/logical_dump.ts";
import type { Database } from "../../../database/postgres.ts";
import { together } from "../../../shared/batching.ts";
import type { Transaction } from "../../../shared/transaction.ts";
import type { RateBudget } from "../../ports.ts";
import { budgetTable } from "./tables.ts";

/** How far behind schedule callers of a fast source may catch up; the calls of that time may go together. */
const TOGETHER_MS = 250;

/** The shared rate limit of a source: one timestamp, at which its next slot is free (GCRA). */
export function postgresRateBudget(transaction: Transaction<Database>, now: () => Date): RateBudget {
  const { source: name, nextSlotAt } = budgetTable;

  async function takeOne(tx: Database, source: string, intervalMs: number): Promise<number> {
    const at = now();
    const instant = sql`${at.toISOString()}::timestamptz`;
    const earliest = sql`${instant} - ${Math.max(0, TOGETHER_MS - intervalMs)}::float8 * interval '1 millisecond'`;
    const spacing = sql`${intervalMs}::float8 * interval '1 millisecond'`;
    // A template, as every check takes one: Drizzle's insert costs several times as much to build.
    const taken = await rowsOf(
      tx,
      sql`insert into ${budgetTable} as budget (source, next_slot_at) values (${source}, ${instant} + ${spacing})
        on conflict (source) do update set next_slot_at = greatest(budget.next_slot_at, ${earliest}) + ${spacing}
          where budget.next_slot_at <= ${instant}
        returning 1`,
    );
    if (taken.length > 0) return 0;
    const [row] = await tx.select().from(budgetTable).where(eq(name, source));
    return Math.max(1, (row?.nextSlotAt.getTime() ?? 0) - at.getTime());
  }

  /** One transaction for callers that ask at the same time. */
  const queueOf = (source: string) =>
    together((intervals: number[]) =>
      transaction(async (tx) => {
        const waits: number[] = [];
        for (const intervalMs of intervals) waits.push(await takeOne(tx, source, intervalMs));
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
