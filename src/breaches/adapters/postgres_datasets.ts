import { and, eq, inArray, sql } from "drizzle-orm";
import { listed } from "../../database/lists.ts";
import type { Database } from "../../database/postgres.ts";
import { rowsOf } from "../../database/snapshot.ts";
import type { DatasetRepository, ImportProgress } from "../ports.ts";
import { breachTable, datasetTable, importTable } from "./tables.ts";

const UNREAD: ImportProgress = {
  ...{ state: "running", lines: 0, added: 0, raised: 0, bad: 0, problems: [], reason: undefined },
};

export function postgresDatasets(tx: Database): DatasetRepository {
  return {
    async add(findings) {
      if (findings.length === 0) return 0;
      // In the order of the index, which so is gone through once.
      const [row] = await rowsOf<{ added: number }>(
        tx,
        sql`with added as (
          insert into ${datasetTable} (hash, breach_name)
          select hash, breach_name from unnest(
            ${listed(findings.map(({ hash }) => hash))}, ${listed(findings.map(({ breachName }) => breachName))}
          ) as finding(hash, breach_name) order by hash collate "C"
          on conflict do nothing returning 1
        ) select count(*)::int as added from added`,
      );
      return row?.added ?? 0;
    },
    async breachesOf(hashes) {
      const rows = await tx
        .selectDistinct({ breachName: datasetTable.breachName })
        .from(datasetTable)
        .where(inArray(datasetTable.hash, hashes));
      return rows.map(({ breachName }) => breachName);
    },
    async listBreaches() {
      const rows = await tx
        .select({ breach: breachTable.breach })
        .from(breachTable)
        .where(eq(breachTable.source, "dataset"));
      return rows.map(({ breach }) => breach);
    },
    async claim(id, now, leaseMs) {
      const lease = { leaseToken: crypto.randomUUID(), leaseUntil: new Date(now.getTime() + leaseMs) };
      const [row] = await tx
        .insert(importTable)
        .values({ id, progress: UNREAD, ...lease })
        .onConflictDoUpdate({
          target: importTable.id,
          set: lease,
          setWhere: sql`(${importTable.leaseUntil} is null or ${importTable.leaseUntil} < ${now.toISOString()}::timestamptz)`,
        })
        .returning();
      return row && { leaseToken: lease.leaseToken, progress: { ...UNREAD, ...row.progress } };
    },
    async advance(id, leaseToken, progress, leaseUntil) {
      const advanced = await tx
        .update(importTable)
        .set({ progress, leaseUntil })
        .where(and(eq(importTable.id, id), eq(importTable.leaseToken, leaseToken)))
        .returning({ id: importTable.id });
      return advanced.length === 1;
    },
  };
}
