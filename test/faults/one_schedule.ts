// R11: three processes with one schedule: each address is looked up once, and never more calls in 60 seconds than the
// key allows. They start concurrently on an empty database, which is migrated once (R33).
//   ADDRESSES=10000 RPM=12000 bun test/faults/one_schedule.ts

import { sql } from "drizzle-orm";
import { migrationsIn } from "../../src/backup/schema.ts";
import { rowsOf } from "../../src/database/logical_dump.ts";
import { type Database, postgresDatabase } from "../../src/database/postgres.ts";
import { openServer } from "../../src/database/server.ts";
import { postgresEvents } from "../../src/events/adapters/postgres/outbox.ts";
import { MIGRATIONS } from "../backup/stage.ts";
import { startHibpPeer } from "../support/hibp_peer.ts";
import { atMost, type Finding, openBench, PATIENT, secondsUntil, tell } from "./bench.ts";
import { watch } from "./watched.ts";

const WINDOW_MS = 60_000;

/** The most calls in any window of a minute. */
function mostInWindow(times: number[]): number {
  let most = 0;
  let first = 0;
  for (const [last, time] of times.entries()) {
    while (time - (times[first] ?? time) >= WINDOW_MS) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}

export async function oneSchedule(addresses: number, rpm: number): Promise<Finding[]> {
  const bench = await openBench();
  // Without k-anonymity, so that the peer's log contains the addresses.
  const hibp = await startHibpPeer({ subscription: { Rpm: rpm, IncludesKAnon: false } });
  const times: number[] = [];
  const push = hibp.requests.push.bind(hibp.requests);
  hibp.requests.push = (...requests) => {
    times.push(...requests.filter(({ headers }) => headers["hibp-api-key"] !== undefined).map(() => performance.now()));
    return push(...requests);
  };
  const more = { BREACH_SOURCE: "hibp", HIBP_API_KEY: hibp.apiKey, HIBP_BASE_URL: hibp.url, LOGOS_BASE_URL: "off" };
  const products = await Promise.all([bench.start(more), bench.start(more), bench.start(more)]);
  const database = await postgresDatabase(await openServer(bench.database, undefined, PATIENT), postgresEvents);
  const plain = database.transactionOf((tx: Database) => tx);
  const rows = await plain((tx) =>
    rowsOf<{ runs: number; kinds: number }>(
      tx,
      sql`select count(*)::integer as runs, count(distinct hash)::integer as kinds from drizzle.__drizzle_migrations`,
    ),
  );
  // A later catalogue correctly makes every address due once more.
  await secondsUntil(async () => {
    const found = await plain((tx) => rowsOf(tx, sql`select 1 from breaches.source where synced_at is not null`));
    return found.length > 0;
  }, 60_000);
  await watch(
    database,
    Array.from({ length: addresses }, (_, number) => `person${number}@example.org`),
  );
  const lookUps = () =>
    hibp.requests.filter(({ path }) => path.includes("/breachedaccount/")).map(({ path }) => path.split("?")[0] ?? "");
  const unchecked = async () => {
    const [found] = await plain((tx) =>
      rowsOf<{ count: number }>(tx, sql`select count(*)::integer as count from breaches.scan where checked_at is null`),
    );
    return found?.count ?? 0;
  };
  const longest = 60_000 + (addresses / rpm) * 60_000 * 6;
  const done = await secondsUntil(async () => (await unchecked()) === 0, longest);
  const asked = lookUps();
  await Promise.all(products.map((product) => product.stop()));
  await database.close();
  await hibp.stop();
  await bench.close();
  const migrations = migrationsIn(MIGRATIONS).length;
  return [
    atMost(
      "R33",
      "three starts at once: migrations run more often than once",
      Math.abs((rows[0]?.runs ?? 0) - migrations),
      0,
    ),
    atMost("R11", `addresses not checked after ${Math.round(done.seconds)} s`, addresses - new Set(asked).size, 0),
    atMost("R11", "addresses looked up more often than once", asked.length - new Set(asked).size, 0),
    atMost("R11", `calls in any 60 s of ${times.length}`, mostInWindow(times), rpm),
  ];
}

if (import.meta.main)
  await tell(oneSchedule(Number(process.env.ADDRESSES ?? 10_000), Number(process.env.RPM ?? 12_000)));
