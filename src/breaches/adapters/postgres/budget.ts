import { eq, lte, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import type { Transaction } from "../../../shared/transaction.ts";
import type { RateBudget } from "../../ports.ts";
import { budgetTable } from "./tables.ts";

/** Slots of a fast source are taken in batches of this duration. Shorter waits happen here. */
const TOGETHER_MS = 20;
/** How long taken slots may be used: the database may take a while to grant the next ones. */
const KEPT_MS = 60;
/** Limit of a batch; the next is requested when half of the last one, or of its time, is used. */
const MOST_TOGETHER = 256;

type Caller = PromiseWithResolvers<number>;
/** Slots that this process has taken and not used yet, and the callers that wait for the next ones. */
type Hand = { left: number; until: number; callers: Caller[]; isAsking: boolean; pauses: number };

const countOf = (intervalMs: number) => Math.min(MOST_TOGETHER, Math.max(1, Math.floor(TOGETHER_MS / intervalMs)));

/** The shared rate limit of a source: each slot, or batch of slots, is granted once by a conditional write. */
export function postgresRateBudget(transaction: Transaction<Database>, now: () => Date): RateBudget {
  const hands = new Map<string, Hand>();
  const handOf = (source: string, intervalMs: number): Hand => {
    const key = `${intervalMs} ${source}`;
    const hand = hands.get(key) ?? { left: 0, until: 0, callers: [], isAsking: false, pauses: 0 };
    hands.set(key, hand);
    return hand;
  };

  /** The milliseconds to wait; 0 when the slots were granted for this long. */
  function claim(source: string, lastsMs: number): Promise<{ at: Date; wait: number }> {
    return transaction(async (tx) => {
      const at = now();
      const next = new Date(at.getTime() + lastsMs);
      const taken = await tx
        .insert(budgetTable)
        .values({ source, nextSlotAt: next })
        .onConflictDoUpdate({
          target: budgetTable.source,
          set: { nextSlotAt: next },
          setWhere: lte(budgetTable.nextSlotAt, at),
        })
        .returning({ source: budgetTable.source });
      if (taken.length === 1) return { at, wait: 0 };
      const [row] = await tx.select().from(budgetTable).where(eq(budgetTable.source, source));
      return { at, wait: Math.max(1, (row?.nextSlotAt.getTime() ?? 0) - at.getTime()) };
    });
  }

  /** Callers during a running request are answered by the next one. */
  async function ask(hand: Hand, source: string, intervalMs: number): Promise<void> {
    const count = countOf(intervalMs);
    hand.isAsking = true;
    do {
      const callers = hand.callers.splice(0);
      const { pauses } = hand;
      try {
        const lasts = Math.ceil(count * intervalMs);
        let { at, wait } = await claim(source, lasts);
        if (wait > 0 && wait <= TOGETHER_MS && count > 1) {
          await Bun.sleep(wait);
          ({ at, wait } = await claim(source, lasts));
        }
        const ours = wait === 0 ? callers.splice(0, count) : [];
        for (const caller of ours) caller.resolve(0);
        for (const caller of callers) caller.resolve(wait || lasts);
        if (wait > 0 && callers.length === 0) continue;
        hand.left = wait === 0 && pauses === hand.pauses ? count - ours.length : 0;
        hand.until = at.getTime() + KEPT_MS;
      } catch (error) {
        for (const caller of callers) caller.reject(error);
      }
    } while (hand.callers.length > 0);
    hand.isAsking = false;
  }

  return {
    take(source, intervalMs) {
      const hand = handOf(source, intervalMs);
      const restMs = hand.until - now().getTime();
      if (hand.left > 0 && restMs > 0) {
        hand.left -= 1;
        const isHalf = hand.left < MOST_TOGETHER / 2 || restMs < KEPT_MS / 2;
        if (isHalf && !hand.isAsking && countOf(intervalMs) === MOST_TOGETHER) void ask(hand, source, intervalMs);
        return Promise.resolve(0);
      }
      const caller = Promise.withResolvers<number>();
      hand.callers.push(caller);
      if (!hand.isAsking) void ask(hand, source, intervalMs);
      return caller.promise;
    },
    async pause(source, until) {
      for (const [key, hand] of hands) {
        if (!key.endsWith(` ${source}`)) continue;
        hand.left = 0;
        hand.pauses += 1;
      }
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
