import { pageAgainstQuery } from "./filled_account.ts";
import { report } from "./load.ts";
import type { Place } from "./population.ts";

const [ADDRESSES, BREACHES] = [20, 100];
const ALERTS = ADDRESSES * BREACHES;
const PER_PAGE = 25;
const BOUNDS = { rate: 500, p99Ms: 100 };

/** Pending alerts, as the modules store them. */
const STATEMENTS = [
  `insert into breaches.watch (association_id, account_id, address, baseline_at)
    select gen_random_uuid(), $1::uuid, 'person' || n || '@example.org', now() from generate_series(1, ${ADDRESSES}) n`,
  `insert into breaches.exposure (address, breach_name, found_at, sources)
    select address, name, now(), '{bundled}' from breaches.watch,
      (select name from breaches.breach order by name limit ${BREACHES}) as known where account_id = $1`,
  `insert into breaches.alert
    (id, association_id, account_id, address, breach_name, state, baseline, raised_at, version)
    select gen_random_uuid(), association_id, account_id, address, breach_name, 'pending', false,
      now() - row_number() over () * interval '1 second', 1
    from breaches.watch join breaches.exposure using (address) where account_id = $1`,
];

const COUNTED = "count(*) as total, count(*) filter (where state = 'pending') as pending from breaches.alert";
/** The page, the total, and the pending count: optimised by hand, with the same result as the product. */
const QUERY = `select page.*, counts.*
  from (select alert.*, breach.breach, (select sources from breaches.exposure
        where exposure.address = alert.address and exposure.breach_name = alert.breach_name) as sources
      from breaches.alert join breaches.watch using (association_id) left join breaches.breach on name = breach_name
      where alert.account_id = $1 and (watch.sensitive or breach.sensitive is false)
      order by raised_at desc nulls last, added_date collate "C" desc nulls last, alert.id desc limit ${PER_PAGE}) as page
  cross join (select sum(total)::integer as total, sum(pending)::integer as pending from (
      select total, pending from breaches.watch
        join (select association_id, ${COUNTED} where account_id = $1 group by association_id) as counted using (association_id)
        where watch.account_id = $1 and watch.sensitive
      union all
      select ${COUNTED} join breaches.watch using (association_id) join breaches.breach on name = breach_name
        where watch.account_id = $1 and alert.account_id = $1 and not watch.sensitive and breach.sensitive is false
    ) as counted) as counts`;

/** The first page of an account with 2,000 alerts, against a single statement for all of it behind bare Hono. */
export async function alertsPage(place: Place, requests: number): Promise<void> {
  const database = place.databaseUrl ? "postgres" : "pglite";
  const filling = { statements: STATEMENTS, query: QUERY, rows: PER_PAGE };
  const samples = await pageAgainstQuery(place, filling, {
    path: "/api/alerts",
    requests,
    check(answer) {
      const { items, total } = answer as { items?: unknown[]; total?: number };
      return items?.length === PER_PAGE && total === ALERTS;
    },
  });
  report({ line: "alerts-page", database, alerts: ALERTS, bounds: BOUNDS }, samples);
}
