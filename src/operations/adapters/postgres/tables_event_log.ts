import { bigint, index, integer, jsonb, text, timestamp, uuid } from "drizzle-orm/pg-core";
import type { LoggedEvent, LoggedType } from "../../event_log_ports.ts";
import { operationsSchema } from "./tables.ts";

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });

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
