import { and, desc, eq, inArray, isNotNull, or, sql } from "drizzle-orm";
import { listed, rowsAtOnce } from "../../../database/lists.ts";
import type { Database } from "../../../database/postgres.ts";
import type { Alert, AlertRepository, Finding, RaisedAlert } from "../../ports.ts";
import { countPendingOf, postgresAlertList } from "./alert_list.ts";
import { alertOf, foundUnder, isNotSensitive, isWithinScope, withBreach, withWatch } from "./alert_terms.ts";
import { alertCountTable, alertTable, breachTable, exposureTable, watchTable } from "./tables.ts";

/** Within the scope of a watch; a subquery, as a row lock cannot reach through a join. */
const mayBeRaised = sql`(${watchTable.sensitive} or exists
  (select 1 from ${breachTable} where ${breachTable.name} = exposure.breach_name and ${isNotSensitive}))`;

/** The fields that differ between new alerts. */
type Raised = Pick<Alert, "id" | "associationId" | "accountId" | "address" | "breachName" | "baseline" | "variants">;

const breachesOf = sql`(select breach_name from ${exposureTable} where address = ${watchTable.address} offset 0)`;

const raisedOf = (alert: Raised, raisedAt: Date): Alert => ({
  ...alert,
  state: "pending",
  version: 1,
  steps: [],
  raisedAt,
  handledAt: undefined,
  worsenedAt: undefined,
  reason: undefined,
  note: undefined,
  changedSince: undefined,
});

/** The account's own alert. */
const isOwn = (accountId: string, id: string) => and(eq(alertTable.id, id), eq(alertTable.accountId, accountId));

export function postgresAlerts(tx: Database): AlertRepository {
  async function storeFound(findings: Finding[], now: Date, source: string | undefined): Promise<void> {
    const pairs = findings.flatMap(({ address, breachNames }) => breachNames.map((name) => ({ address, name })));
    if (pairs.length === 0) return;
    const by = sql`${source ?? null}::text`;
    await tx.execute(sql`insert into ${exposureTable} as known (address, breach_name, found_at, sources)
      select distinct address, name, ${now.toISOString()}::timestamptz, array_remove(array[${by}], null)
      from json_to_recordset(${JSON.stringify(pairs)}::json) as found(address text, name text) order by address, name
      on conflict (address, breach_name) do update set sources = array_append(known.sources, ${by})
        where not ${by} = any(known.sources)`);
  }

  /** One set operation for all watches of these addresses. */
  async function raiseMissing(addresses: string[], now: Date): Promise<Alert[]> {
    const added = await rowsAtOnce<Raised>(
      tx,
      // Exposures are read per address: a planner that expects few would read them all. The lock keeps watches from being
      // suspended or removed between an alert and its announcement.
      sql`with found as materialized (
          select coalesce(alias_of, association_id) as association_id, account_id, ${watchTable.address},
            exposure.breach_name, baseline_at is null as is_first
          from ${watchTable} cross join lateral ${breachesOf} as exposure
          where ${watchTable.address} = any(${listed(addresses)}) and not suspended and ${mayBeRaised}
          for share of ${sql.identifier("watch")}
        ), one as (
          select association_id, account_id, breach_name, bool_and(is_first) as is_first,
            array_agg(address order by address collate "C") as addresses
          from found group by association_id, account_id, breach_name
        )
        insert into ${alertTable} (id, association_id, account_id, address, breach_name, state, baseline, raised_at, version, variants)
        select gen_random_uuid(), association_id, one.account_id, main.address, breach_name, 'pending', is_first,
          ${now.toISOString()}::timestamptz, 1, case when addresses = array[main.address] then '{}' else addresses end
        from one cross join lateral (
          select address from ${watchTable} as main where main.association_id = one.association_id offset 0
        ) as main order by association_id, breach_name
        on conflict (association_id, breach_name) do nothing
        returning id, association_id as "associationId", account_id as "accountId", address, breach_name as "breachName",
          baseline, variants`,
    );
    return added.map((alert) => raisedOf(alert, now));
  }

  /**
   * Adds addresses to the alerts of associations with aliases, with nothing handled, as each is another account at the service. In
   * the lock order of handling several alerts. `offset 0` makes the planner look aliases up by index.
   */
  async function extendFound(addresses: string[]): Promise<RaisedAlert[]> {
    const extended = await rowsAtOnce<{ id: string; isFirst: boolean }>(
      tx,
      sql`with found as materialized (
          select coalesce(alias_of, association_id) as association_id, ${watchTable.address}, exposure.breach_name,
            baseline_at is null as is_first
          from ${watchTable} cross join lateral ${breachesOf} as exposure
          where ${watchTable.address} = any(${listed(addresses)}) and not suspended and (alias_of is not null
            or exists (select 1 from ${watchTable} as alias where alias.alias_of = ${watchTable.associationId} offset 0))
          for share of ${sql.identifier("watch")}
        ), missing as (
          select ${alertTable.id}, array_agg(found.address) as addresses, bool_and(is_first) as is_first
          from found join ${alertTable} using (association_id, breach_name)
          where found.address <> all(${foundUnder}) group by ${alertTable.id}
        ), held as materialized (
          select id from ${alertTable} where id in (select id from missing) order by id for update
        )
        update ${alertTable} set state = 'pending', handled_at = null, reason = null, note = null, steps = '{}',
          changed_since = null, version = version + 1,
          variants = (select array_agg(distinct one order by one) from unnest(${foundUnder} || missing.addresses) as one)
        from held join missing using (id) where ${alertTable.id} = held.id
        returning ${alertTable.id}, missing.is_first as "isFirst"`,
    );
    if (extended.length === 0) return [];
    const firsts = new Map(extended.map(({ id, isFirst }) => [id, isFirst]));
    const rows = await tx
      .select()
      .from(alertTable)
      .where(sql`${alertTable.id} = any(${listed([...firsts.keys()], "uuid")})`)
      .orderBy(alertTable.id);
    return rows.map((row) => ({ ...alertOf(row), baseline: firsts.get(row.id) ?? false, again: true }));
  }
  return {
    ...postgresAlertList(tx),
    async addMissing(findings, now, source) {
      if (findings.length === 0) return [];
      await storeFound(findings, now, source);
      const addresses = findings.map(({ address }) => address);
      const raised = await raiseMissing(addresses, now);
      return [...raised, ...(await extendFound(addresses))];
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
    async listBreachNames(accountId, address) {
      const rows = await tx
        .selectDistinct({ breachName: alertTable.breachName })
        .from(alertTable)
        .where(and(eq(alertTable.accountId, accountId), eq(alertTable.address, address)));
      return rows.map(({ breachName }) => breachName);
    },
    async listReported(breachName, baseline) {
      const { id, associationId, accountId } = alertTable;
      return await tx
        .select({ id, associationId, accountId })
        .from(alertTable)
        .innerJoin(watchTable, withWatch)
        .leftJoin(breachTable, withBreach)
        .where(
          and(
            ...[eq(alertTable.breachName, breachName), eq(watchTable.suspended, false), isWithinScope],
            ...[isNotNull(watchTable.baselineAt), baseline ? undefined : eq(alertTable.baseline, false)],
          ),
        )
        .orderBy(id);
    },
    async listBaselineIds(associationIds) {
      if (associationIds.length === 0) return new Map();
      // One subquery per association: a planner that expects few alerts would read them all.
      const rows = await rowsAtOnce<{ associationId: string; ids: string[] }>(
        tx,
        sql`select wanted as "associationId", own.ids
          from unnest(${listed(associationIds, "uuid")}) as wanted cross join lateral (
            select json_agg(id) as ids from ${alertTable} where association_id = wanted and baseline
          ) as own where own.ids is not null`,
      );
      return new Map(rows.map(({ associationId, ids }) => [associationId, ids]));
    },
    async transition(saw, { state, reason, note, at }) {
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
          state,
          reason: reason ?? null,
          note: note ?? null,
          version: sql`${alertTable.version} + 1`,
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
        .where(isOwn(accountId, id))
        .returning({ steps: alertTable.steps });
      return row?.steps;
    },
    async notePasswordChange(accountId, id, changed) {
      const noted = await tx
        .update(alertTable)
        .set({ changedSince: changed })
        .where(isOwn(accountId, id))
        .returning({ id: alertTable.id });
      return noted.length === 1;
    },
    async removeByAssociation(associationId) {
      await tx.delete(alertTable).where(eq(alertTable.associationId, associationId));
      await tx.delete(alertCountTable).where(eq(alertCountTable.associationId, associationId));
    },
    async removeVariant(associationId, address) {
      const concerned = and(eq(alertTable.associationId, associationId), sql`${address} = any(${alertTable.variants})`);
      await tx.select({ id: alertTable.id }).from(alertTable).where(concerned).orderBy(alertTable.id).for("update");
      await tx.delete(alertTable).where(and(concerned, sql`${alertTable.variants} = array[${address}]`));
      const left = sql`array_remove(${alertTable.variants}, ${address})`;
      await tx
        .update(alertTable)
        .set({
          variants: sql`case when ${left} = array[${alertTable.address}] then '{}' else ${left} end`,
          version: sql`${alertTable.version} + 1`,
        })
        .where(concerned);
    },
    async listFoundUnder(associationId, addresses) {
      const isUnder = sql`${foundUnder} && ${listed(addresses)}`;
      const own = eq(alertTable.associationId, associationId);
      const rows = await tx.select().from(alertTable).where(and(own, isUnder)).orderBy(alertTable.id);
      return rows.map(alertOf);
    },
    async countOpen(associationIds) {
      if (associationIds.length === 0) return [];
      const numbered = await rowsAtOnce<{ associationId: string; version: number }>(
        tx,
        sql`insert into ${alertCountTable} as known (association_id, version)
          select counted, 1 from unnest(${listed(associationIds, "uuid")}) as counted
          on conflict (association_id) do update set version = known.version + 1
          returning association_id as "associationId", version`,
      );
      const open = await countPendingOf(tx, associationIds);
      return numbered.map(({ associationId, version }) => ({
        associationId,
        open: open.get(associationId) ?? 0,
        version,
      }));
    },
  };
}
