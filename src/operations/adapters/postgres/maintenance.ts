import { asc, sql } from "drizzle-orm";
import { withNulls, withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { JobRunRepository, MaintenanceRepository } from "../../maintenance_ports.ts";
import { jobRunTable, maintenanceTable } from "./tables.ts";

export function postgresMaintenance(tx: Database): MaintenanceRepository {
  return {
    async find() {
      const [row] = await tx.select().from(maintenanceTable);
      return row && { since: row.since, until: row.until ?? undefined, message: row.message ?? undefined };
    },
    async set({ since, until, message }) {
      const row = { since, until: until ?? null, message: message ?? null };
      await tx
        .insert(maintenanceTable)
        .values({ isOn: true, ...row })
        .onConflictDoUpdate({ target: maintenanceTable.isOn, set: row });
    },
    async clear() {
      return (await tx.delete(maintenanceTable).returning({ since: maintenanceTable.since })).length > 0;
    },
  };
}

export function postgresJobRuns(tx: Database): JobRunRepository {
  return {
    async note(runs) {
      if (runs.length === 0) return;
      // Locks rows in a consistent order, so that processes cannot deadlock.
      const rows = runs.toSorted((one, other) => (one.name < other.name ? -1 : 1)).map(withNulls);
      const { endedAt, failedAt } = jobRunTable;
      await tx
        .insert(jobRunTable)
        .values(rows)
        .onConflictDoUpdate({
          target: jobRunTable.name,
          set: {
            endedAt: sql`greatest(${endedAt}, excluded.ended_at)`,
            failedAt: sql`greatest(${failedAt}, excluded.failed_at)`,
          },
        });
    },
    async list() {
      const rows = await tx.select().from(jobRunTable).orderBy(asc(jobRunTable.name));
      return rows.map(withoutNulls);
    },
  };
}
