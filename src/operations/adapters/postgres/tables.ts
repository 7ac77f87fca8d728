import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgSchema,
  primaryKey,
  text,
  uuid,
} from "drizzle-orm/pg-core";
import { instant } from "../../../database/columns.ts";
import type { Localized } from "../../../shared/localized.ts";
import type { LoggedEvent, LoggedType } from "../../event_log_ports.ts";
import type { IncidentKind, IncidentState, Part } from "../../inputs.ts";

export const operationsSchema = pgSchema("operations");

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

export const eventLogTable = operationsSchema.table(
  "event_log",
  {
    /** Microseconds since 1970, or one more than the position before: it goes on rising after a restore. */
    position: bigint("position", { mode: "number" }).primaryKey(),
    id: uuid("id").notNull().unique(),
    type: text("type").$type<LoggedType>().notNull(),
    at: instant("at").notNull(),
    accountId: uuid("account_id"),
    actorId: uuid("actor_id"),
    about: jsonb("about").$type<LoggedEvent["about"]>().notNull(),
  },
  (table) => [
    index("event_log_account").on(table.accountId, table.position),
    index("event_log_actor").on(table.actorId),
  ],
);

export const eventSinkTable = operationsSchema.table("event_sink", {
  name: text("name").primaryKey(),
  position: bigint("position", { mode: "number" }).notNull().default(0),
  claimedUntil: instant("claimed_until"),
  failures: integer("failures").notNull().default(0),
  trouble: text("trouble"),
});

/** At most one row, which exists while maintenance mode is on. */
export const maintenanceTable = operationsSchema.table(
  "maintenance",
  {
    isOn: boolean("is_on").primaryKey().default(true),
    since: instant("since").notNull(),
    until: instant("until"),
    message: text("message"),
  },
  (table) => [check("maintenance_one_row", sql`${table.isOn}`)],
);

export const jobRunTable = operationsSchema.table("job_run", {
  name: text("name").primaryKey(),
  endedAt: instant("ended_at").notNull(),
  failedAt: instant("failed_at"),
});
