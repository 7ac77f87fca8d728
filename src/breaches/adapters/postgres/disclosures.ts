import { desc, eq, sql } from "drizzle-orm";
import { listed } from "../../../database/lists.ts";
import type { Database } from "../../../database/postgres.ts";
import type { DisclosureRepository } from "../../ports.ts";
import { disclosureTable, watchTable } from "./tables.ts";

export function postgresDisclosures(tx: Database): DisclosureRepository {
  const { address, source, form, firstAt, lastAt, times } = disclosureTable;
  return {
    async note(addresses, told, now) {
      if (addresses.length === 0) return;
      const at = sql`${now.toISOString()}::timestamptz`;
      // In order, so that two processes that note the same addresses do not wait for each other.
      await tx.execute(sql`insert into ${disclosureTable} as known (address, source, form, first_at, last_at, times)
        select told, ${told.source}, ${told.form}, ${at}, ${at}, 1
        from unnest(${listed([...new Set(addresses)].toSorted())}) as told
        on conflict (address, source, form) do update
          set last_at = greatest(known.last_at, excluded.last_at), times = known.times + 1`);
    },
    async list(of) {
      return await tx
        .select({ source, form, firstAt, lastAt, times })
        .from(disclosureTable)
        .where(eq(address, of))
        .orderBy(desc(lastAt), source, form);
    },
    async removeUnwatched(addresses) {
      if (addresses.length === 0) return;
      await tx.delete(disclosureTable).where(
        sql`${address} = any(${listed(addresses)})
          and not exists (select 1 from ${watchTable} where ${watchTable.address} = ${address})`,
      );
    },
  };
}
