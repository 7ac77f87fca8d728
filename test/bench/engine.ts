import { postgresBreaches, postgresRateBudget } from "../../src/breaches/adapters/postgres/store.ts";
import { bundledDirectories, bundledLetterDirectories } from "../../src/breaches/adapters/services/directories.ts";
import { sanitizedDescriptions } from "../../src/breaches/adapters/sources/sanitize_html.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { BreachDeps, BreachFeed, RateBudget } from "../../src/breaches/ports.ts";
import { openPglite } from "../../src/database/pglite.ts";
import { type Database, postgresDatabase } from "../../src/database/postgres.ts";
import { inBackground } from "../../src/database/priority_queue.ts";
import { openServer } from "../../src/database/server.ts";
import { postgresEvents } from "../../src/events/adapters/postgres/outbox.ts";
import { intlTranslate } from "../../src/notifications/adapters/translate.ts";
import { hashToken } from "../../src/runtime/crypto.ts";
import { temporaryDirectory } from "../e2e/product.ts";

const MIGRATIONS = `${import.meta.dir}/../../migrations`;

type EngineOptions = {
  /** A server's URL; without one it is the embedded database. */
  databaseUrl: string | undefined;
  feeds: (budget: RateBudget, now: () => Date) => BreachFeed[];
  imports?: BreachDeps["imports"];
};

/** The breaches module alone on a real database, counting its statements. */
export async function openEngine({ databaseUrl, feeds, imports }: EngineOptions) {
  const connection = await (databaseUrl
    ? openServer(databaseUrl, MIGRATIONS)
    : openPglite(temporaryDirectory(), MIGRATIONS));
  const database = await postgresDatabase(connection, postgresEvents);
  let statements = 0;
  const plain = database.transactionOf((tx: Database) => tx);
  const transaction = database.transactionOf((tx: Database, events) => {
    // Every statement is prepared once by the session of its transaction.
    const { session } = tx as unknown as { session: { prepareQuery(...given: unknown[]): unknown } };
    const { prepareQuery } = session;
    session.prepareQuery = (...given) => {
      statements += 1;
      return prepareQuery.apply(session, given);
    };
    return postgresBreaches(tx, events);
  });
  const breaches = createBreaches({
    transaction,
    imports,
    hash: hashToken,
    newId: () => Bun.randomUUIDv7(),
    translate: intlTranslate(),
    descriptions: sanitizedDescriptions(),
    directories: bundledDirectories(),
    letterDirectories: bundledLetterDirectories(),
    now: database.now,
    feeds: feeds(postgresRateBudget(plain, database.now), database.now),
    sleep: (ms) => Bun.sleep(ms),
    monitoringAccess: { of: async () => ({ ok: false, code: "MONITORING_NOT_AUTHORISED" }) },
    people: { nameOf: async () => undefined },
    accounts: { of: async () => undefined },
    report: (error) => console.error(error),
  });
  return {
    breaches,
    plain,
    close: () => connection.close(),
    /** The number of statements that `work` sends. */
    async statementsOf(work: () => Promise<unknown>): Promise<number> {
      const before = statements;
      await work();
      return statements - before;
    },
  };
}

/** The rate of `work`, run in the background as jobs are. */
export async function timed(count: number, work: () => Promise<unknown>): Promise<{ rate: number; p99: number }> {
  const started = performance.now();
  await inBackground(work);
  const ms = performance.now() - started;
  return { rate: (count * 1000) / ms, p99: ms };
}

/** The peak memory of the process during `work`, above its previous level, in MB. */
export async function growthDuring(work: () => Promise<unknown>): Promise<number> {
  Bun.gc(true);
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  await work();
  clearInterval(watch);
  return Math.round((Math.max(most, process.memoryUsage.rss()) - before) / 1024 / 1024);
}
