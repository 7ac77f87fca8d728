import type { BackupRecord, ScheduleStore } from "../../../src/backup/ports.ts";
import type { MemoryTables } from "../database.ts";

const ONLY = "only";
type Row = BackupRecord & { claimedUntil?: Date };

export function memorySchedule(tables: MemoryTables): ScheduleStore {
  const rows = tables<Row>("backup.schedule");
  return {
    async read() {
      const row = rows.get(ONLY);
      if (!row) return undefined;
      const { claimedUntil: _, ...record } = row;
      return record;
    },
    async begin(now) {
      if (!rows.get(ONLY)) rows.set(ONLY, { since: now, last: undefined, failure: undefined });
    },
    async claim({ due, now, until }) {
      const row = rows.get(ONLY);
      if (!row || (row.claimedUntil && row.claimedUntil > now) || (row.last?.at ?? row.since) >= due) return false;
      rows.set(ONLY, { ...row, claimedUntil: until });
      return true;
    },
    async made(last) {
      rows.set(ONLY, { since: rows.get(ONLY)?.since ?? last.at, last, failure: undefined });
    },
    async failed(failure) {
      const row = rows.get(ONLY);
      if (row) rows.set(ONLY, { ...row, failure });
    },
  };
}
