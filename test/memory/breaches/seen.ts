import type { SeenRepository } from "../../../src/breaches/ports.ts";
import type { MemoryTables } from "../database.ts";

export function memorySeen(tables: MemoryTables): SeenRepository {
  const rows = tables<{ seenAt: Date }>("breaches.seen");
  return {
    find: async (accountId) => rows.get(accountId)?.seenAt,
    async mark(accountId, until) {
      const before = rows.get(accountId)?.seenAt;
      rows.set(accountId, { seenAt: before && before > until ? before : until });
    },
    async remove(accountId) {
      rows.delete(accountId);
    },
  };
}
