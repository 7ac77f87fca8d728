import { and, eq, inArray, sql } from "drizzle-orm";
import type { Database } from "../../database/postgres.ts";
import type { DatasetRepository, ImportProgress } from "../ports.ts";
import { breachTable, datasetTable, importTable } from "./tables.ts";

const CHUNK = 1000;
const UNREAD: ImportProgress = {
  ...{ state: "running", lines: 0, added: 0, raised: 0, bad: 0, problems: [], reason: undefined },
};

export function postgresDatasets(tx: Database): DatasetRepository {
  return {
    async add(findings) {
      let added = 0;
      for (let start = 0; start < findings.length; start += CHUNK) {
        const rows = await tx
          .insert(datasetTable)
          .values(findings.slice(start, start + CHUNK))
          .onConflictDoNothing()
          .returning({ hash: datasetTable.hash });
        added += rows.length;
      }
      return added;
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
