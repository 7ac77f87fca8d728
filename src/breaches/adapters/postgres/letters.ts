import { and, count, desc, eq, isNull, lt, sql } from "drizzle-orm";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { LetterRepository } from "../../ports.ts";
import { letterTable } from "./tables.ts";

const isOwn = (accountId: string, id: string) => and(eq(letterTable.id, id), eq(letterTable.accountId, accountId));
const isOpen = and(eq(letterTable.answered, false), isNull(letterTable.remindedAt));

export function postgresLetters(tx: Database): LetterRepository {
  return {
    async count(accountId) {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`letters:${accountId}`}, 0))`);
      const [row] = await tx.select({ count: count() }).from(letterTable).where(eq(letterTable.accountId, accountId));
      return row?.count ?? 0;
    },
    async add(letter) {
      await tx.insert(letterTable).values(letter);
    },
    async list(accountId) {
      const rows = await tx
        .select()
        .from(letterTable)
        .where(eq(letterTable.accountId, accountId))
        .orderBy(desc(letterTable.createdAt), desc(letterTable.id));
      return rows.map(withoutNulls);
    },
    async setAnswered(accountId, id, answered) {
      const rows = await tx
        .update(letterTable)
        .set({ answered })
        .where(isOwn(accountId, id))
        .returning({ id: letterTable.id });
      return rows.length === 1;
    },
    async remove(accountId, id) {
      const rows = await tx.delete(letterTable).where(isOwn(accountId, id)).returning({ id: letterTable.id });
      return rows.length === 1;
    },
    async removeByAccount(accountId) {
      await tx.delete(letterTable).where(eq(letterTable.accountId, accountId));
    },
    async listOverdue(today, limit) {
      const rows = await tx
        .select()
        .from(letterTable)
        .where(and(isOpen, lt(letterTable.dueOn, today)))
        .orderBy(letterTable.dueOn, letterTable.id)
        .limit(limit);
      return rows.map(withoutNulls);
    },
    async markReminded(id, now) {
      const rows = await tx
        .update(letterTable)
        .set({ remindedAt: now })
        .where(and(eq(letterTable.id, id), isOpen))
        .returning({ id: letterTable.id });
      return rows.length === 1;
    },
  };
}
