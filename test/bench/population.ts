import { cpSync } from "node:fs";
import { sql } from "drizzle-orm";
import { removeDirectory, temporaryDirectory } from "../e2e/product.ts";
import { createDatabase } from "../support/postgres_server.ts";
import { openCrowd } from "./crowd.ts";

/**
 * The users of a product under measurement: each account has its share of the addresses, each address the same
 * breaches.
 */
type Population = { accounts: number; addresses: number; alerts: number };
const WHOLE: Population = { accounts: 5000, addresses: 50_000, alerts: 500_000 };
const SHORT: Population = { accounts: 100, addresses: 1000, alerts: 10_000 };

/** Where a product keeps its data: on a server, or embedded without one. */
export type Place = { databaseUrl: string | undefined; dataDir: string };

/** Copies of a database that is filled once, on first use; `end` deletes their folder. */
export function populated(short: boolean, newDatabase: () => Promise<string>) {
  const filled = new Map<"pglite" | "postgres", Promise<Place>>();
  const copies: string[] = [];
  async function fill(kind: "pglite" | "postgres"): Promise<Place> {
    const databaseUrl = kind === "postgres" ? await newDatabase() : undefined;
    return { databaseUrl, dataDir: await populate(databaseUrl, short ? SHORT : WHOLE) };
  }
  return {
    async copy(kind: "pglite" | "postgres"): Promise<Place> {
      const made = filled.get(kind) ?? fill(kind);
      filled.set(kind, made);
      const { databaseUrl, dataDir } = await made;
      const copy = temporaryDirectory();
      copies.push(copy);
      cpSync(dataDir, copy, { recursive: true });
      return { databaseUrl: databaseUrl && (await createDatabase(databaseUrl, databaseUrl)), dataDir: copy };
    },
    async end(): Promise<void> {
      for (const { dataDir } of await Promise.all(filled.values())) removeDirectory(dataDir);
      for (const copy of copies) removeDirectory(copy);
    },
  };
}

/** That many accounts, with all their data, with one statement per table. */
const STEP = 250;
const ADDRESS = "'watched' || a || 'x' || n || '@example.org'";

/**
 * Fills an unopened database, as the modules store their data, and resolves to its data directory: all addresses are
 * checked and not due, and every other alert is pending.
 */
async function populate(databaseUrl: string | undefined, size: Population): Promise<string> {
  const place = temporaryDirectory();
  const crowd = await openCrowd(databaseUrl, 0, { BREACH_SOURCE: "bundled" }, place);
  await crowd.product.breaches.syncCatalogue();
  const [each, breaches] = [size.addresses / size.accounts, size.alerts / size.addresses];
  for (let from = 0; from < size.accounts; from += STEP) {
    const accounts = sql`generate_series(${from}::int, ${Math.min(from + STEP, size.accounts) - 1}::int) as a`;
    const emails = sql.raw("'account' || a || '@example.org'");
    await crowd.ask(sql`insert into identity.users
      (id, email, first_name, last_name, language, password_hash, created_at, verified_at)
      select gen_random_uuid(), ${emails}, 'Grace', 'Meyer', 'en', 'none', now(), now() from ${accounts}`);
    await crowd.ask(sql`insert into notifications.contact
      (id, account_id, channel, value, language, state, confirmed_at, created_at, version)
      select gen_random_uuid(), id, 'email', email, 'en', 'active', now(), now(), 1
      from ${accounts} join identity.users on email = ${emails}`);
    await crowd.ask(sql`insert into tracking.association
      (id, account_id, address, owner, consent, language, contacts, paused, suspended, open_alerts, open_version, created_at)
      select gen_random_uuid(), id, ${sql.raw(ADDRESS)}, false, 'granted', 'en',
        jsonb_build_array(jsonb_build_object('channel', 'email', 'value', email)), false, false, ${breaches}::int / 2, 1, now()
      from ${accounts} join identity.users on email = ${emails} cross join generate_series(1, ${each}::int) as n`);
    const own = sql`(select association.* from ${accounts} join identity.users on email = ${emails}
      join tracking.association on account_id = users.id) as own`;
    await crowd.ask(sql`insert into breaches.watch (association_id, account_id, address, sha1, sha256, baseline_at)
      select id, account_id, address, md5(address) || left(md5(address), 8), encode(sha256(address::bytea), 'hex'), now() from ${own}`);
    await crowd.ask(sql`insert into breaches.scan (address, source, due_at, checked_at, generation)
      select address, source, now() + interval '7 days', now(), generation
      from ${own} cross join breaches.source`);
    await crowd.ask(sql`insert into breaches.exposure (address, breach_name, found_at, sources)
      select address, name, now(), '{bundled}'
      from ${own} cross join (select name from breaches.breach order by name limit ${breaches}::int) as known`);
    await crowd.ask(sql`insert into breaches.alert
      (id, association_id, account_id, address, breach_name, state, baseline, raised_at, handled_at, version)
      select gen_random_uuid(), own.id, account_id, address, name, case when place % 2 = 0 then 'pending' else 'handled' end,
        false, now() - place * interval '1 second', case when place % 2 = 1 then now() end, 1
      from ${own} cross join (select name, row_number() over (order by name) as place from breaches.breach
        order by name limit ${breaches}::int) as known`);
  }
  await crowd.ask(sql`analyze`);
  await crowd.close({ keep: true });
  return place;
}
