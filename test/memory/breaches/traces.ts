import type { Trace, TraceKey, TraceRepository, Watch } from "../../../src/breaches/ports.ts";
import type { MemoryTables } from "../database.ts";

const idOf = ({ accountId, address }: TraceKey) => `${accountId} ${address}`;

export function memoryTraces(tables: MemoryTables): TraceRepository {
  const rows = tables<Trace>("breaches.trace");
  const watches = tables<Watch>("breaches.watch");
  return {
    find: async (accountId, address) => rows.get(idOf({ accountId, address })),
    list: async (accountId) => rows.filter((row) => row.accountId === accountId),
    async claim(key, now, until) {
      const row = rows.get(idOf(key));
      if (row && row.againAt > now) return row.againAt;
      rows.set(idOf(key), { ...key, done: [], answer: undefined, ...row, againAt: until });
      return undefined;
    },
    async postpone(key, againAt) {
      const row = rows.get(idOf(key));
      if (row) rows.set(idOf(key), { ...row, againAt });
    },
    async keep(key, answer, againAt) {
      const row = rows.get(idOf(key));
      const done = row?.done.filter((site) => answer.sites?.includes(site)) ?? [];
      if (row) rows.set(idOf(key), { ...row, answer, againAt, done });
    },
    async tick(key, site, isDone) {
      const row = rows.get(idOf(key));
      if (!row?.answer?.sites?.includes(site)) return false;
      const others = row.done.filter((one) => one !== site);
      rows.set(idOf(key), { ...row, done: isDone ? [...others, site] : others });
      return true;
    },
    async remove(accountId, address) {
      rows.removeWhere((row) => row.accountId === accountId && (address === undefined || row.address === address));
    },
    async removeUnwatched(address) {
      if (!watches.find((watch) => watch.address === address)) rows.removeWhere((row) => row.address === address);
    },
  };
}
