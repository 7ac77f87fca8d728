import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { rowsOut } from "../../../database/lists.ts";
import type { Database } from "../../../database/postgres.ts";
import type { AlertFilter, AlertOrder, SeenAlert } from "../../ports.ts";
import {
  type Given,
  givenOf,
  isNotSensitive,
  matching,
  ofAlert,
  orderOf,
  rankedOf,
  type SeenRow,
  seenColumns,
  seenOf,
  withBreach,
  withWatch,
} from "./alert_terms.ts";
import { alertTable, breachTable, watchTable } from "./tables.ts";

/**
 * Sums numeric fields over an account's alerts within the scope. Breaches are joined only for the few watches without sensitive
 * breaches, and each watch is read once for all of its alerts, as these lookups dominate a page's time.
 */
function sums(accountId: string, fields: Record<string, SQL>): SQL {
  const listed = (of: (name: string, field: SQL) => SQL) =>
    sql.join(
      Object.entries(fields).map(([name, field]) => of(name, field)),
      sql`, `,
    );
  const counted = listed((name, field) => sql`${field} as ${sql.raw(name)}`);
  const summed = listed((name) => sql`sum(${sql.raw(name)}) as ${sql.raw(name)}`);
  const ofAccount = sql`${alertTable.accountId} = ${accountId}`;
  const owned = sql`${watchTable.accountId} = ${accountId}`;
  return sql`select ${summed} from ${watchTable} inner join (
      select association_id, ${counted} from ${alertTable} where ${ofAccount} group by association_id
    ) as counted using (association_id) where ${owned} and ${watchTable.sensitive}
    union all
    select ${counted} from ${watchTable} inner join ${alertTable} on ${withWatch} inner join ${breachTable} on ${withBreach}
      where ${ofAccount} and ${owned} and not ${watchTable.sensitive} and ${isNotSensitive}`;
}

const pending = sql`count(*) filter (where ${alertTable.state} = 'pending')`;

/** The ids of the alerts that match. */
export function orderedIds(tx: Database, given: Given, order: AlertOrder = { by: "found", direction: "desc" }) {
  const rows = tx
    .select({ id: alertTable.id })
    .from(alertTable)
    .innerJoin(watchTable, withWatch)
    .leftJoin(breachTable, withBreach)
    .$dynamic();
  const ranking = rankedOf(order.ranking ?? []);
  const ranked =
    order.by === "seriousness" ? rows.leftJoin(ranking, sql`ranked.name = ${alertTable.breachName}`) : rows;
  return ranked.where(matching(given)).orderBy(...orderOf(order));
}

/** One page, its total, and the number of all pending alerts. */
export async function alertPage(
  tx: Database,
  { accountId, filter, offset, limit }: { accountId: string; filter: AlertFilter; offset: number; limit: number },
): Promise<{ alerts: SeenAlert[]; total: number; pending: number }> {
  const given = await givenOf(tx, accountId, filter);
  const ordered = orderedIds(tx, given, filter.order);
  // The page length and whether it is the first are part of the text: without them the server plans for many rows and sorts
  // all of them.
  const ids = sql`${ordered.getSQL()} limit ${sql.raw(String(limit))} offset ${offset === 0 ? sql`0` : offset}`;
  // Of this page only: Postgres would also look up what is known of all alerts before it.
  const page = tx
    .select({ ...getTableColumns(alertTable), ...seenColumns })
    .from(sql`unnest(array(${ids})) with ordinality as chosen(id, place)`)
    .innerJoin(alertTable, sql`${alertTable.id} = chosen.id`)
    .innerJoin(watchTable, withWatch)
    .leftJoin(breachTable, withBreach)
    .orderBy(sql`chosen.place`)
    .getSQL();
  // Conditions on the breach need a join.
  const isOfAlert = given.search === undefined && given.breachNames === undefined;
  const all = sql`(select count(*) from ${alertTable} inner join ${watchTable} on ${withWatch}
    left join ${breachTable} on ${withBreach} where ${matching(given)})`;
  const found = isOfAlert ? sql`count(*) filter (where ${ofAlert(given)})` : sql`0`;
  const [row] = await tx
    .select({
      alerts: rowsOut<typeof alertTable, Pick<SeenRow, "details" | "known">>(alertTable, page, ["details", "known"]),
      total: (isOfAlert ? sql`sum(total)` : all).mapWith(Number),
      pending: sql`sum(pending)`.mapWith(Number),
    })
    .from(sql`(${sums(accountId, { total: found, pending })}) as counted`);
  if (!row) throw new Error("Cannot count alerts");
  return { ...row, alerts: row.alerts.map(seenOf) };
}
