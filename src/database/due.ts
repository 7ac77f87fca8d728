import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import type { Due } from "../shared/due.ts";

/** Those that follow `after` when ordered by when they are due, and then by id; undefined: all. */
export function followsDue(at: AnyColumn | SQL, id: AnyColumn, after: Due | undefined): SQL | undefined {
  return after && sql`(${at}, ${id}) > (${after.at.toISOString()}::timestamptz, ${after.id}::uuid)`;
}
