import type { Letter, LetterRepository } from "../../../src/breaches/ports.ts";
import type { MemoryTables } from "../database.ts";

export function memoryLetters(tables: MemoryTables): LetterRepository {
  const rows = tables<Letter>("breaches.letter");
  const own = (accountId: string, id: string) => rows.find((row) => row.id === id && row.accountId === accountId);
  const isOpen = ({ answered, remindedAt }: Letter) => !answered && remindedAt === undefined;
  const newestFirst = (a: Letter, b: Letter) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1);
  return {
    // In-memory transactions are serialised anyway.
    count: async (accountId) => rows.filter((row) => row.accountId === accountId).length,
    add: async (letter) => void rows.set(letter.id, letter),
    list: async (accountId) => rows.filter((row) => row.accountId === accountId).toSorted(newestFirst),
    async setAnswered(accountId, id, answered) {
      const letter = own(accountId, id);
      if (letter) rows.set(id, { ...letter, answered });
      return letter !== undefined;
    },
    async remove(accountId, id) {
      const letter = own(accountId, id);
      if (letter) rows.delete(id);
      return letter !== undefined;
    },
    async removeByAccount(accountId) {
      for (const { id } of rows.filter((row) => row.accountId === accountId)) rows.delete(id);
    },
    async listOverdue(today, limit) {
      const overdue = rows.filter((row) => isOpen(row) && row.dueOn !== undefined && row.dueOn < today);
      return overdue.toSorted((a, b) => ((a.dueOn ?? "") + a.id < (b.dueOn ?? "") + b.id ? -1 : 1)).slice(0, limit);
    },
    async markReminded(id, now) {
      const letter = rows.get(id);
      if (!letter || !isOpen(letter)) return false;
      rows.set(id, { ...letter, remindedAt: now });
      return true;
    },
  };
}
