import { eq, sql } from "drizzle-orm";
import { hasTable } from "../database/logical_dump.ts";
import type { Database } from "../database/postgres.ts";
import { scheduleTable } from "./adapters/postgres/schedule.ts";
import type { BackupRecord, ScheduleStore } from "./ports.ts";

export function postgresSchedule(tx: Database): ScheduleStore {
  const known = eq(scheduleTable.isOnly, true);
  return {
    async read() {
      // The command line also reads databases of earlier releases.
      if (!(await hasTable(tx, "backup.schedule"))) return undefined;
      const [row] = await tx.select().from(scheduleTable);
      if (!row) return undefined;
      const { since, lastAt, machine, file, bytes, rows, seconds, trouble, troubleAt } = row;
      const last =
        lastAt === null
          ? undefined
          : {
              at: lastAt,
              machine: machine ?? "",
              file: file ?? "",
              bytes: bytes ?? 0,
              rows: rows ?? 0,
              seconds: seconds ?? 0,
            };
      const failure = trouble === null || troubleAt === null ? undefined : { says: trouble, at: troubleAt };
      return { since, last, failure } satisfies BackupRecord;
    },
    async begin(now) {
      await tx.insert(scheduleTable).values({ since: now }).onConflictDoNothing();
    },
    async claim({ due, now, until }) {
      const { claimedUntil, lastAt, since } = scheduleTable;
      const claimed = await tx
        .update(scheduleTable)
        .set({ claimedUntil: until })
        .where(
          sql`coalesce(${claimedUntil}, '-infinity') <= ${now.toISOString()} and coalesce(${lastAt}, ${since}) < ${due.toISOString()}`,
        )
        .returning({ since });
      return claimed.length > 0;
    },
    async made({ at, ...last }) {
      const row = { ...last, lastAt: at, claimedUntil: null, trouble: null, troubleAt: null };
      await tx
        .insert(scheduleTable)
        .values({ since: at, ...row })
        .onConflictDoUpdate({ target: scheduleTable.isOnly, set: row });
    },
    async failed({ says, at }) {
      await tx.update(scheduleTable).set({ trouble: says, troubleAt: at }).where(known);
    },
  };
}
