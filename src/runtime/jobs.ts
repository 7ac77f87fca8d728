import { Cron } from "croner";
import { detached } from "../database/callers.ts";
import { inBackground } from "../database/priority_queue.ts";
import type { Job } from "./job_list.ts";

type Watch = {
  /** In maintenance mode only jobs marked `always` start. */
  isPaused?: () => Promise<boolean>;
  onEnd?: (name: string, failed: boolean) => void;
  /** Wraps each run that actually starts. */
  around?: <T>(name: string, run: () => Promise<T>) => Promise<T>;
  /** Delay after start-up before scheduled runs, so that waiting requests are answered first. */
  quietMs?: number;
};

/**
 * Runs every job at its interval, one run of a job at a time. A schedule only triggers a look; work is claimed in the database.
 */
export function runJobs(
  jobs: Job[],
  onError: (error: unknown, context: Record<string, unknown>) => void,
  { isPaused, onEnd = () => {}, around = (_, run) => run(), quietMs = 0 }: Watch = {},
) {
  const running = new Map<string, Promise<unknown>>();
  const again = new Set<string>();
  let stopped = false;

  /** False in maintenance mode. */
  async function runOnce(job: Job): Promise<boolean> {
    if (isPaused && !job.always && (await isPaused())) return false;
    await around(job.name, () => inBackground(job.run));
    return true;
  }

  /** Detached: a run that a request triggers must not inherit its context. */
  const start = (job: Job): void => detached(() => startRun(job));

  function startRun(job: Job): void {
    if (stopped) return;
    if (running.has(job.name)) {
      again.add(job.name);
      job.lookAgain?.();
      return;
    }
    const { pauseMs } = job;
    const pause = pauseMs === undefined ? undefined : new Promise((resolve) => setTimeout(resolve, pauseMs));
    const run = runOnce(job)
      .then((ran) => ran && onEnd(job.name, false))
      .catch((error) => {
        onEnd(job.name, true);
        onError(error, { job: job.name });
      })
      .then(() => pause)
      .finally(() => {
        running.delete(job.name);
        if (again.delete(job.name)) start(job);
      });
    running.set(job.name, run);
  }

  let beats = 0;
  /** Called each second. Ticks are counted, as a schedule of its own for each job would stand still when the clock is put back. */
  function beat(): void {
    for (const job of jobs) if (beats % Math.max(1, Math.round(job.everyMs / 1000)) === 0) start(job);
    beats += 1;
  }

  let schedule: Cron | undefined;
  function begin(): void {
    if (stopped) return;
    beat();
    schedule = new Cron("* * * * * *", { utcOffset: 0 }, beat);
  }
  if (quietMs > 0) setTimeout(begin, quietMs);
  else begin();
  return {
    /** Runs a job now, or again right after the current run, which is notified too. */
    nudge(name: string): void {
      const job = jobs.find((candidate) => candidate.name === name);
      if (job) start(job);
    },
    /** Starts no new runs; resolves when the current ones are done. */
    async stop(): Promise<void> {
      stopped = true;
      schedule?.stop();
      await Promise.all(running.values());
    },
  };
}

export type Runner = ReturnType<typeof runJobs>;
