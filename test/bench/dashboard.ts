import { pageAgainstQuery } from "./filled_account.ts";
import { report } from "./load.ts";
import type { Place } from "./population.ts";

const ADDRESSES = 50;
const PER_PAGE = 25;
const BOUNDS = { rate: 1500, p99Ms: 50 };

/** Monitored and checked addresses of the account, as the modules store them. */
const STATEMENTS = [
  `insert into tracking.association
    (id, account_id, address, owner, consent, language, contacts, paused, suspended, open_alerts, open_version, created_at)
    select gen_random_uuid(), $1::uuid, 'person' || n || '@example.org', false, 'granted', 'en',
      '[{"channel":"email","value":"bench@example.com"}]', false, false, n % 4, 1, now() - n * interval '1 second'
    from generate_series(1, ${ADDRESSES}) as n`,
  `insert into breaches.watch (association_id, account_id, address, baseline_at)
    select id, account_id, address, now() from tracking.association where account_id = $1`,
  `insert into breaches.scan (address, source, due_at, checked_at)
    select address, 'bundled', now() + interval '7 days', now() from tracking.association where account_id = $1`,
];

/** The page, the totals by state, the state of their contacts, their checks, and whether these are overdue. */
const QUERY = `select page.*, counts.*, scan.checked_at, scan.due_at, stale.since,
    (select json_agg(json_build_object('channel', channel, 'value', value, 'state', state)) from notifications.contact
      where contact.account_id = $1 and page.contacts @> jsonb_build_array(jsonb_build_object('channel', channel, 'value', value))) as states
  from (select * from tracking.association where account_id = $1 order by created_at, id limit ${PER_PAGE}) as page
  cross join (select count(*) as all, count(*) filter (where paused or suspended) as inactive,
      count(*) filter (where not (paused or suspended) and open_version = 0) as active,
      count(*) filter (where not (paused or suspended) and open_version > 0 and open_alerts > 0) as breached
    from tracking.association where account_id = $1) as counts
  left join breaches.scan on scan.address = page.address
  left join breaches.stale_notice as stale on stale.account_id = page.account_id`;

/** The dashboard's data of an account with 50 addresses, against a single statement for all of it behind bare Hono. */
export async function dashboard(place: Place, requests: number): Promise<void> {
  const database = place.databaseUrl ? "postgres" : "pglite";
  const filling = { statements: STATEMENTS, query: QUERY, rows: PER_PAGE };
  const samples = await pageAgainstQuery(place, filling, {
    path: "/api/associations",
    requests,
    check(answer) {
      const { items, total } = answer as { items?: { checkedAt: string | null }[]; total?: number };
      return items?.length === PER_PAGE && total === ADDRESSES && items.every(({ checkedAt }) => checkedAt !== null);
    },
  });
  report({ line: "dashboard", database, addresses: ADDRESSES, bounds: BOUNDS }, samples);
}
