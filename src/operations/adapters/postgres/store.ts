import { and, asc, desc, eq, gte, inArray, isNull, lt, or, sql } from "drizzle-orm";
import { withNulls, withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { EventPublisher } from "../../../events/catalogue.ts";
import type { IncidentRepository, OperationsStore, ToldIncident, UptimeRepository } from "../../ports.ts";
import { postgresEventLog, postgresSinks } from "./event_log.ts";
import { postgresJobRuns, postgresMaintenance } from "./maintenance.ts";
import { incidentTable, incidentUpdateTable, partDayTable } from "./tables.ts";

export * from "./tables.ts";

export function postgresOperations(tx: Database, events: EventPublisher): OperationsStore {
  const log = { eventLog: postgresEventLog(tx), sinks: postgresSinks(tx) };
  const rest = { ...log, maintenance: postgresMaintenance(tx), jobRuns: postgresJobRuns(tx) };
  return { events, incidents: incidents(tx), uptime: uptime(tx), ...rest };
}

type Row = typeof incidentTable.$inferSelect;

function incidents(tx: Database): IncidentRepository {
  const { id, kind, startsAt, endsAt, resolvedAt } = incidentTable;

  const updatesOf = (incidents: string[]) =>
    tx
      .select()
      .from(incidentUpdateTable)
      .where(inArray(incidentUpdateTable.incidentId, incidents))
      .orderBy(desc(incidentUpdateTable.at), desc(incidentUpdateTable.id));

  async function told(rows: Row[]): Promise<ToldIncident[]> {
    if (rows.length === 0) return [];
    const updates = await updatesOf(rows.map((row) => row.id));
    const byIncident = Map.groupBy(updates, ({ incidentId }) => incidentId);
    return rows.map((row) => ({
      ...withoutNulls(row),
      updates: (byIncident.get(row.id) ?? []).map(({ incidentId: _, ...update }) => update),
    }));
  }

  return {
    async add(incident) {
      await tx.insert(incidentTable).values(withNulls(incident));
    },
    async findLocked(wanted) {
      const [row] = await tx.select().from(incidentTable).where(eq(id, wanted)).for("update");
      return withoutNulls(row);
    },
    async save(incident) {
      await tx.update(incidentTable).set(withNulls(incident)).where(eq(id, incident.id));
    },
    async addUpdate(incidentId, update) {
      await tx.insert(incidentUpdateTable).values({ ...update, incidentId });
    },
    async listUpdates(wanted) {
      return (await updatesOf([wanted])).map(({ incidentId: _, ...update }) => update);
    },
    async saveUpdate({ id: updated, state, text }) {
      await tx.update(incidentUpdateTable).set({ state, text }).where(eq(incidentUpdateTable.id, updated));
    },
    async remove(wanted) {
      const gone = await tx.delete(incidentTable).where(eq(id, wanted)).returning({ id });
      return gone.length === 1;
    },
    async listSince(since) {
      const goesOn = and(isNull(resolvedAt), or(eq(kind, "incident"), gte(endsAt, since)));
      const rows = await tx
        .select()
        .from(incidentTable)
        .where(or(goesOn, gte(resolvedAt, since)))
        .orderBy(desc(startsAt), desc(id));
      return told(rows);
    },
    async list(offset, limit) {
      const rows = await tx.select().from(incidentTable).orderBy(desc(startsAt), desc(id)).offset(offset).limit(limit);
      return { incidents: await told(rows), total: await tx.$count(incidentTable) };
    },
  };
}

function uptime(tx: Database): UptimeRepository {
  const { day, part, measured, troubled, lastMinute } = partDayTable;
  return {
    async count(minute, parts) {
      if (parts.length === 0) return;
      const today = minute.toISOString().slice(0, 10);
      // Locks rows in a consistent order, so that processes cannot deadlock.
      const rows = parts
        .toSorted((one, other) => (one.part < other.part ? -1 : 1))
        .map((each) => ({
          day: today,
          part: each.part,
          measured: 1,
          troubled: each.troubled ? 1 : 0,
          lastMinute: minute,
        }));
      await tx
        .insert(partDayTable)
        .values(rows)
        .onConflictDoUpdate({
          target: [day, part],
          set: {
            measured: sql`${measured} + 1`,
            troubled: sql`${troubled} + excluded.troubled`,
            lastMinute: minute,
          },
          setWhere: lt(lastMinute, minute),
        });
    },
    async list(from) {
      return tx
        .select({ day, part, measured, troubled })
        .from(partDayTable)
        .where(gte(day, from))
        .orderBy(asc(day), asc(part));
    },
    async removeBefore(first) {
      const gone = await tx.delete(partDayTable).where(lt(day, first)).returning({ part });
      return gone.length;
    },
  };
}
