import { and, count, desc, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../database/postgres.ts";
import type { Alert, AlertFilter, AlertRepository } from "../ports.ts";
import { alertCountTable, alertTable, breachTable, exposureTable, watchTable } from "./tables.ts";

function alertOf({ handledAt, ...row }: typeof alertTable.$inferSelect): Alert {
  return { ...row, handledAt: handledAt ?? undefined };
}

/** A person's words as a literal part of a LIKE pattern. */
function containing(words: string): string {
  return `%${words.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

function matching(accountId: string, { state, search, handledAfter }: AlertFilter): SQL | undefined {
  return and(
    eq(alertTable.accountId, accountId),
    state && eq(alertTable.state, state),
    or(isNull(alertTable.handledAt), gt(alertTable.handledAt, handledAfter)),
    search === undefined
      ? undefined
      : sql`(${alertTable.address} || ' ' || coalesce(${breachTable.titleLower}, lower(${alertTable.breachName}))) like ${containing(search.toLowerCase())}`,
  );
}

export function postgresAlerts(tx: Database): AlertRepository {
  const withTitle = eq(breachTable.name, alertTable.breachName);
  return {
    async addMissing(address, breachNames, now) {
      if (breachNames.length > 0) {
        const rows = breachNames.map((breachName) => ({ address, breachName, foundAt: now }));
        await tx.insert(exposureTable).values(rows).onConflictDoNothing();
      }
      // One set operation for everybody who watches the address.
      const missing = tx
        .select({
          id: sql<string>`gen_random_uuid()`.as("id"),
          associationId: watchTable.associationId,
          accountId: watchTable.accountId,
          address: watchTable.address,
          breachName: exposureTable.breachName,
          state: sql<"pending">`'pending'`.as("state"),
          baseline: sql<boolean>`${watchTable.baselineAt} is null`.as("baseline"),
          raisedAt: sql<Date>`${now.toISOString()}::timestamptz`.as("raised_at"),
          handledAt: sql<Date | null>`null::timestamptz`.as("handled_at"),
          version: sql<number>`1`.as("version"),
        })
        .from(watchTable)
        .innerJoin(exposureTable, eq(exposureTable.address, watchTable.address))
        .where(and(eq(watchTable.address, address), eq(watchTable.suspended, false)))
        // Nobody is suspended or forgotten between the alert and its announcement.
        .for("share");
      const added = await tx.insert(alertTable).select(missing).onConflictDoNothing().returning();
      return added.map(alertOf);
    },
    async find(accountId, id) {
      const [row] = await tx
        .select()
        .from(alertTable)
        .where(and(eq(alertTable.id, id), eq(alertTable.accountId, accountId)));
      return row && alertOf(row);
    },
    async listByIds(ids) {
      if (ids.length === 0) return [];
      return (await tx.select().from(alertTable).where(inArray(alertTable.id, ids))).map(alertOf);
    },
    async list(accountId, filter, offset, limit) {
      const rows = await tx
        .select({ alert: alertTable })
        .from(alertTable)
        .leftJoin(breachTable, withTitle)
        .where(matching(accountId, filter))
        .orderBy(desc(alertTable.raisedAt), sql`${breachTable.addedDate} desc nulls last`, desc(alertTable.id))
        .offset(offset)
        .limit(limit);
      const [total] = await tx
        .select({ count: count() })
        .from(alertTable)
        .leftJoin(breachTable, withTitle)
        .where(matching(accountId, filter));
      return { alerts: rows.map(({ alert }) => alertOf(alert)), total: total?.count ?? 0 };
    },
    async countPending(accountId) {
      const pending = and(eq(alertTable.accountId, accountId), eq(alertTable.state, "pending"));
      const [row] = await tx.select({ count: count() }).from(alertTable).where(pending);
      return row?.count ?? 0;
    },
    async listBreachNames(accountId, address) {
      const rows = await tx
        .selectDistinct({ breachName: alertTable.breachName })
        .from(alertTable)
        .where(and(eq(alertTable.accountId, accountId), eq(alertTable.address, address)));
      return rows.map(({ breachName }) => breachName);
    },
    async setState({ id, version }, state, now) {
      const [row] = await tx
        .update(alertTable)
        .set({ state, handledAt: state === "handled" ? now : null, version: version + 1 })
        .where(and(eq(alertTable.id, id), eq(alertTable.version, version)))
        .returning();
      return row && alertOf(row);
    },
    async removeByAssociation(associationId) {
      await tx.delete(alertTable).where(eq(alertTable.associationId, associationId));
      await tx.delete(alertCountTable).where(eq(alertCountTable.associationId, associationId));
    },
    async countOpen(associationId) {
      const [counted] = await tx
        .insert(alertCountTable)
        .values({ associationId, version: 1 })
        .onConflictDoUpdate({
          target: alertCountTable.associationId,
          set: { version: sql`${alertCountTable.version} + 1` },
        })
        .returning();
      const pending = and(eq(alertTable.associationId, associationId), eq(alertTable.state, "pending"));
      const [row] = await tx.select({ count: count() }).from(alertTable).where(pending);
      return { open: row?.count ?? 0, version: counted?.version ?? 1 };
    },
    async removeExposures(address) {
      await tx.delete(exposureTable).where(eq(exposureTable.address, address));
    },
  };
}
