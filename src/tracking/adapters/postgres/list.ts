import { and, asc, inArray, like, type SQL, sql } from "drizzle-orm";
import { rendered, rowsOut } from "../../../database/lists.ts";
import type { Database } from "../../../database/postgres.ts";
import { containsText } from "../../../shared/shown_address.ts";
import { type AssociationStatus, ATTENTION, STATUSES } from "../../association.ts";
import type { AskedPage } from "../../ports.ts";
import { associationTable } from "./tables.ts";

const { accountId, address, consent, paused, suspended, openAlerts, openVersion } = associationTable;
const isOn = sql`not (${paused} or ${suspended})`;
/** `statusOf` in SQL; a contract test keeps the two consistent. */
const STATUS: Record<AssociationStatus, SQL> = {
  inactive: sql`(${paused} or ${suspended})`,
  active: sql`(${isOn} and ${openVersion} = 0)`,
  breached: sql`(${isOn} and ${openVersion} > 0 and ${openAlerts} > 0)`,
  safe: sql`(${isOn} and ${openVersion} > 0 and ${openAlerts} <= 0)`,
};
export const hasConsent = sql`${consent} <> 'pending'`;
export const oldestFirst = [asc(associationTable.createdAt), asc(associationTable.id)];
const counted = (where: SQL | undefined) => sql<number>`count(*) filter (where ${where})::integer`;

const ofAccount = sql`${accountId} = asked."accountId"`;
const hasStatus = sql.join(
  STATUSES.map((status) => sql`when ${sql.raw(`'${status}'`)} then ${STATUS[status]}`),
  sql` `,
);
const isFound = sql`(position(asked.search in ${address}) > 0
  or ${address} in (select json_array_elements_text(asked.found)))`;
const matches = sql`(${hasConsent} and ${isFound} and case asked.status ${hasStatus} else true end)`;
const rank = sql.join(
  ATTENTION.map((status, place) => sql`when ${STATUS[status]} then ${sql.raw(String(place))}`),
  sql` `,
);
const inOrder = sql.join(
  [
    sql`case when asked."order" = 'attention' then case ${rank} end end`,
    sql`case when asked."order" = 'attention' then ${openAlerts} end desc`,
    ...oldestFirst,
  ],
  sql`, `,
);
const counts = sql.join(
  [
    ...[sql`${counted(matches)} as total`, sql`count(*)::integer as used`],
    ...STATUSES.map((status) => sql`${counted(and(hasConsent, STATUS[status]))} as ${sql.raw(status)}`),
    sql`${counted(sql`${hasConsent} and ${openAlerts} > 0`)} as waiting_addresses`,
    sql`coalesce(sum(${openAlerts}) filter (where ${hasConsent}), 0)::integer as waiting_alerts`,
  ],
  sql`, `,
);
/** The matching associations of one page, in order, and the counts of all. */
const matching = rendered(sql`select * from ${associationTable} where ${ofAccount} and ${matches}
  order by ${inOrder} offset asked.skip`);
const allCounted = rendered(sql`select ${counts} from ${associationTable} where ${ofAccount}`);

/** A page by its `place` among those asked for, in lower case. `found` as by `foundAsShown`; `skip` rows come before it. */
type Asked = Omit<AskedPage, "offset"> & { place: number; skip: number; found: string[] | undefined };

/** One statement for the requested pages and all counts, as one consistent snapshot. */
export function listPages(tx: Database, pages: Asked[], limit: number) {
  const asked = sql`json_to_recordset(${JSON.stringify(pages)}::json)
    as asked(place int, "accountId" uuid, search text, found json, status text, "order" text, skip int)`;
  const page = sql`${matching} limit ${sql.raw(String(limit))}`;
  return tx
    .select({
      associations: rowsOut(associationTable, page),
      total: sql<number>`total`,
      used: sql<number>`used`,
      safe: sql<number>`safe`,
      active: sql<number>`active`,
      breached: sql<number>`breached`,
      inactive: sql<number>`inactive`,
      waitingAddresses: sql<number>`waiting_addresses`,
      waitingAlerts: sql<number>`waiting_alerts`,
    })
    .from(sql`${asked} cross join lateral (${allCounted}) as counted`)
    .orderBy(sql`place`);
}

/**
 * What each page's search finds only in an address's readable form, which the database cannot compute: addresses with an
 * international domain are few.
 */
export async function foundAsShown(
  tx: Database,
  pages: Pick<AskedPage, "accountId" | "search">[],
): Promise<string[][]> {
  const searched = pages.filter(({ search }) => search !== "").map((page) => page.accountId);
  if (searched.length === 0) return pages.map(() => []);
  const rows = await tx
    .select({ accountId, address })
    .from(associationTable)
    .where(and(inArray(accountId, searched), like(address, "%xn--%")));
  return pages.map(({ accountId: id, search }) =>
    rows.filter((row) => row.accountId === id && containsText(row.address, search)).map((row) => row.address),
  );
}
