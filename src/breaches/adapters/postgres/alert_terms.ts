import { and, desc, eq, like, type SQL, sql } from "drizzle-orm";
import { type WithoutNulls, withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { AlertSort } from "../../../shared/alert.ts";
import { containsText } from "../../../shared/shown_address.ts";
import type { Breach } from "../../catalogue/breach.ts";
import type { Alert, AlertFilter, AlertOrder, KnownBreach, SeenAlert } from "../../ports.ts";
import { alertTable, breachTable, exposureTable, logoTable, watchTable } from "./tables.ts";

// SQL fragments of the statements that read alerts.

export type AlertRow = typeof alertTable.$inferSelect;

export const alertOf = (row: AlertRow | WithoutNulls<AlertRow>): Alert => withoutNulls(row);

export const withWatch = eq(watchTable.associationId, alertTable.associationId);
export const withBreach = eq(breachTable.name, alertTable.breachName);

export const isNotSensitive = sql`${breachTable.sensitive} is false`;
/** The scope that the address's owner allows. An unlisted breach may turn out to be sensitive. */
export const isWithinScope = sql`(${watchTable.sensitive} or ${isNotSensitive})`;

/** Fire drills reveal nothing about anybody and must be recognisable. */
export const isShown = sql<boolean>`(${watchTable.details} or (${breachTable.source} = 'drill') is true)`;
/** The addresses under which an alert's breach was found. */
export const foundUnder = sql`(case when cardinality(${alertTable.variants}) = 0 then array[${alertTable.address}]
  else ${alertTable.variants} end)`;

type StoredKnown = { breach: Breach | null; logo: string | null; sources: string[] };

/**
 * An alert as its account may see it: the columns beside its own. Sources are looked up by both keys, as a breach may have millions
 * of exposures.
 */
export const seenColumns = {
  details: isShown.as("details"),
  known: sql<StoredKnown | null>`case when ${isShown} then json_build_object(
    'breach', ${breachTable.breach},
    'logo', (select file from ${logoTable} where path = ${breachTable.breach}->>'logoPath'),
    'sources', array(select unnest(sources) from unnest(${foundUnder}) as one(address) cross join lateral (
      select sources from ${exposureTable} as known
        where known.address = one.address and known.breach_name = ${alertTable.breachName} offset 0
    ) as known)) end`.as("known"),
};

export type SeenRow = AlertRow & { details: boolean; known: StoredKnown | null };

export function seenOf({ details, known, ...alert }: SeenRow | WithoutNulls<SeenRow>): SeenAlert {
  return { ...alertOf(alert), details, known: known ? knownOf(known) : undefined };
}

function knownOf({ breach, logo, sources }: StoredKnown): KnownBreach {
  return { breach: breach ?? undefined, logo: logo ?? undefined, sources: [...new Set(sources)] };
}

/** Without details, not even the sort order may reveal the breach. */
const ifShown = (value: SQL) => sql`case when ${isShown} then ${value} end`;
const title = sql`coalesce(${breachTable.titleLower}, lower(${alertTable.breachName}))`;
const former = sql`coalesce(${breachTable.formerLower}, '')`;
const domain = sql`coalesce(lower(${breachTable.breach}->>'domain'), '')`;
export const addedDate = ifShown(sql`${breachTable.addedDate} collate "C"`);
/** The index's own order, including nulls, so that a page reads only its own rows. */
export const newestFirst = [
  sql`${alertTable.raisedAt} desc nulls last`,
  sql`${addedDate} desc nulls last`,
  desc(alertTable.id),
];
const oldestFirst = [
  sql`${alertTable.raisedAt} asc nulls first`,
  sql`${addedDate} asc nulls last`,
  desc(alertTable.id),
];

const KEYS: Record<Exclude<AlertSort, "found">, SQL> = {
  happened: ifShown(sql`${breachTable.breach}->>'breachDate' collate "C"`),
  known: addedDate,
  service: ifShown(sql`${title} collate "C"`),
  address: sql`${alertTable.address} collate "C"`,
  seriousness: ifShown(sql`ranked.place`),
};

/** The person has not said that the password was changed since the breach. */
const isWork = sql`not (${isShown} and ${alertTable.changedSince} is not distinct from 'after')`;

export function orderOf({ by, direction }: Pick<AlertOrder, "by" | "direction">): SQL[] {
  if (by === "found") return direction === "desc" ? newestFirst : oldestFirst;
  const first = by === "seriousness" ? [sql`${isWork} ${sql.raw(direction)}`] : [];
  return [...first, sql`${KEYS[by]} ${sql.raw(direction)} nulls last`, ...newestFirst];
}

/** Names with their rank, as one parameter. */
export const rankedOf = (names: string[]) =>
  sql`(select name, place from json_array_elements_text(${JSON.stringify(names)}::json) with ordinality as one(name, place)) as ranked`;

/** A filter of an account's alerts. `found`: the addresses whose readable form contains the search text. */
export type Given = Omit<AlertFilter, "order"> & { accountId: string; found: string[] };

/** Escapes a search text for a LIKE pattern. */
function containing(words: string): string {
  return `%${words.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/** The database cannot compute the readable form, and addresses with an international domain are few. */
async function foundAsShown(tx: Database, accountId: string, search: string): Promise<string[]> {
  const { address } = watchTable;
  const rows = await tx
    .select({ address })
    .from(watchTable)
    .where(and(eq(watchTable.accountId, accountId), like(address, "%xn--%")));
  return rows.map((row) => row.address).filter((one) => containsText(one, search.toLowerCase()));
}

export async function givenOf(tx: Database, accountId: string, { order, ...filter }: AlertFilter): Promise<Given> {
  const found = filter.search === undefined ? [] : await foundAsShown(tx, accountId, filter.search);
  return { ...filter, accountId, found };
}

/** Whether the table still shows the alert. */
export const isRecent = (handledAfter: Date) =>
  sql`(${alertTable.handledAt} is null or ${alertTable.handledAt} > ${handledAfter.toISOString()}::timestamptz)`;

/** Those under which it was found, for a search. */
const aliases = sql`case when cardinality(${alertTable.variants}) > 0
  then ' ' || array_to_string(${alertTable.variants}, ' ') else '' end`;

/** Conditions on the alert alone. */
export function ofAlert({ state, address, handledAfter }: Given): SQL | undefined {
  return and(
    isRecent(handledAfter),
    state === undefined ? undefined : eq(alertTable.state, state),
    address === undefined ? undefined : eq(alertTable.address, address),
  );
}

/** All conditions of a filter, within the scope. */
export function matching(given: Given): SQL | undefined {
  const { accountId, search, found, breachNames } = given;
  return and(
    ...[eq(alertTable.accountId, accountId), ofAlert(given), isWithinScope],
    breachNames &&
      sql`${isShown} and ${alertTable.breachName} in (select json_array_elements_text(${JSON.stringify(breachNames)}::json))`,
    search === undefined
      ? undefined
      : sql`(${alertTable.address} in (select json_array_elements_text(${JSON.stringify(found)}::json))
          or (${alertTable.address} || ${aliases} || case when ${isShown} then ' ' || ${title} || ' ' || ${former} || ' ' || ${domain}
            else '' end) like ${containing(search)})`,
  );
}
