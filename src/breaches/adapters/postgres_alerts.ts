import { and, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../database/postgres.ts";
import type { HandleReason } from "../../shared/alert.ts";
import type { Alert, AlertRepository } from "../ports.ts";
import { alertOf, countSeenBy, isNotSensitive, postgresAlertList } from "./postgres_alert_list.ts";
import { alertCountTable, alertTable, breachTable, exposureTable, watchTable } from "./tables.ts";

/** Within the scope of a watch, without a join, which a row lock could not reach through. */
const mayBeRaised = sql`(${watchTable.sensitive} or exists
  (select 1 from ${breachTable} where ${breachTable.name} = ${exposureTable.breachName} and ${isNotSensitive}))`;

export function postgresAlerts(tx: Database): AlertRepository {
  /** One set operation for everybody who watches these addresses. */
  async function raiseMissing(concerned: SQL, now: Date): Promise<Alert[]> {
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
        reason: sql<HandleReason | null>`null::text`.as("reason"),
        note: sql<string | null>`null::text`.as("note"),
        steps: sql<string[]>`'{}'::text[]`.as("steps"),
        version: sql<number>`1`.as("version"),
        worsenedAt: sql<Date | null>`null::timestamptz`.as("worsened_at"),
      })
      .from(watchTable)
      .innerJoin(exposureTable, eq(exposureTable.address, watchTable.address))
      .where(and(concerned, eq(watchTable.suspended, false), mayBeRaised))
      // Nobody is suspended or forgotten between the alert and its announcement.
      .for("share");
    const added = await tx.insert(alertTable).select(missing).onConflictDoNothing().returning();
    return added.map(alertOf);
  }
  return {
    ...postgresAlertList(tx),
    async addMissing(address, breachNames, now) {
      if (breachNames.length > 0) {
        const rows = breachNames.map((breachName) => ({ address, breachName, foundAt: now }));
        await tx.insert(exposureTable).values(rows).onConflictDoNothing();
      }
      return raiseMissing(eq(watchTable.address, address), now);
    },
    addMissingOf: (addresses, now) =>
      addresses.length === 0 ? Promise.resolve([]) : raiseMissing(inArray(watchTable.address, addresses), now),
    async listExposures(address, limit) {
      return await tx
        .select({
          breachName: exposureTable.breachName,
          foundAt: exposureTable.foundAt,
          sources: exposureTable.sources,
        })
        .from(exposureTable)
        .leftJoin(breachTable, eq(breachTable.name, exposureTable.breachName))
        .where(eq(exposureTable.address, address))
        .orderBy(desc(exposureTable.foundAt), sql`${breachTable.addedDate} desc nulls last`, exposureTable.breachName)
        .limit(limit);
    },
    async listBreachNames(accountId, address) {
      const rows = await tx
        .selectDistinct({ breachName: alertTable.breachName })
        .from(alertTable)
        .where(and(eq(alertTable.accountId, accountId), eq(alertTable.address, address)));
      return rows.map(({ breachName }) => breachName);
    },
    async listBaselineIds(associationId) {
      const rows = await tx
        .select({ id: alertTable.id })
        .from(alertTable)
        .where(and(eq(alertTable.associationId, associationId), eq(alertTable.baseline, true)));
      return rows.map(({ id }) => id);
    },
    async turn(saw, { state, reason, note, at }) {
      if (saw.length === 0) return [];
      const ids = saw.map(({ id }) => id);
      await tx
        .select({ id: alertTable.id })
        .from(alertTable)
        .where(inArray(alertTable.id, ids))
        .orderBy(alertTable.id)
        .for("update");
      const handledAt = sql`coalesce(${alertTable.handledAt}, ${at.toISOString()}::timestamptz)`;
      const rows = await tx
        .update(alertTable)
        .set({
          ...{ state, reason: reason ?? null, note: note ?? null, version: sql`${alertTable.version} + 1` },
          handledAt: state === "handled" ? handledAt : null,
        })
        .where(or(...saw.map(({ id, version }) => and(eq(alertTable.id, id), eq(alertTable.version, version)))))
        .returning();
      return rows.map(alertOf);
    },
    async tick(accountId, id, { name, done }) {
      const ticked = sql`case when ${name}::text = any(${alertTable.steps}) then ${alertTable.steps}
        else array_append(${alertTable.steps}, ${name}::text) end`;
      const [row] = await tx
        .update(alertTable)
        .set({ steps: done ? ticked : sql`array_remove(${alertTable.steps}, ${name}::text)` })
        .where(and(eq(alertTable.id, id), eq(alertTable.accountId, accountId)))
        .returning({ steps: alertTable.steps });
      return row?.steps;
    },
    async removeByAssociation(associationId) {
      await tx.delete(alertTable).where(eq(alertTable.associationId, associationId));
      await tx.delete(alertCountTable).where(eq(alertCountTable.associationId, associationId));
    },
    async countOpen(associationIds) {
      if (associationIds.length === 0) return [];
      const numbered = await tx
        .insert(alertCountTable)
        .values(associationIds.map((associationId) => ({ associationId, version: 1 })))
        .onConflictDoUpdate({
          target: alertCountTable.associationId,
          set: { version: sql`${alertCountTable.version} + 1` },
        })
        .returning();
      const isOpen = and(inArray(alertTable.associationId, associationIds), eq(alertTable.state, "pending"));
      const open = await countSeenBy(tx, isOpen);
      return numbered.map(({ associationId, version }) => ({
        ...{ associationId, open: open.get(associationId) ?? 0, version },
      }));
    },
    async removeExposures(address) {
      await tx.delete(exposureTable).where(eq(exposureTable.address, address));
    },
  };
}
