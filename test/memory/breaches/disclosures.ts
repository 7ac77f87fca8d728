import type { Disclosure, DisclosureRepository, Watch } from "../../../src/breaches/ports.ts";
import type { MemoryTables } from "../database.ts";

type Row = Disclosure & { address: string };

export function memoryDisclosures(tables: MemoryTables): DisclosureRepository {
  const rows = tables<Row>("breaches.disclosure");
  const watchRows = tables<Watch>("breaches.watch");
  const keyOf = ({ address, source, form }: Pick<Row, "address" | "source" | "form">) =>
    [address, source, form].join(" ");
  return {
    async note(addresses, told, now) {
      for (const address of new Set(addresses)) {
        const key = keyOf({ address, ...told });
        const { firstAt, lastAt, times } = rows.get(key) ?? { firstAt: now, lastAt: now, times: 0 };
        rows.set(key, {
          address,
          ...told,
          firstAt,
          lastAt: new Date(Math.max(lastAt.getTime(), now.getTime())),
          times: times + 1,
        });
      }
    },
    async list(address) {
      return rows
        .filter((row) => row.address === address)
        .map(({ address: _, ...told }) => told)
        .toSorted(
          (a, b) => b.lastAt.getTime() - a.lastAt.getTime() || (a.source + a.form < b.source + b.form ? -1 : 1),
        );
    },
    async removeUnwatched(addresses) {
      const watched = new Set(watchRows.filter().map(({ address }) => address));
      for (const row of rows.filter(({ address }) => addresses.includes(address) && !watched.has(address)))
        rows.delete(keyOf(row));
    },
  };
}
