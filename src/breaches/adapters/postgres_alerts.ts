import { and, count, desc, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../database/postgres.ts";
import type { Alert, AlertFilter, AlertRepository, SeenAlert } from "../ports.ts";
import { alertCountTable, alertTable, breachTable, exposureTable, watchTable } from "./tables.ts";

function alertOf({ handledAt, ...row }: typeof alertTable.$inferSelect): Alert {
  return { ...row, handledAt: handledAt ?? undefined };
}

/** A person's words as a literal part of a LIKE pattern. */
function containing(words: string): string {
  return `%${words.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

const isNotSensitive = sql`(${breachTable.breach}->'flags' @> '["sensitive"]'::jsonb) is false`;
/** What the owner of the address lets this watch see. A breach that nobody has listed yet may turn out to be sensitive. */
const isWithinScope = sql`(${watchTable.sensitive} or ${isNotSensitive})`;
/** The same without a join, which a row lock could not reach through. */
const mayBeRaised = sql`(${watchTable.sensitive} or exists
  (select 1 from ${breachTable} where ${breachTable.name} = ${exposureTable.breachName} and ${isNotSensitive}))`;

function matching(accountId: string, { state, search, handledAfter }: AlertFilter): SQL | undefined {
  return and(
    eq(alertTable.accountId, accountId),
    isWithinScope,
    state && eq(alertTable.state, state),
    or(isNull(alertTable.handledAt), gt(alertTable.handledAt, handledAfter)),
    search === undefined
      ? undefined
      : sql`(${alertTable.address} || case when ${watchTable.details}
          then ' ' || coalesce(${breachTable.titleLower}, lower(${alertTable.breachName})) else '' end)
          like ${containing(search.toLowerCase())}`,
  );
}

export function postgresAlerts(tx: Database): AlertRepository {
  const withTitle = eq(breachTable.name, alertTable.breachName);
  const withWatch = eq(watchTable.associationId, alertTable.associationId);
  // Without details not even the order may tell of the breach.
  const newestFirst = [
    desc(alertTable.raisedAt),
    sql`case when ${watchTable.details} then ${breachTable.addedDate} end desc nulls last`,
    desc(alertTable.id),
  ];
  const seen = () =>
    tx
      .select({ alert: alertTable, details: watchTable.details })
      .from(alertTable)
      .innerJoin(watchTable, withWatch)
      .leftJoin(breachTable, withTitle)
      .$dynamic();
  const seenOf = ({ alert, details }: { alert: typeof alertTable.$inferSelect; details: boolean }): SeenAlert => ({
    ...alertOf(alert),
    details,
  });
  const counted = () =>
    tx
      .select({ count: count() })
      .from(alertTable)
      .innerJoin(watchTable, withWatch)
      .leftJoin(breachTable, withTitle)
      .$dynamic();
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
        version: sql<number>`1`.as("version"),
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
    async addMissing(address, breachNames, now) {
      if (breachNames.length > 0) {
        const rows = breachNames.map((breachName) => ({ address, breachName, foundAt: now }));
        await tx.insert(exposureTable).values(rows).onConflictDoNothing();
      }
      return raiseMissing(eq(watchTable.address, address), now);
    },
    addMissingOf: (addresses, now) =>
      addresses.length === 0 ? Promise.resolve([]) : raiseMissing(inArray(watchTable.address, addresses), now),
    async find(accountId, id) {
      const [row] = await seen().where(and(eq(alertTable.id, id), eq(alertTable.accountId, accountId), isWithinScope));
      return row && seenOf(row);
    },
    async listByIds(ids) {
      if (ids.length === 0) return [];
      return (await seen().where(and(inArray(alertTable.id, ids), isWithinScope))).map(seenOf);
    },
    async listByAssociation(associationId, handledAfter, limit) {
      const recent = or(isNull(alertTable.handledAt), gt(alertTable.handledAt, handledAfter));
      const rows = seen()
        .where(and(eq(alertTable.associationId, associationId), recent, isWithinScope))
        .orderBy(...newestFirst);
      return (await rows.limit(limit)).map(seenOf);
    },
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
    async list(accountId, filter, offset, limit) {
      const rows = await seen()
        .where(matching(accountId, filter))
        .orderBy(...newestFirst)
        .offset(offset)
        .limit(limit);
      const [total] = await counted().where(matching(accountId, filter));
      return { alerts: rows.map(seenOf), total: total?.count ?? 0 };
    },
    async countPending(accountId) {
      const pending = and(eq(alertTable.accountId, accountId), eq(alertTable.state, "pending"), isWithinScope);
      return (await counted().where(pending))[0]?.count ?? 0;
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
      const [numbered] = await tx
        .insert(alertCountTable)
        .values({ associationId, version: 1 })
        .onConflictDoUpdate({
          target: alertCountTable.associationId,
          set: { version: sql`${alertCountTable.version} + 1` },
        })
        .returning();
      const pending = and(eq(alertTable.associationId, associationId), eq(alertTable.state, "pending"), isWithinScope);
      const [row] = await counted().where(pending);
      return { open: row?.count ?? 0, version: numbered?.version ?? 1 };
    },
    async removeExposures(address) {
      await tx.delete(exposureTable).where(eq(exposureTable.address, address));
    },
  };
}
