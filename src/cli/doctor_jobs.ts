import { sql } from "drizzle-orm";
import { rowsOf } from "../database/logical_dump.ts";
import type { DatabaseContext } from "./command.ts";
import { type Finding, fail, finding, ok, warn } from "./doctor_finding.ts";
import { duration, many } from "./words.ts";

/** By then, jobs that run every minute or more often have finished and been recorded. */
const SILENT_MS = 5 * 60_000;
const LATE_MS = 15 * 60_000;

async function figuresOf(bench: DatabaseContext) {
  const open = await bench.database();
  return open(async (tx) => {
    const [at] = await rowsOf<{ now: string; known: boolean }>(
      tx,
      sql`select extract(epoch from clock_timestamp()) * 1000 as now,
        (to_regclass('operations.job_run') is not null and to_regclass('notifications.delivery') is not null) as known`,
    );
    if (!at?.known) return undefined;
    const millis = (column: string) => sql.raw(`extract(epoch from ${column}) * 1000`);
    const runs = await rowsOf<{ name: string; ended: string; failed: string | null }>(
      tx,
      sql`select name, ${millis("ended_at")} as ended, ${millis("failed_at")} as failed from operations.job_run order by name`,
    );
    const [queue] = await rowsOf<{
      due: string | number;
      oldest: string | null;
      dead: string | number;
      held: string | number;
    }>(
      tx,
      sql`select count(*) filter (where state = 'due' and run_at <= clock_timestamp()) as due,
        ${sql.raw("extract(epoch from min(run_at) filter (where state = 'due' and run_at <= clock_timestamp())) * 1000")} as oldest,
        count(*) filter (where state = 'dead') as dead,
        count(*) filter (where state = 'held' and reason not in ('unconfirmed', 'digest', 'quiet')) as held
        from notifications.delivery`,
    );
    const [rest] = await rowsOf<{ is_on: boolean }>(tx, sql`select is_on from operations.maintenance`);
    return { now: Number(at.now), runs, queue, isUnderMaintenance: rest !== undefined };
  });
}

function runFindings(
  runs: { name: string; ended: string; failed: string | null }[],
  now: number,
  isUnderMaintenance: boolean,
): Finding[] {
  const [last] = runs.map(({ ended }) => Number(ended)).toSorted((one, other) => other - one);
  if (last === undefined)
    return [warn("No job has run yet", "Start the server; if it has just been started, wait a minute")];
  if (now - last > SILENT_MS && !isUnderMaintenance)
    return [
      fail(`No job has run for ${duration(now - last)}`, "Check that the server is running, and look at its log"),
    ];
  const failing = runs.filter(({ ended, failed }) => failed !== null && Number(failed) >= Number(ended));
  if (failing.length === 0) return [ok(`${many(runs.length, "job")} ran, the last ${duration(now - last)} ago`)];
  const names = failing.map(({ name }) => name).join(", ");
  return [warn(`Failed at the last run: ${names}`, "Look at the server's log; each is retried automatically")];
}

/** Whether jobs run and messages are sent. */
export async function checkJobs(bench: DatabaseContext): Promise<Finding[]> {
  const figures = await figuresOf(bench).catch(() => undefined);
  if (figures === undefined) return [warn("Unknown until the database is migrated", "Fix the database first")];
  const { now, runs, queue, isUnderMaintenance } = figures;
  const list = runFindings(runs, now, isUnderMaintenance);
  if (isUnderMaintenance)
    list.push(warn("Maintenance mode is on: no jobs run", "Turn it off with breachbell maintenance off"));
  const [due, dead, held] = [Number(queue?.due ?? 0), Number(queue?.dead ?? 0), Number(queue?.held ?? 0)];
  const waits = queue?.oldest ? now - Number(queue.oldest) : 0;
  const late = waits > LATE_MS && !isUnderMaintenance;
  list.push(
    finding(
      late ? "fail" : "ok",
      `${many(due, "message")} due${due === 0 ? "" : `, the oldest for ${duration(waits)}`}`,
      late ? "Check that the server is running, and look at breachbell deliveries" : undefined,
    ),
  );
  if (held > 0)
    list.push(
      warn(`${many(held, "message")} held back`, "Look at breachbell deliveries, then breachbell deliveries release"),
    );
  if (dead > 0)
    list.push(warn(`${many(dead, "message")} ended without arriving`, "Look at breachbell deliveries dead"));
  return list;
}
