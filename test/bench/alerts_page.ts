import postgres from "postgres";
import { codeIn, mailbox, signIn } from "../e2e/api.ts";
import { eventually, removeDirectory, startProduct } from "../e2e/product.ts";
import { load, type Pair, report } from "./load.ts";

const EMAIL = "alerts@example.com";
const [ADDRESSES, BREACHES] = [20, 100];
const ALERTS = ADDRESSES * BREACHES;
const PER_PAGE = 25;
const CALLERS = 16;
const ROUNDS = 5;
const BOUND = 0.5;

/** An account with 2,000 alerts that wait, as the modules store them. */
async function fill(sql: postgres.Sql): Promise<string> {
  await eventually("the catalogue is there", async () => {
    const [row] = await sql<{ count: number }[]>`select count(*)::int as count from breaches.breach`;
    return (row?.count ?? 0) >= BREACHES || undefined;
  });
  const [account] = await sql<{ id: string }[]>`select id from identity.users where email = ${EMAIL}`;
  const accountId = account?.id ?? "";
  await sql`insert into breaches.watch (association_id, account_id, address, baseline_at)
    select gen_random_uuid(), ${accountId}, 'person' || n || '@example.org', now() from generate_series(1, ${ADDRESSES}) n`;
  await sql`insert into breaches.exposure (address, breach_name, found_at, sources)
    select address, name, now(), '{bundled}' from breaches.watch,
      (select name from breaches.breach order by name limit ${BREACHES}) as known where account_id = ${accountId}`;
  await sql`insert into breaches.alert
    (id, association_id, account_id, address, breach_name, state, baseline, raised_at, version)
    select gen_random_uuid(), association_id, account_id, address, breach_name, 'pending', false,
      now() - row_number() over () * interval '1 second', 1
    from breaches.watch join breaches.exposure using (address) where account_id = ${accountId}`;
  for (const table of ["alert", "watch", "exposure", "breach"]) await sql.unsafe(`analyze breaches.${table}`);
  return accountId;
}

/** The first page of an account with 2,000 alerts, against the same queries by hand: the page, how many there are, how many wait. */
export async function alertsPage(databaseUrl: string, requests: number): Promise<void> {
  const product = await startProduct({ DATABASE_URL: databaseUrl, BILLING: "off", BREACH_SOURCE: "bundled" });
  const client = await signIn(product.url, EMAIL, async () => {
    const [mail] = await mailbox(product.url);
    return mail && codeIn(mail.text);
  });
  const sql = postgres(databaseUrl, { max: 4, onnotice: () => {} });
  const accountId = await fill(sql);
  const asked = () =>
    load({ callers: CALLERS, requests }, async () => {
      const answer = await fetch(`${product.url}/api/alerts`, { headers: { Cookie: client.cookie() } });
      const { items, total } = (await answer.json()) as { items?: unknown[]; total?: number };
      if (items?.length !== PER_PAGE || total !== ALERTS) throw new Error(`No page: ${answer.status}`);
    });
  const seen = sql`from breaches.alert join breaches.watch using (association_id)
    left join breaches.breach on name = breach_name
    where alert.account_id = ${accountId} and (watch.sensitive or (breach->'flags' @> '["sensitive"]') is false)`;
  const bare = () =>
    load({ callers: CALLERS, requests }, async () => {
      const page = await sql`select alert.*, breach.breach, (select sources from breaches.exposure
          where exposure.address = alert.address and exposure.breach_name = alert.breach_name) as sources ${seen}
        order by raised_at desc, added_date collate "C" desc nulls last, id desc limit ${PER_PAGE}`;
      await sql`select count(*) ${seen}`;
      await sql`select count(*) ${seen} and state = 'pending'`;
      if (page.length !== PER_PAGE) throw new Error("No page");
    });
  await asked();
  await bare();
  const samples: Pair[] = [];
  for (let i = 0; i < ROUNDS; i++) samples.push({ product: await asked(), raw: await bare() });
  await sql.end();
  await product.stop();
  removeDirectory(product.dataDir);
  report({ line: "alerts-page", database: "postgres", alerts: ALERTS, bound: BOUND }, samples);
}
