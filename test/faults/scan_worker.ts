// One process of the engine only: it reads the catalogues of two sources and checks addresses until it is killed.
// Its clock is the machine's plus an offset, so that a test need not wait for leases to expire.

import { postgresBreaches, postgresRateBudget } from "../../src/breaches/adapters/postgres/store.ts";
import { bundledDirectories, bundledLetterDirectories } from "../../src/breaches/adapters/services/directories.ts";
import { hibpFeed } from "../../src/breaches/adapters/sources/hibp/hibp.ts";
import { sanitizedDescriptions } from "../../src/breaches/adapters/sources/sanitize_html.ts";
import { xposedOrNotFeed } from "../../src/breaches/adapters/sources/xposedornot/xposedornot.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { BreachFeed } from "../../src/breaches/ports.ts";
import { openPglite } from "../../src/database/pglite.ts";
import { type Database, type PostgresDatabase, postgresDatabase } from "../../src/database/postgres.ts";
import { openServer, type ServerOptions } from "../../src/database/server.ts";
import { postgresEvents } from "../../src/events/adapters/postgres/outbox.ts";
import { intlTranslate } from "../../src/notifications/adapters/translate.ts";
import { hashToken } from "../../src/runtime/crypto.ts";
import { freeBudget } from "../support/hibp_feed.ts";

export type Place = { hibp: { url: string; apiKey: string }; xposedOrNot: string; database: string; offsetMs: number };

const MIGRATIONS = `${import.meta.dir}/../../migrations`;
const POLL_EVERY_MS = 200;

/** A server's URL, or the folder of an embedded database; with the transaction timeout on a server. */
export async function openDatabase(
  place: string,
  server: Partial<ServerOptions> = {},
): Promise<{ database: PostgresDatabase; close(): Promise<void> }> {
  const connection = await (place.startsWith("postgres")
    ? openServer(place, MIGRATIONS, server)
    : openPglite(place, MIGRATIONS));
  return { database: await postgresDatabase(connection, postgresEvents), close: () => connection.close() };
}

/**
 * The engine with Have I Been Pwned and XposedOrNot. The latter's own rate limit, one request in a quarter of an hour,
 * is omitted.
 */
export function engine(database: PostgresDatabase, { hibp, xposedOrNot, offsetMs }: Place) {
  const now = () => new Date(Date.now() + offsetMs);
  const plain = database.transactionOf((tx: Database) => tx);
  const budget = postgresRateBudget(plain, now);
  const userAgent = "Breachbell/0.1.0 (+https://breachbell.example)";
  const feeds: BreachFeed[] = [
    hibpFeed({ baseUrl: hibp.url, apiKey: hibp.apiKey, budget, userAgent, now }),
    xposedOrNotFeed({ baseUrl: xposedOrNot, budget: freeBudget, userAgent, now }),
  ].map((feed) => ({ ...feed, pollEveryMs: POLL_EVERY_MS }));
  const transaction = database.transactionOf(postgresBreaches);
  const reports: string[] = [];
  const breaches = createBreaches({
    transaction,
    feeds,
    now,
    hash: hashToken,
    newId: () => Bun.randomUUIDv7(),
    translate: intlTranslate(),
    descriptions: sanitizedDescriptions(),
    directories: bundledDirectories(),
    letterDirectories: bundledLetterDirectories(),
    sleep: (ms) => Bun.sleep(ms),
    monitoringAccess: { of: async () => ({ ok: false, code: "MONITORING_NOT_AUTHORISED" }) },
    people: { nameOf: async () => undefined },
    accounts: { of: async () => undefined },
    report: (error) => void reports.push(String(error)),
  });
  return { breaches, transaction, plain, reports, sources: feeds.map(({ source }) => source) };
}

if (import.meta.main) {
  const place: Place = JSON.parse(process.argv[2] ?? "{}");
  const { database } = await openDatabase(place.database);
  const { breaches, sources } = engine(database, place);
  console.log("ready");
  const forEver = async (work: () => Promise<unknown>) => {
    for (;;) {
      await work().catch((error) => console.log(String(error)));
      await Bun.sleep(5);
    }
  };
  await Promise.all(
    sources.flatMap((source) => [
      forEver(() => breaches.pollCatalogue(source)),
      forEver(() => breaches.scanDue(source)),
    ]),
  );
}
