import type {
  Incident,
  IncidentRepository,
  IncidentUpdate,
  OperationsStore,
  PartDay,
  UptimeRepository,
} from "../../../src/operations/ports.ts";
import type { MemoryTables } from "../database.ts";
import { memoryEvents } from "../events/outbox.ts";
import { memoryEventLog, memorySinks } from "./event_log.ts";
import { memoryJobRuns, memoryMaintenance } from "./maintenance.ts";

export function memoryOperations(tables: MemoryTables): OperationsStore {
  const log = { eventLog: memoryEventLog(tables), sinks: memorySinks(tables) };
  const rest = { ...log, maintenance: memoryMaintenance(tables), jobRuns: memoryJobRuns(tables) };
  return { events: memoryEvents(tables), incidents: incidents(tables), uptime: uptime(tables), ...rest };
}

type UpdateRow = IncidentUpdate & { incidentId: string };

function incidents(tables: MemoryTables): IncidentRepository {
  const rows = tables<Incident>("operations.incident");
  const updates = tables<UpdateRow>("operations.incident_update");
  const latest = (one: { id: string }, other: { id: string }, ms: number) => ms || (one.id < other.id ? 1 : -1);

  const updatesOf = (wanted: string) =>
    updates
      .filter(({ incidentId }) => incidentId === wanted)
      .sort((one, other) => latest(one, other, other.at.getTime() - one.at.getTime()))
      .map(({ incidentId: _, ...update }) => update);

  function told(matches: (incident: Incident) => boolean) {
    return rows
      .filter(matches)
      .sort((one, other) => latest(one, other, other.startsAt.getTime() - one.startsAt.getTime()))
      .map((incident) => ({
        ...incident,
        updates: updatesOf(incident.id),
      }));
  }

  return {
    add: async (incident) => rows.set(incident.id, incident),
    findLocked: async (id) => rows.get(id),
    save: async (incident) => rows.set(incident.id, incident),
    addUpdate: async (incidentId, update) => updates.set(update.id, { ...update, incidentId }),
    listUpdates: async (incidentId) => updatesOf(incidentId),
    async saveUpdate(update) {
      const row = updates.get(update.id);
      if (row) updates.set(update.id, { ...row, state: update.state, text: update.text });
    },
    async remove(id) {
      updates.removeWhere(({ incidentId }) => incidentId === id);
      return rows.delete(id);
    },
    listSince: async (since) =>
      told(({ kind, resolvedAt, endsAt }) => {
        if (resolvedAt !== undefined) return resolvedAt >= since;
        return kind === "incident" || (endsAt !== undefined && endsAt >= since);
      }),
    async list(offset, limit) {
      const all = told(() => true);
      return { incidents: all.slice(offset, offset + limit), total: all.length };
    },
  };
}

function uptime(tables: MemoryTables): UptimeRepository {
  const rows = tables<PartDay & { lastMinute: Date }>("operations.part_day");
  return {
    async count(minute, parts) {
      const day = minute.toISOString().slice(0, 10);
      for (const { part, troubled } of parts) {
        const key = `${day} ${part}`;
        const row = rows.get(key) ?? { day, part, measured: 0, troubled: 0, lastMinute: new Date(0) };
        if (row.lastMinute >= minute) continue;
        const counted = { measured: row.measured + 1, troubled: row.troubled + (troubled ? 1 : 0) };
        rows.set(key, { ...row, ...counted, lastMinute: minute });
      }
    },
    list: async (from) =>
      rows
        .filter(({ day }) => day >= from)
        .sort((one, other) => (`${one.day} ${one.part}` < `${other.day} ${other.part}` ? -1 : 1))
        .map(({ lastMinute: _, ...row }) => row),
    removeBefore: async (first) => rows.removeWhere(({ day }) => day < first),
  };
}
