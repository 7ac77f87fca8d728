import { and, asc, desc, eq, gt, gte, inArray, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "../../../database/postgres.ts";
import type { ChangeRepository, StoredChange } from "../../ports.ts";
import { isWithinScope } from "./alert_terms.ts";
import { alertTable, breachTable, changeTable, watchTable } from "./tables.ts";

function storedOf({ id, breachName, at, change, worse }: typeof changeTable.$inferSelect): StoredChange {
  return { ...change, id, breachName, at: at.toISOString(), worse };
}

/** Pending, whatever was said when it was handled. */
function pendingSince(at: SQL) {
  return {
    state: "pending" as const,
    handledAt: null,
    reason: null,
    note: null,
    worsenedAt: sql`greatest(${alertTable.worsenedAt}, ${at})`,
    version: sql`${alertTable.version} + 1`,
  };
}

export function postgresChanges(tx: Database): ChangeRepository {
  const newestFirst = (condition: SQL) =>
    tx.select().from(changeTable).where(condition).orderBy(desc(changeTable.at), desc(changeTable.id)).$dynamic();
  return {
    async lockComparisons(source) {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`catalogue:${source}`}, 0))`);
    },
    async listKept(names) {
      if (names.length === 0) return [];
      const rows = await tx
        .select({
          breach: breachTable.breach,
          removedAt: breachTable.removedAt,
          sameAs: breachTable.sameAs,
          awaitedUntil: breachTable.awaitedUntil,
        })
        .from(breachTable)
        .where(inArray(breachTable.name, names));
      return rows.map(({ breach, removedAt, sameAs, awaitedUntil }) => ({
        breach,
        isRemoved: removedAt !== null,
        isLinked: sameAs !== null,
        isAwaited: awaitedUntil !== null,
      }));
    },
    async add(changes, at) {
      if (changes.length === 0) return;
      const rows = changes.map(({ breachName, worse, ...change }) => ({
        id: Bun.randomUUIDv7(),
        breachName,
        at,
        change,
        worse,
      }));
      await tx.insert(changeTable).values(rows);
    },
    async listByBreaches(breachNames) {
      if (breachNames.length === 0) return [];
      return (await newestFirst(inArray(changeTable.breachName, breachNames))).map(storedOf);
    },
    async listSince(since, limit) {
      return (await newestFirst(gte(changeTable.at, since)).limit(limit)).map(storedOf);
    },
    async find(id) {
      const [row] = await tx.select().from(changeTable).where(eq(changeTable.id, id));
      return row && storedOf(row);
    },
    async claimWorse() {
      const [row] = await tx
        .select()
        .from(changeTable)
        .where(and(sql`${changeTable.worse}`, isNull(changeTable.toldAt)))
        .orderBy(asc(changeTable.at), asc(changeTable.id))
        .limit(1)
        .for("update", { skipLocked: true });
      return row && { id: row.id, breachName: row.breachName, at: row.at, through: row.toldThrough ?? undefined };
    },
    async worsenNext({ breachName, at, through }, limit) {
      const behind = through === undefined ? undefined : gt(alertTable.id, through);
      const page = await tx
        .select({ id: alertTable.id })
        .from(alertTable)
        .where(and(eq(alertTable.breachName, breachName), behind, lte(alertTable.raisedAt, at)))
        .orderBy(asc(alertTable.id))
        .limit(limit);
      const ids = page.map(({ id }) => id);
      if (ids.length === 0) return { alerts: [], through: undefined };
      // Locks the alerts, so that concurrent changes happen before or are detected.
      await tx
        .select({ id: alertTable.id })
        .from(alertTable)
        .where(inArray(alertTable.id, ids))
        .orderBy(asc(alertTable.id))
        .for("update");
      const rows = await tx
        .select({ id: alertTable.id, state: alertTable.state, baselineAt: watchTable.baselineAt })
        .from(alertTable)
        .innerJoin(watchTable, eq(watchTable.associationId, alertTable.associationId))
        .leftJoin(breachTable, eq(breachTable.name, alertTable.breachName))
        .where(and(inArray(alertTable.id, ids), eq(watchTable.suspended, false), isWithinScope));
      if (rows.length === 0) return { alerts: [], through: ids.at(-1) };
      const found = new Map(rows.map((row) => [row.id, row]));
      const worsened = await tx
        .update(alertTable)
        .set(pendingSince(sql`${at.toISOString()}::timestamptz`))
        .where(inArray(alertTable.id, [...found.keys()]))
        .returning();
      const alerts = worsened.map(({ id, associationId, accountId }) => ({
        alertId: id,
        associationId,
        accountId,
        reopened: found.get(id)?.state === "handled",
        reported: found.get(id)?.baselineAt !== null,
      }));
      return { alerts, through: ids.at(-1) };
    },
    async worsenMissed(associationId) {
      const own = eq(alertTable.associationId, associationId);
      // Waits for a running batch, so that it is certain whether it has passed this association.
      await tx
        .select({ id: changeTable.id })
        .from(changeTable)
        .where(
          and(
            ...[sql`${changeTable.worse}`, isNull(changeTable.toldAt)],
            inArray(changeTable.breachName, tx.select({ name: alertTable.breachName }).from(alertTable).where(own)),
          ),
        )
        .orderBy(asc(changeTable.id))
        .for("share");
      const missed = tx
        .select({ id: alertTable.id, at: sql`max(${changeTable.at})`.as("missed_at") })
        .from(alertTable)
        .innerJoin(watchTable, eq(watchTable.associationId, alertTable.associationId))
        .leftJoin(breachTable, eq(breachTable.name, alertTable.breachName))
        .innerJoin(changeTable, eq(changeTable.breachName, alertTable.breachName))
        .where(
          and(
            ...[own, isWithinScope, sql`${changeTable.worse}`],
            or(isNotNull(changeTable.toldAt), gte(changeTable.toldThrough, alertTable.id)),
            gte(changeTable.at, alertTable.raisedAt),
            or(isNull(alertTable.worsenedAt), gt(changeTable.at, alertTable.worsenedAt)),
          ),
        )
        .groupBy(alertTable.id)
        .as("missed");
      const worsened = await tx
        .update(alertTable)
        .set(pendingSince(sql`${missed.at}`))
        .from(missed)
        .where(eq(alertTable.id, missed.id))
        .returning({ id: alertTable.id });
      return worsened.length;
    },
    async advance(id, through) {
      await tx.update(changeTable).set({ toldThrough: through }).where(eq(changeTable.id, id));
    },
    async markTold(id, now) {
      await tx.update(changeTable).set({ toldAt: now, toldThrough: null }).where(eq(changeTable.id, id));
    },
  };
}
