import { and, eq, isNull, lte, or, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import type { ServicePageRepository } from "../../ports.ts";
import { breachTable, servicePageTable } from "./tables.ts";

export function postgresServicePages(tx: Database): ServicePageRepository {
  const { domain, nextAt, failures, hasPage } = servicePageTable;
  return {
    async claimDue(limit, now, until) {
      const listed = tx
        .selectDistinct({ wanted: sql<string>`lower(${breachTable.breach}->>'domain')`.as("wanted") })
        .from(breachTable)
        .where(and(isNull(breachTable.removedAt), sql`${breachTable.breach}->>'domain' <> ''`))
        .as("listed");
      const due = await tx
        .select({ wanted: listed.wanted })
        .from(listed)
        .leftJoin(servicePageTable, eq(domain, listed.wanted))
        .where(or(isNull(domain), lte(nextAt, now)))
        .orderBy(listed.wanted)
        .limit(limit);
      if (due.length === 0) return [];
      // Rows that another process has just claimed are no longer due.
      const claimed = await tx
        .insert(servicePageTable)
        .values(due.map(({ wanted }) => ({ domain: wanted, nextAt: until })))
        .onConflictDoUpdate({ target: domain, set: { nextAt: until }, setWhere: lte(nextAt, now) })
        .returning({ domain, failures });
      return claimed.toSorted((one, other) => (one.domain < other.domain ? -1 : 1));
    },
    async keep(name, found, next) {
      await tx.update(servicePageTable).set({ hasPage: found, nextAt: next, failures: 0 }).where(eq(domain, name));
    },
    async postpone(name, next, count) {
      await tx.update(servicePageTable).set({ nextAt: next, failures: count }).where(eq(domain, name));
    },
    async has(name) {
      const [row] = await tx.select({ hasPage }).from(servicePageTable).where(eq(domain, name));
      return row?.hasPage === true;
    },
  };
}
