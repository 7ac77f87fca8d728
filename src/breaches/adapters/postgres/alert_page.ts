import { getTableColumns, type SQL, sql } from "drizzle-orm";
import { rowsOut } from "../../../database/lists.ts";
import type { Database } from "../../../database/postgres.ts";
import { prepared } from "../../../database/prepared.ts";
import type { AlertFilter, AlertOrder, SeenAlert } from "../../ports.ts";
import {
  type AlertRow,
  alertOf,
  type Given,
  isNotSensitive,
  isShown,
  matching,
  ofAlert,
  orderOf,
  rankedOf,
  valuesOf,
  withBreach,
  withWatch,
} from "./alert_terms.ts";
import { alertTable, breachTable, watchTable } from "./tables.ts";

type Names = Exclude<keyof Given, "accountId" | "handledAfter">;
/**
 * The parts of the statement's text besides its values. The page length and whether it is the first are part of it: without them
 * the server plans for many rows and sorts all of them.
 */
type Shape = { given: Names[]; limit: number; isFirst: boolean } & Pick<AlertOrder, "by" | "direction">;

const place = (name: string) => sql`${sql.placeholder(name)}`;

/**
 * Sums numeric fields over an account's alerts within the scope. Breaches are joined only for the few watches without sensitive
 * breaches, and each watch is read once for all of its alerts, as these lookups dominate a page's time.
 */
function sums(accountId: SQL, fields: Record<string, SQL>): SQL {
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

const isPending = sql`${alertTable.state} = 'pending'`;

/** One page, its total, and the number of all pending alerts. */
function pageStatement({ given: names, limit, isFirst, by, direction }: Shape) {
  const given: Given = {
    accountId: place("accountId"),
    handledAfter: place("handledAfter"),
    ...Object.fromEntries(names.map((name) => [name, place(name)])),
  };
  // Conditions on the breach need a join.
  const isOfAlert = given.search === undefined && given.breachNames === undefined;
  const all = sql`select count(*) from ${alertTable} inner join ${watchTable} on ${withWatch}
    left join ${breachTable} on ${withBreach} where ${matching(given)}`;
  const found = isOfAlert ? sql`count(*) filter (where ${ofAlert(given)})` : sql`0`;
  const counts = sums(given.accountId, { total: found, pending: sql`count(*) filter (where ${isPending})` });

  return prepared((database) => {
    const rows = database
      .select({ ...getTableColumns(alertTable), details: isShown.as("details") })
      .from(alertTable)
      .innerJoin(watchTable, withWatch)
      .leftJoin(breachTable, withBreach)
      .$dynamic();
    const ranked =
      by === "seriousness"
        ? rows.leftJoin(rankedOf(place("ranking")), sql`ranked.name = ${alertTable.breachName}`)
        : rows;
    const ordered = ranked.where(matching(given)).orderBy(...orderOf({ by, direction }));
    const upTo = sql`limit ${sql.raw(String(limit))} offset ${isFirst ? sql`0` : sql.placeholder("offset")}`;
    const page = sql`${ordered.getSQL()} ${upTo}`;
    return database
      .select({
        alerts: rowsOut<typeof alertTable, { details: boolean }>(alertTable, page, ["details"]),
        total: (isOfAlert ? sql`sum(total)` : sql`(${all})`).mapWith(Number),
        pending: sql`sum(pending)`.mapWith(Number),
      })
      .from(sql`(${counts}) as counted`);
  });
}

const STATEMENTS = new Map<string, ReturnType<typeof pageStatement>>();

function statementOf(shape: Shape): ReturnType<typeof pageStatement> {
  const key = JSON.stringify(shape);
  const statement = STATEMENTS.get(key) ?? pageStatement(shape);
  STATEMENTS.set(key, statement);
  return statement;
}

export type AlertListPage = { alerts: SeenAlert[]; total: number; pending: number };

export async function alertPage(
  tx: Database,
  { accountId, filter, offset, limit }: { accountId: string; filter: AlertFilter; offset: number; limit: number },
): Promise<AlertListPage> {
  const { order: { by, direction, ranking = [] } = { by: "found", direction: "desc" } as AlertOrder } = filter;
  const values = await valuesOf(tx, accountId, filter);
  const given = (["state", "search", "found", "address", "breachNames"] as const).filter((name) => name in values);
  const isFirst = offset === 0;
  const more = { ...(!isFirst && { offset }), ...(by === "seriousness" && { ranking: JSON.stringify(ranking) }) };
  const [row] = await statementOf({ given, limit, isFirst, by, direction })(tx, { ...values, ...more });
  if (!row) throw new Error("Cannot count alerts");
  const { alerts, total, pending } = row;
  return {
    alerts: alerts.map(({ details, ...alert }) => ({ ...alertOf(alert as AlertRow), details })),
    total,
    pending,
  };
}

const PENDING = prepared((database) =>
  database
    .select({ pending: sql`sum(pending)`.mapWith(Number) })
    .from(sql`(${sums(place("accountId"), { pending: sql`count(*) filter (where ${isPending})` })}) as counted`),
);

export async function countPending(tx: Database, accountId: string): Promise<number> {
  const [row] = await PENDING(tx, { accountId });
  return row?.pending ?? 0;
}
