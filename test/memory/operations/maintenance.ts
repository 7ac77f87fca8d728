import type {
  JobRun,
  JobRunRepository,
  Maintenance,
  MaintenanceRepository,
} from "../../../src/operations/maintenance_ports.ts";
import type { MemoryTables } from "../database.ts";

const ONLY = "on";

export function memoryMaintenance(tables: MemoryTables): MaintenanceRepository {
  const rows = tables<Maintenance>("operations.maintenance");
  return {
    find: async () => rows.get(ONLY),
    set: async (maintenance) => rows.set(ONLY, maintenance),
    clear: async () => rows.delete(ONLY),
  };
}

const later = (one: Date | undefined, other: Date | undefined) =>
  one === undefined || (other !== undefined && other > one) ? other : one;

export function memoryJobRuns(tables: MemoryTables): JobRunRepository {
  const rows = tables<JobRun>("operations.job_run");
  return {
    async note(runs) {
      for (const run of runs) {
        const known = rows.get(run.name);
        const endedAt = later(known?.endedAt, run.endedAt) ?? run.endedAt;
        rows.set(run.name, { name: run.name, endedAt, failedAt: later(known?.failedAt, run.failedAt) });
      }
    },
    list: async () => rows.filter().toSorted((one, other) => (one.name < other.name ? -1 : 1)),
  };
}
