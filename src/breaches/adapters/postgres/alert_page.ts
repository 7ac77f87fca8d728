import { type SQL, sql } from "drizzle-orm";
import { rendered, rowsOut } from "../../../database/lists.ts";
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

/** Alerts with what their conditions and order refer to. */
const all = rendered(
  sql`${alertTable} inner join ${watchTable} on ${withWatch} left join ${breachTable} on ${withBreach}`,
);
/** An alert as its account may see it. */
const seen = rendered(sql`${alertTable}.*, ${seenColumns.details.sql} as details, ${seenColumns.known.sql} as known`);

/** The ids of the alerts that match. */
export function orderedIds(given: Given, order: AlertOrder = { by: "found", direction: "desc" }): SQL {
  const ranking =
    order.by === "seriousness"
      ? sql`left join ${rankedOf(order.ranking ?? [])} on ranked.name = ${alertTable.breachName}`
      : sql``;
  return sql`select ${alertTable.id} from ${all} ${ranking} where ${matching(given)} order by ${sql.join(orderOf(order), sql`, `)}`;
}

/** One page, its total, and the number of all pending alerts. */
export async function alertPage(
  tx: Database,
  { accountId, filter, offset, limit }: { accountId: string; filter: AlertFilter; offset: number; limit: number },
): Promise<{ alerts: SeenAlert[]; total: number; pending: number }> {
  const given = await givenOf(tx, accountId, filter);
  // The page length and whether it is the first are part of the text: without them the server plans for many rows and sorts
  // all of them.
  const ids = sql`${orderedIds(given, filter.order)} limit ${sql.raw(String(limit))} offset ${offset === 0 ? sql`0` : offset}`;
  // Of this page only: Postgres would also look up what is known of all alerts before it.
  const page = sql`select ${seen} from unnest(array(${ids})) with ordinality as chosen(id, place)
    inner join (${all}) on ${alertTable.id} = chosen.id order by chosen.place`;
  // Conditions on the breach need a join.
  const isOfAlert = given.search === undefined && given.breachNames === undefined;
  const counted = sql`(select count(*) from ${all} where ${matching(given)})`;
  const found = isOfAlert ? sql`count(*) filter (where ${ofAlert(given)})` : sql`0`;
  const [row] = await tx
    .select({
      alerts: rowsOut<typeof alertTable, Pick<SeenRow, "details" | "known">>(alertTable, page, ["details", "known"]),
      total: (isOfAlert ? sql`sum(total)` : counted).mapWith(Number),
      pending: sql`sum(pending)`.mapWith(Number),
    })
    .from(sql`(${sums(accountId, { total: found, pending })}) as counted`);
  if (!row) throw new Error("Cannot count alerts");
  return { ...row, alerts: row.alerts.map(seenOf) };
}
