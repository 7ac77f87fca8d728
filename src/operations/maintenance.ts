import { oneAtATime } from "../shared/callers.ts";
import type { JobRun, Maintenance } from "./maintenance_ports.ts";
import type { OperationsDeps } from "./ports.ts";

/** How long a process may cache the state. */
const KNOWN_MS = 1000;

/** Maintenance mode, shared by all processes on the database, and the runs of jobs. */
export function maintenance({ transaction, now }: OperationsDeps) {
  let known: { until: number; maintenance: Maintenance | undefined } | undefined;

  const ask = oneAtATime(async () => {
    const found = await transaction((store) => store.maintenance.find());
    known = { until: now().getTime() + KNOWN_MS, maintenance: found };
    return found;
  });

  return {
    /** At most a second old. While the database is unavailable, the last known state applies. */
    async currentMaintenance(): Promise<Maintenance | undefined> {
      if (known && now().getTime() < known.until) return known.maintenance;
      try {
        return await ask();
      } catch (error) {
        if (known === undefined) throw error;
        return known.maintenance;
      }
    },

    /** The last known state, without a query, for background work. */
    isUnderMaintenance: (): boolean => known?.maintenance !== undefined,

    async startMaintenance({ until, message }: Pick<Maintenance, "until" | "message">): Promise<Maintenance> {
      known = undefined;
      return transaction(async (store) => {
        const since = (await store.maintenance.find())?.since ?? now();
        const started = { since, until, message };
        await store.maintenance.set(started);
        return started;
      });
    },

    /** False when it was not on. */
    endMaintenance(): Promise<boolean> {
      known = undefined;
      return transaction((store) => store.maintenance.clear());
    },

    noteJobRuns: (runs: JobRun[]): Promise<void> => transaction((store) => store.jobRuns.note(runs)),
    jobRuns: (): Promise<JobRun[]> => transaction((store) => store.jobRuns.list()),
  };
}
