import { eq, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import type { SeenRepository } from "../../ports.ts";
import { seenTable } from "./tables.ts";

export function postgresSeen(tx: Database): SeenRepository {
  return {
    async find(accountId) {
      const [row] = await tx.select().from(seenTable).where(eq(seenTable.accountId, accountId));
      return row?.seenAt;
    },
    async mark(accountId, until) {
      await tx
        .insert(seenTable)
        .values({ accountId, seenAt: until })
        .onConflictDoUpdate({
          target: seenTable.accountId,
          set: { seenAt: sql`greatest(${seenTable.seenAt}, excluded.seen_at)` },
        });
    },
    async remove(accountId) {
      await tx.delete(seenTable).where(eq(seenTable.accountId, accountId));
    },
  };
}
