import postgres from "postgres";
import { openCrowd } from "./crowd.ts";

const STEP = 100_000;
export const ADDRESSES_EACH = 5;
const BREACHES = 100;

/** The settings of a seeded installation: all its processes share its secret. */
export const SEEDED = {
  APP_SECRET: "0123456789abcdef".repeat(4),
  BACKUP_AT: "off",
  BILLING: "off",
  BREACH_SOURCE: "dataset,bundled",
  LOG_LEVEL: "warn",
};

/** Names and ids follow from the number of a row, so that no statement has to look another table up. */
const accounts = (from: number, to: number) => `generate_series(${from / ADDRESSES_EACH}, ${to / ADDRESSES_EACH}) as a`;
const ACCOUNT_ID = "md5('account' || a)::uuid";
const EMAIL = "'account' || a || '@example.org'";
const addresses = (from: number, to: number) =>
  `(select n, n / ${ADDRESSES_EACH} as a, 'person' || n || '@example.org' as address, md5('watch' || n)::uuid as id
    from generate_series(${from}, ${to}) as n) as one`;

/** What the modules store for the addresses from one number to another: all checked, and every tenth found in a breach. */
function statementsOf(from: number, to: number): string[] {
  return [
    `insert into identity.users (id, email, first_name, last_name, language, password_hash, created_at, verified_at)
      select ${ACCOUNT_ID}, ${EMAIL}, 'Grace', 'Meyer', 'en', 'none', now(), now() from ${accounts(from, to)}`,
    `insert into notifications.contact
      (id, account_id, channel, value, language, state, confirmed_at, created_at, version)
      select gen_random_uuid(), ${ACCOUNT_ID}, 'email', ${EMAIL}, 'en', 'active', now(), now(), 1 from ${accounts(from, to)}`,
    `insert into tracking.association
      (id, account_id, address, owner, consent, language, contacts, paused, suspended, open_alerts, open_version, created_at)
      select id, ${ACCOUNT_ID}, address, false, 'granted', 'en',
        jsonb_build_array(jsonb_build_object('channel', 'email', 'value', ${EMAIL})), false, false,
        case when n % 10 = 0 then 1 else 0 end, 1, now() from ${addresses(from, to)}`,
    // Postgres alone has no SHA-1; the lists of this measurement have SHA-256.
    `insert into breaches.watch (association_id, account_id, address, sha1, sha256, baseline_at)
      select id, ${ACCOUNT_ID}, address, md5(address) || left(md5(address), 8), encode(sha256(address::bytea), 'hex'), now()
      from ${addresses(from, to)}`,
    `insert into breaches.scan (address, source, due_at, checked_at, generation)
      select address, source, now() + interval '7 days', now(), generation
      from ${addresses(from, to)} cross join breaches.source`,
    `insert into breaches.exposure (address, breach_name, found_at, sources)
      select address, name, now(), '{bundled}' from ${addresses(from, to)} join ${known} on place = n / 10 % ${BREACHES} where n % 10 = 0`,
    `insert into breaches.alert
      (id, association_id, account_id, address, breach_name, state, baseline, raised_at, version)
      select gen_random_uuid(), id, ${ACCOUNT_ID}, address, name, 'pending', false, now(), 1
      from ${addresses(from, to)} join ${known} on place = n / 10 % ${BREACHES} where n % 10 = 0`,
  ];
}

const known = `(select name, row_number() over (order by name) - 1 as place from breaches.breach
  order by name limit ${BREACHES}) as known`;

/**
 * Fills an empty database on a server with so many addresses, five of each account, as the modules store their data. The lists
 * of `dataset` and the catalogue of `bundled` are its sources.
 */
export async function seed(databaseUrl: string, count: number): Promise<void> {
  const crowd = await openCrowd(databaseUrl, 0, SEEDED);
  for (const source of SEEDED.BREACH_SOURCE.split(",")) await crowd.product.breaches.syncCatalogue(source);
  await crowd.close();
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await sql.unsafe("set synchronous_commit = off");
  for (let from = 0; from < count; from += STEP) {
    const to = Math.min(from + STEP, count) - 1;
    for (const statement of statementsOf(from, to)) await sql.unsafe(statement);
  }
  await sql.unsafe("vacuum analyze");
  await sql.end();
}
