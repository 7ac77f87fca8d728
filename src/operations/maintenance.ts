import { oneAtATime } from "../shared/callers.ts";
import type { JobRun, Maintenance } from "./maintenance_ports.ts";
import type { OperationsDeps } from "./ports.ts";

/** Every process knows within this time. */
const KNOWN_MS = 1000;

/** Whether the service rests, for every process on the database, and how its jobs have run. */
export function maintenance({ transaction, now }: OperationsDeps) {
  let known: { until: number; maintenance: Maintenance | undefined } | undefined;

  const ask = oneAtATime(async () => {
    const found = await transaction((store) => store.maintenance.find());
    known = { until: now().getTime() + KNOWN_MS, maintenance: found };
    return found;
  });

  return {
    /** As of at most a second ago. While the database cannot say, what it said last holds. */
    async currentMaintenance(): Promise<Maintenance | undefined> {
      if (known && now().getTime() < known.until) return known.maintenance;
      try {
        return await ask();
      } catch (error) {
        if (known === undefined) throw error;
        return known.maintenance;
      }
    },

    /** Whether the last second's answer says that it does not rest. Where there is none, `currentMaintenance` asks for it. */
    isKnownToWork: (): boolean =>
      known !== undefined && known.maintenance === undefined && now().getTime() < known.until,

    /** What was known last, for work that goes on. */
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

    /** False when none was on. */
    endMaintenance(): Promise<boolean> {
      known = undefined;
      return transaction((store) => store.maintenance.clear());
    },

    noteJobRuns: (runs: JobRun[]): Promise<void> => transaction((store) => store.jobRuns.note(runs)),
    jobRuns: (): Promise<JobRun[]> => transaction((store) => store.jobRuns.list()),
  };
}
