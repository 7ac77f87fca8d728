// What one server and one process bear at 5,000,000 addresses: pages, a breach that is found and told, retention, a backup.
import { statSync } from "node:fs";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { eventually, type Product, removeDirectory, startProduct, temporaryDirectory } from "../e2e/product.ts";
import { median, round, tell } from "./figures.ts";
import { load, type Sample } from "./load.ts";
import { SEEDED, seed } from "./seeded.ts";
import { askDashboard, askGuard, cookieOf } from "./signed_in.ts";
import { peakOf, tellAll } from "./telling.ts";

const ROUNDS = 5;
const EMAIL = "bench@example.com";
const [OWN_ADDRESSES, OWN_ALERTS] = [50, 2000];
const BOUNDS = { p99Ms: 100, shareOfUsual: 0.8, megabytes: 500 };
const WITHIN_MS = 60 * 60_000;
const LINE = { line: "scale", database: "postgres" };

/** Tables that grow, with the size of a row and its share of the indexes. */
const SIZES = `select relname as name, n_live_tup::float as rows, pg_total_relation_size(relid)::float as bytes
  from pg_stat_user_tables where n_live_tup > 10000 order by pg_total_relation_size(relid) desc`;

const OWN = [
  `insert into tracking.association
    (id, account_id, address, owner, consent, language, contacts, paused, suspended, open_alerts, open_version, created_at)
    select gen_random_uuid(), (select id from identity.users where email = '${EMAIL}'), 'own' || n || '@example.org', false,
      'granted', 'en', '[{"channel":"email","value":"${EMAIL}"}]', false, false, n % 4, 1, now()
    from generate_series(1, ${OWN_ADDRESSES}) n`,
  `insert into breaches.watch (association_id, account_id, address, baseline_at)
    select id, account_id, address, now() from tracking.association where address like 'own%@example.org'
      and account_id = (select id from identity.users where email = '${EMAIL}')`,
  `insert into breaches.scan (address, source, due_at, checked_at, generation)
    select 'own' || n || '@example.org', source, now() + interval '7 days', now(), generation
    from generate_series(1, ${OWN_ADDRESSES}) n cross join breaches.source`,
  `insert into breaches.alert (id, association_id, account_id, address, breach_name, state, baseline, raised_at, version)
    select gen_random_uuid(), association_id, account_id, address, name, 'pending', false, now(), 1
    from (select * from breaches.watch where account_id = (select id from identity.users where email = '${EMAIL}')) as own
    cross join (select name from breaches.breach order by name limit ${OWN_ALERTS / OWN_ADDRESSES}) as known`,
];

async function p99Of(ask: () => Promise<Sample>): Promise<number> {
  await ask();
  const samples: number[] = [];
  for (let turn = 0; turn < ROUNDS; turn++) samples.push((await ask()).p99);
  return median(samples);
}

/** The longest waits of an account with 50 addresses and 2,000 alerts, 32 requests at once. */
async function pages(databaseUrl: string, sql: Sql, { addresses, requests }: { addresses: number; requests: number }) {
  const env = { ...SEEDED, DATABASE_URL: databaseUrl };
  const first = await startProduct(env);
  const cookie = await cookieOf(first.url, EMAIL);
  await first.stop();
  for (const statement of OWN) await sql.unsafe(statement);
  const product = await startProduct(env, first.dataDir);
  const headers = { Cookie: cookie };
  const askAlerts = () =>
    load({ callers: 32, requests: requests / 4 }, async () => {
      const { total } = (await (await fetch(`${product.url}/api/alerts`, { headers })).json()) as { total?: number };
      if (total !== OWN_ALERTS) throw new Error(`${total} alerts instead of ${OWN_ALERTS}`);
    });
  const asked = {
    "guard-call": () => askGuard(product.url, cookie, requests),
    dashboard: () => askDashboard(product.url, cookie, requests),
    "alerts-page": askAlerts,
  };
  for (const [of, ask] of Object.entries(asked)) {
    const p99 = await p99Of(ask);
    tell({ ...LINE, of, addresses, p99_ms: round(p99, 1), bound_ms: BOUNDS.p99Ms, pass: p99 <= BOUNDS.p99Ms });
  }
  await stopped(product);
}

async function stopped(product: Product): Promise<void> {
  const megabytes = peakOf(product.pid);
  await product.stop();
  removeDirectory(product.dataDir);
  tell({ ...LINE, of: "memory while pages are read", megabytes, pass: megabytes <= BOUNDS.megabytes });
}

/** A command of the product, in a process of its own: its seconds and its most memory, in MB. */
async function command(databaseUrl: string, words: string[]) {
  const dataDir = temporaryDirectory();
  const from = performance.now();
  const child = Bun.spawn([process.execPath, "--no-env-file", "src/breachbell.ts", ...words], {
    cwd: join(import.meta.dirname, "../.."),
    env: {
      ...process.env,
      ...SEEDED,
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      PUBLIC_URL: "http://localhost:1",
    },
    stdout: "ignore",
    stderr: "pipe",
  });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(said);
  removeDirectory(dataDir);
  const megabytes = Math.round((child.resourceUsage()?.maxRSS ?? 0) / 1024 / 1024);
  return { seconds: round((performance.now() - from) / 1000, 1), megabytes };
}

/** Ten old messages beside each one. Those that are older than they are kept are removed by a job at the start and each hour. */
async function retention(databaseUrl: string, sql: Sql): Promise<void> {
  const old = await sql.unsafe(`insert into notifications.delivery
    select (jsonb_populate_record(delivery, jsonb_build_object('id', gen_random_uuid(), 'subject', subject || n,
      'created_at', now() - interval '2 years', 'ended_at', now() - interval '2 years'))).*
    from notifications.delivery cross join generate_series(1, 10) n`);
  const product = await startProduct({ ...SEEDED, DATABASE_URL: databaseUrl });
  const from = performance.now();
  const left = async () => {
    const [row] = await sql<{ count: number }[]>`select count(*)::int from notifications.delivery
      where ended_at < now() - interval '1 year'`;
    return row?.count;
  };
  await eventually("old messages are removed", async () => (await left()) === 0 || undefined, WITHIN_MS);
  const seconds = round((performance.now() - from) / 1000, 1);
  tell({ ...LINE, of: "retention", messages: old.count, seconds, megabytes: peakOf(product.pid) });
  await product.stop();
  removeDirectory(product.dataDir);
}

export type Sizes = { addresses: number; concerned: number; usual: number };

/** The same breach is told at the usual rate first, to a tenth of `usual` addresses. */
export async function scale(newDatabase: () => Promise<string>, { addresses, concerned, usual }: Sizes): Promise<void> {
  const small = await newDatabase();
  await seed(small, usual);
  const before = await tellAll(small, { concerned: usual / 10 });
  const databaseUrl = await newDatabase();
  const from = performance.now();
  await seed(databaseUrl, addresses);
  tell({ ...LINE, of: "seed", addresses, seconds: Math.round((performance.now() - from) / 1000) });
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await pages(databaseUrl, sql, { addresses, requests: 2000 });
  const told = await tellAll(databaseUrl, { concerned });
  const share = told.rate / before.rate;
  tell({
    ...LINE,
    of: "breach-to-mail",
    addresses,
    concerned,
    rate: Math.round(told.rate),
    usual: Math.round(before.rate),
    share: round(share),
    megabytes: told.megabytes,
    pass: share >= BOUNDS.shareOfUsual && told.megabytes <= BOUNDS.megabytes,
  });
  const file = join(temporaryDirectory(), "one.backup");
  const made = await command(databaseUrl, ["backup", file]);
  const size = Math.round(statSync(file).size / 1e6);
  tell({ ...LINE, of: "backup", ...made, size_mb: size, pass: made.megabytes <= BOUNDS.megabytes });
  await retention(databaseUrl, sql);
  for (const { name, rows, bytes } of await sql.unsafe<{ name: string; rows: number; bytes: number }[]>(SIZES))
    tell({ ...LINE, of: `table ${name}`, rows, mb: Math.round(bytes / 1e6), bytes_per_row: Math.round(bytes / rows) });
  await sql.end();
}
