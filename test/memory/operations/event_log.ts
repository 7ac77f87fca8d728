import type {
  EventLogRepository,
  LogEntry,
  SinkRepository,
  SinkState,
} from "../../../src/operations/event_log_ports.ts";
import type { MemoryTables } from "../database.ts";

const MICROS = 1000;

export function memoryEventLog(tables: MemoryTables): EventLogRepository {
  const rows = tables<LogEntry>("operations.event_log");
  const behind = (position: number, accountId?: string) =>
    rows
      .filter((row) => row.position > position && (accountId === undefined || row.accountId === accountId))
      .sort((one, other) => one.position - other.position);
  return {
    async append(events, now) {
      const start = Math.max(now.getTime() * MICROS, ...rows.filter().map(({ position }) => position));
      for (const [place, { id, type, at, accountId, actorId, about }] of events.entries())
        if (!rows.get(id)) rows.set(id, { position: start + place + 1, id, type, at, accountId, actorId, about });
    },
    list: async ({ accountId }, after, limit) => behind(after, accountId).slice(0, limit),
    async countAfter(position) {
      const found = behind(position);
      const times = found.map(({ at }) => at.getTime());
      return { waiting: found.length, oldest: times.length > 0 ? new Date(Math.min(...times)) : undefined };
    },
    async forget(accountIds) {
      const isGone = (id: string | undefined) => id !== undefined && accountIds.includes(id);
      rows.removeWhere(({ accountId, type }) => isGone(accountId) && type !== "staff.acted");
      for (const row of rows.filter())
        rows.set(row.id, {
          ...row,
          accountId: isGone(row.accountId) ? undefined : row.accountId,
          actorId: isGone(row.actorId) ? undefined : row.actorId,
        });
    },
    removeBefore: async (before) => void rows.removeWhere(({ position }) => position < before.getTime() * MICROS),
  };
}

type SinkRow = SinkState & { name: string; claimedUntil: Date | undefined };

export function memorySinks(tables: MemoryTables): SinkRepository {
  const rows = tables<SinkRow>("operations.event_sink");
  const change = (name: string, changed: (row: SinkRow) => Partial<SinkRow>) => {
    const row = rows.get(name);
    if (row) rows.set(name, { ...row, ...changed(row) });
  };
  return {
    async claim(name, now, until) {
      const row = rows.get(name) ?? { name, position: 0, failures: 0, trouble: undefined, claimedUntil: undefined };
      if (row.claimedUntil !== undefined && row.claimedUntil > now) return undefined;
      rows.set(name, { ...row, claimedUntil: until });
      return { position: row.position, failures: row.failures, trouble: row.trouble };
    },
    advance: async (name, position, until) =>
      change(name, (row) => ({
        position: Math.max(row.position, position),
        claimedUntil: until,
        failures: 0,
        trouble: undefined,
      })),
    fail: async (name, trouble, until) =>
      change(name, ({ failures }) => ({ failures: failures + 1, trouble, claimedUntil: until })),
    release: async (name) => change(name, () => ({ claimedUntil: undefined })),
    list: async () =>
      rows
        .filter()
        .sort((one, other) => (one.name < other.name ? -1 : 1))
        .map(({ claimedUntil: _, ...row }) => row),
  };
}
