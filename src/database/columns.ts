import { timestamp } from "drizzle-orm/pg-core";

/** A column for an instant, to the millisecond. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });
