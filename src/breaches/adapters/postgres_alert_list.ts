import { and, count, desc, eq, gt, gte, inArray, isNull, lt, min, or, type SQL, sql } from "drizzle-orm";
import { listed } from "../../database/lists.ts";
import type { Database } from "../../database/postgres.ts";
import { rowsOf } from "../../database/snapshot.ts";
import type { AlertSort } from "../../shared/alert.ts";
import type { BreachFlag } from "../../shared/breach.ts";
import type { Alert, AlertFilter, AlertOrder, AlertReader, SeenAlert } from "../ports.ts";
import { alertTable, breachTable, watchTable } from "./tables.ts";

type AlertRow = typeof alertTable.$inferSelect;

export function alertOf({ handledAt, worsenedAt, reason, note, ...row }: AlertRow): Alert {
  return {
    ...row,
    ...{ handledAt: handledAt ?? undefined, worsenedAt: worsenedAt ?? undefined },
    ...{ reason: reason ?? undefined, note: note ?? undefined },
  };
}

export const isNotSensitive = sql`${breachTable.sensitive} is false`;
/** What the owner of the address lets this watch see. A breach that nobody has listed yet may turn out to be sensitive. */
export const isWithinScope = sql`(${watchTable.sensitive} or ${isNotSensitive})`;

/** What a drill made up tells nothing of anybody, and has to be known for what it is. */
const isShown = sql<boolean>`(${watchTable.details} or (${breachTable.source} = 'drill') is true)`;
/** Without details not even the order may tell of the breach. */
const ifShown = (value: SQL) => sql`case when ${isShown} then ${value} end`;
const title = sql`coalesce(${breachTable.titleLower}, lower(${alertTable.breachName}))`;
const domain = sql`coalesce(lower(${breachTable.breach}->>'domain'), '')`;
const addedDate = ifShown(sql`${breachTable.addedDate} collate "C"`);
const newsAt = sql`greatest(${alertTable.raisedAt}, ${alertTable.worsenedAt})`;
const newestFirst = [desc(alertTable.raisedAt), sql`${addedDate} desc nulls last`, desc(alertTable.id)];

const KEYS: Record<AlertSort, SQL[]> = {
  found: [sql`${alertTable.raisedAt}`, addedDate],
  happened: [ifShown(sql`${breachTable.breach}->>'breachDate' collate "C"`)],
  known: [addedDate],
  service: [ifShown(sql`${title} collate "C"`)],
  address: [sql`${alertTable.address} collate "C"`],
  seriousness: [ifShown(sql`ranked.place`)],
};

function orderOf({ by, direction }: AlertOrder): SQL[] {
  return [...KEYS[by].map((key) => sql`${key} ${sql.raw(direction)} nulls last`), ...newestFirst];
}

/** Names as one parameter, however many; each with its place. */
const rankedOf = (names: string[]) =>
  sql`(select name, place from json_array_elements_text(${JSON.stringify(names)}::json) with ordinality as one(name, place)) as ranked`;

/** A person's words as a literal part of a LIKE pattern. */
function containing(words: string): string {
  return `%${words.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

function inTable(accountId: string, handledAfter: Date): SQL | undefined {
  const isInTable = or(isNull(alertTable.handledAt), gt(alertTable.handledAt, handledAfter));
  return and(eq(alertTable.accountId, accountId), isInTable, isWithinScope);
}

function matching(accountId: string, { state, search, address, breachNames, handledAfter }: AlertFilter) {
  return and(
    inTable(accountId, handledAfter),
    state && eq(alertTable.state, state),
    address === undefined ? undefined : eq(alertTable.address, address),
    breachNames &&
      sql`${isShown} and ${alertTable.breachName} in
        (select json_array_elements_text(${JSON.stringify(breachNames)}::json))`,
    search === undefined
      ? undefined
      : sql`(${alertTable.address} || case when ${isShown} then ' ' || ${title} || ' ' || ${domain} else '' end)
          like ${containing(search.toLowerCase())}`,
  );
}

const withWatch = eq(watchTable.associationId, alertTable.associationId);
const withBreach = eq(breachTable.name, alertTable.breachName);

/** How many alerts are within the scope of their watch. */
export async function countSeen(tx: Database, condition: SQL | undefined): Promise<number> {
  const [row] = await tx
    .select({ count: count() })
    .from(alertTable)
    .innerJoin(watchTable, withWatch)
    .leftJoin(breachTable, withBreach)
    .where(and(condition, isWithinScope));
  return row?.count ?? 0;
}

/** The pending ones of each association, one by one: for a list of them a planner without statistics reads all alerts. */
export async function countPendingOf(tx: Database, associationIds: string[]): Promise<Map<string, number>> {
  const pending = tx
    .select({ count: count() })
    .from(alertTable)
    .innerJoin(watchTable, withWatch)
    .leftJoin(breachTable, withBreach)
    .where(and(sql`${alertTable.associationId} = counted`, eq(alertTable.state, "pending"), isWithinScope));
  const rows = await rowsOf<{ associationId: string; open: number }>(
    tx,
    sql`select counted as "associationId", (${pending})::integer as open
      from unnest(${listed(associationIds, "uuid")}) as counted`,
  );
  return new Map(rows.map(({ associationId, open }) => [associationId, open]));
}

export function postgresAlertList(tx: Database): AlertReader {
  const seen = (condition: SQL | undefined) =>
    tx
      .select({ alert: alertTable, details: isShown })
      .from(alertTable)
      .innerJoin(watchTable, withWatch)
      .leftJoin(breachTable, withBreach)
      .where(and(condition, isWithinScope))
      .$dynamic();
  const seenOf = ({ alert, details }: { alert: AlertRow; details: boolean }): SeenAlert => ({
    ...alertOf(alert),
    details,
  });
  const ordered = (accountId: string, filter: AlertFilter) => {
    const { order = { by: "found", direction: "desc" } } = filter;
    const rows = tx
      .select({ id: alertTable.id, alert: alertTable, details: isShown })
      .from(alertTable)
      .innerJoin(watchTable, withWatch)
      .leftJoin(breachTable, withBreach)
      .$dynamic();
    const joined =
      order.by === "seriousness"
        ? rows.leftJoin(rankedOf(order.ranking ?? []), sql`ranked.name = ${alertTable.breachName}`)
        : rows;
    return joined.where(matching(accountId, filter)).orderBy(...orderOf(order));
  };

  return {
    async find(accountId, id) {
      const [row] = await seen(and(eq(alertTable.id, id), eq(alertTable.accountId, accountId)));
      return row && seenOf(row);
    },
    async findAll(accountId, ids) {
      if (ids.length === 0) return [];
      return (await seen(and(inArray(alertTable.id, ids), eq(alertTable.accountId, accountId)))).map(seenOf);
    },
    async listByIds(ids) {
      if (ids.length === 0) return [];
      return (await seen(inArray(alertTable.id, ids))).map(seenOf);
    },
    async listByAssociation(associationId, handledAfter, limit) {
      const recent = or(isNull(alertTable.handledAt), gt(alertTable.handledAt, handledAfter));
      const rows = seen(and(eq(alertTable.associationId, associationId), recent)).orderBy(...newestFirst);
      return (await rows.limit(limit)).map(seenOf);
    },
    async list(accountId, filter, offset, limit) {
      const page = ordered(accountId, filter).offset(offset).limit(limit);
      const [rows, total] = await Promise.all([page, countSeen(tx, matching(accountId, filter))]);
      return { alerts: rows.map(seenOf), total };
    },
    async listIds(accountId, filter) {
      return (await ordered(accountId, filter)).map(({ id }) => id);
    },
    async countByBreach(accountId, handledAfter) {
      return await tx
        .select({ breachName: alertTable.breachName, count: count() })
        .from(alertTable)
        .innerJoin(watchTable, withWatch)
        .leftJoin(breachTable, withBreach)
        .where(and(inTable(accountId, handledAfter), isShown))
        .groupBy(alertTable.breachName);
    },
    async countByAddress(accountId, handledAfter) {
      return await tx
        .select({ address: alertTable.address, count: count() })
        .from(alertTable)
        .innerJoin(watchTable, withWatch)
        .leftJoin(breachTable, withBreach)
        .where(inTable(accountId, handledAfter))
        .groupBy(alertTable.address)
        .orderBy(sql`${alertTable.address} collate "C"`);
    },
    async listTouching(accountId, handledAfter) {
      const { breach, name } = breachTable;
      const rows = await tx
        .select({
          details: isShown,
          breachDate: sql<string | null>`${breach}->>'breachDate'`,
          dataClasses: sql<string[] | null>`${breach}->'dataClasses'`,
          flags: sql<BreachFlag[] | null>`${breach}->'flags'`,
          raisedAt: min(alertTable.raisedAt),
          alerts: count(),
          pending: sql<number>`count(*) filter (where ${alertTable.state} = 'pending')`.mapWith(Number),
        })
        .from(alertTable)
        .innerJoin(watchTable, withWatch)
        .leftJoin(breachTable, withBreach)
        .where(inTable(accountId, handledAfter))
        .groupBy(alertTable.breachName, name, isShown);
      const [shown, hidden] = [rows.filter(({ details }) => details), rows.filter(({ details }) => !details)];
      return {
        breaches: shown.map(({ breachDate, dataClasses, flags, raisedAt, pending }) => ({
          ...{ breachDate: breachDate ?? undefined, dataClasses: dataClasses ?? [], flags: flags ?? [], pending },
          raisedAt: raisedAt ?? new Date(0),
        })),
        undisclosed: hidden.reduce((sum, { alerts }) => sum + alerts, 0),
      };
    },
    async latest(accountId, handledAfter, limit) {
      const order = [sql`${newsAt} desc`, sql`${addedDate} desc nulls last`, desc(alertTable.id)];
      return (
        await seen(inTable(accountId, handledAfter))
          .orderBy(...order)
          .limit(limit)
      ).map(seenOf);
    },
    async countNews(accountId, since) {
      const isFresh = since ? sql`${newsAt} > ${since.toISOString()}::timestamptz` : sql`true`;
      const [row] = await tx
        .select({ pending: count(), fresh: sql<number>`count(*) filter (where ${isFresh})`.mapWith(Number) })
        .from(alertTable)
        .innerJoin(watchTable, withWatch)
        .leftJoin(breachTable, withBreach)
        .where(and(eq(alertTable.accountId, accountId), eq(alertTable.state, "pending"), isWithinScope));
      return row ?? { pending: 0, fresh: 0 };
    },
    countPending: (accountId) =>
      countSeen(tx, and(eq(alertTable.accountId, accountId), eq(alertTable.state, "pending"))),
    countRaised: (accountId, from, to) =>
      countSeen(
        tx,
        and(eq(alertTable.accountId, accountId), gte(alertTable.raisedAt, from), lt(alertTable.raisedAt, to)),
      ),
  };
}
