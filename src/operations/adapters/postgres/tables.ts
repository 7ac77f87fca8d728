import { date, index, integer, jsonb, pgSchema, primaryKey, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { Localized } from "../../../shared/localized.ts";
import type { IncidentKind, IncidentState, Part } from "../../inputs.ts";

export const operationsSchema = pgSchema("operations");

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

export const incidentTable = operationsSchema.table(
  "incident",
  {
    id: uuid("id").primaryKey(),
    kind: text("kind").$type<IncidentKind>().notNull(),
    title: jsonb("title").$type<Localized>().notNull(),
    parts: jsonb("parts").$type<Part[]>().notNull(),
    state: text("state").$type<IncidentState>().notNull(),
    startsAt: instant("starts_at").notNull(),
    endsAt: instant("ends_at"),
    resolvedAt: instant("resolved_at"),
  },
  (table) => [index("incident_starts_at").on(table.startsAt)],
);

export const incidentUpdateTable = operationsSchema.table(
  "incident_update",
  {
    id: uuid("id").primaryKey(),
    incidentId: uuid("incident_id")
      .notNull()
      .references(() => incidentTable.id, { onDelete: "cascade" }),
    at: instant("at").notNull(),
    state: text("state").$type<IncidentState>().notNull(),
    text: jsonb("text").$type<Localized>().notNull(),
  },
  (table) => [index("incident_update_incident").on(table.incidentId, table.at)],
);

export const partDayTable = operationsSchema.table(
  "part_day",
  {
    day: date("day", { mode: "string" }).notNull(),
    part: text("part").notNull(),
    measured: integer("measured").notNull(),
    troubled: integer("troubled").notNull(),
    /** The last minute that was counted. */
    lastMinute: instant("last_minute").notNull(),
  },
  (table) => [primaryKey({ columns: [table.day, table.part] })],
);
