import { sql } from "drizzle-orm";
import { listed, rowsAtOnce } from "../../../database/lists.ts";
import { rowsOf } from "../../../database/logical_dump.ts";
import type { Database } from "../../../database/postgres.ts";
import type { ExposureRepository } from "../../ports.ts";
import { foundUnder } from "./alert_terms.ts";
import { alertTable, breachTable, exposureTable, scanTable, watchTable } from "./tables.ts";

/** Pairs as rows of two columns, in two parameters. */
const pairsOf = (pairs: { of: string; breachName: string }[]) => sql`unnest(
  ${listed(pairs.map((pair) => pair.of))}, ${listed(pairs.map(({ breachName }) => breachName))})`;

export function postgresExposures(tx: Database): ExposureRepository {
  return {
    async match(source, findings, now) {
      if (findings.length === 0) return [];
      const hashes = pairsOf(findings.map(({ hash, breachName }) => ({ of: hash, breachName })));
      // Usually few of very many. Locks the checks of these addresses, in a fixed order.
      const watched = await rowsAtOnce<{ address: string; breachName: string }>(
        tx,
        sql`with watched as materialized (
            select distinct watched.address, finding.breach_name from ${hashes} as finding(hash, breach_name) join lateral (
              select address from breaches.watch where length(finding.hash) = 64 and sha256 = finding.hash
              union all select address from breaches.watch where length(finding.hash) = 40 and sha1 = finding.hash
            ) watched on true
          ), held as materialized (
            select 1 from ${scanTable} where address = any(array(select address from watched)) order by address, source for update
          )
          select address, breach_name as "breachName" from watched where (select count(*) from held) >= 0`,
      );
      if (watched.length === 0) return [];
      const found = pairsOf(watched.map(({ address, breachName }) => ({ of: address, breachName })));
      const answer = await rowsAtOnce<{ address: string }>(
        tx,
        sql`insert into breaches.exposure as known (address, breach_name, found_at, sources)
          select address, breach_name, ${now.toISOString()}::timestamptz, array[${source}::text]
          from ${found} as found(address, breach_name)
          order by address, breach_name
          on conflict (address, breach_name) do update set sources = array_append(known.sources, ${source}::text)
            where not ${source}::text = any(known.sources)
          returning address`,
      );
      return [...new Set(answer.map(({ address }) => address))].toSorted();
    },
    async removeUnwatched(addresses) {
      if (addresses.length === 0) return;
      // Usually there are none, so they are read first; otherwise the planner may read both tables completely.
      await tx.execute(sql`delete from ${exposureTable} using (
          select address from unnest(${listed(addresses)}) as concerned(address)
          where not exists (select 1 from ${watchTable} where ${watchTable.address} = concerned.address) offset 0
        ) as unwatched where ${exposureTable.address} = unwatched.address`);
    },
    async mergeLinked() {
      const moved = sql`select ${breachTable.name} as name, ${breachTable.sameAs} as same_as from ${breachTable}
        where ${breachTable.sameAs} is not null`;
      await tx.execute(sql`with link as (${moved}), gone as (
          delete from breaches.exposure using link where breach_name = link.name
          returning address, link.same_as, found_at, sources
        ) insert into breaches.exposure as known (address, breach_name, found_at, sources)
          select address, same_as, min(found_at), array_remove(array_agg(distinct one), null)
          from gone left join lateral unnest(sources) one on true group by address, same_as order by address, same_as
          on conflict (address, breach_name) do update set
            found_at = least(known.found_at, excluded.found_at),
            sources = (select array_agg(distinct one) from unnest(known.sources || excluded.sources) one)`);
      // In the lock order of handling several alerts.
      await tx.execute(sql`with link as (${moved})
        select 1 from ${alertTable} alert where alert.breach_name in (select name from link)
        order by alert.id for update`);
      // Alerts that become one are found under the addresses of all of them.
      await tx.execute(sql`with link as (${moved}), merged as (
          select association_id, coalesce(link.same_as, ${alertTable.breachName}) as breach_name,
            array_agg(distinct one order by one) as addresses
          from ${alertTable} left join link on link.name = ${alertTable.breachName}
            cross join lateral unnest(${foundUnder}) as one
          where association_id in (select association_id from breaches.alert where breach_name in (select name from link))
            and coalesce(link.same_as, ${alertTable.breachName}) in (select same_as from link)
          group by 1, 2 having count(distinct ${alertTable.id}) > 1 and bool_or(cardinality(${alertTable.variants}) > 0)
        ) update ${alertTable} set variants = merged.addresses from merged
          where ${alertTable.associationId} = merged.association_id and (${alertTable.breachName} = merged.breach_name
            or ${alertTable.breachName} in (select name from link where same_as = merged.breach_name))`);
      // An association with alerts for both keeps that of the canonical breach; of two others the older one.
      const dropped = await rowsOf<{ association_id: string }>(
        tx,
        sql`with link as (${moved})
        delete from ${alertTable} alert using link where alert.breach_name = link.name and exists (
          select 1 from ${alertTable} other left join link beside on beside.name = other.breach_name
          where other.association_id = alert.association_id and (other.breach_name = link.same_as
            or (beside.same_as = link.same_as and other.id < alert.id)))
        returning alert.association_id`,
      );
      const renamed = await rowsOf<{ association_id: string }>(
        tx,
        sql`with link as (${moved})
        update ${alertTable} alert set breach_name = link.same_as, version = alert.version + 1 from link
        where alert.breach_name = link.name returning alert.association_id`,
      );
      return [...new Set([...dropped, ...renamed].map(({ association_id }) => association_id))].toSorted();
    },
  };
}
