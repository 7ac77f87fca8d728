import { sql } from "drizzle-orm";
import { rowsOf } from "../database/logical_dump.ts";
import type { DatabaseContext } from "./command.ts";
import { type Finding, finding } from "./doctor_finding.ts";
import { many } from "./words.ts";

const area = "channels";

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

/** Channels that rest after failures, with the cause; the server has found it out. */
export async function checkRests(bench: DatabaseContext): Promise<Finding[]> {
  const rests = await restsIn(bench).catch(() => undefined);
  if (rests === undefined)
    return [finding(area, "warn", "They are not known without a migrated database", "Mend the database first")];
  if (rests.length === 0) return [finding(area, "ok", "None rests after failures")];
  return rests.map(({ channel, failures, reason, held }) =>
    finding(
      area,
      "fail",
      `${channel} rests after ${many(failures, "failure")}: ${reason ?? "the cause is not known"}; ${many(held, "message")} held`,
      "Mend the cause; it sends again by itself within ten minutes, or at once with breachbell channels resume",
    ),
  );
}
