import { sql } from "drizzle-orm";
import { rowsOf } from "../database/logical_dump.ts";
import type { DatabaseContext } from "./command.ts";
import { type Finding, fail, ok, warn } from "./doctor_finding.ts";
import { many } from "./words.ts";

type Rest = { channel: string; failures: number; reason: string | null; held: number };

async function restsIn(bench: DatabaseContext): Promise<Rest[]> {
  const open = await bench.database();
  return open((tx) =>
    rowsOf<Rest>(
      tx,
      sql`select channel, failures, reason, (select count(*)::int from notifications.delivery as held
          where held.channel = resting.channel and state = 'held' and held.reason = 'misconfigured') as held
        from notifications.channel as resting where paused_until is not null order by channel`,
    ),
  );
}

/** Channels that the server has paused after failures, with the cause. */
export async function checkRests(bench: DatabaseContext): Promise<Finding[]> {
  const rests = await restsIn(bench).catch(() => undefined);
  if (rests === undefined) return [warn("Unknown until the database is migrated", "Fix the database first")];
  if (rests.length === 0) return [ok("None is paused after failures")];
  return rests.map(({ channel, failures, reason, held }) =>
    fail(
      `${channel} is paused after ${many(failures, "failure")}: ${reason ?? "the cause is unknown"}; ${many(held, "message")} held back`,
      "Fix the cause: sending resumes within ten minutes, or now with breachbell channels resume",
    ),
  );
}
