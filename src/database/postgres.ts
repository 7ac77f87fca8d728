import { sql } from "drizzle-orm";
import type { PgDatabase, PgQueryResultHKT } from "drizzle-orm/pg-core";
import type { EventPublisher } from "../events/catalogue.ts";
import type { Transaction } from "../shared/transaction.ts";
import "./callers.ts";
import { databaseUnavailable } from "./errors.ts";
import { saysDiskFull } from "./full_disk.ts";
import { exclusively } from "./guard.ts";

/** Drizzle over PGlite, over a server, or inside a transaction: repositories are written against this type. */
export type Database = PgDatabase<PgQueryResultHKT>;

/** An open and migrated database. `transaction` has a deadline and throws rather than hang. */
export type Connection = {
  transaction<T>(work: (transaction: Database) => Promise<T>): Promise<T>;
  /** Called by a job before each step on this thread, so that requests go first. */
  yieldToRequests(): Promise<void> | undefined;
  close(): Promise<void>;
};

export type PostgresDatabase = {
  /** `bind` gets the open transaction and the publisher that writes into it. */
  transactionOf<Store>(bind: (transaction: Database, events: EventPublisher) => Store): Transaction<Store>;
  /** The database's time, advanced by this process's monotonic clock, so that jumps of the host's clock have no effect. */
  now(): Date;
  /** Reads the database's time again; throws when it does not answer. */
  ping(): Promise<void>;
  /** Called after every commit that published an event. */
  onPublished(listener: () => void): void;
  /** Whether a change was refused a moment ago because the database's disk is full. */
  isFull(): boolean;
  yieldToRequests: Connection["yieldToRequests"];
  close(): Promise<void>;
};

/** How long one refusal counts: jobs write several times a minute. */
const FULL_MS = 30_000;

/** Creates the publisher that writes events into a transaction, with the database's time. */
type PublisherIn = (transaction: Database, now: () => Date) => EventPublisher;

/** What the modules use of an open connection: transactions over their stores, which publish events through `publisherIn`. */
export async function postgresDatabase(connection: Connection, publisherIn: PublisherIn): Promise<PostgresDatabase> {
  let clock = { database: 0, monotonic: 0 };
  let notifyPublished = () => {};
  let fullUntil = Number.NEGATIVE_INFINITY;

  /** An outage until there is room again. */
  function refusedWhenFull(error: unknown): never {
    if (!saysDiskFull(error)) throw error;
    fullUntil = performance.now() + FULL_MS;
    throw databaseUnavailable("The disk of the database is full", error);
  }

  async function ping(): Promise<void> {
    const rows = await connection.transaction((tx) =>
      tx.select({ now: sql<string>`extract(epoch from clock_timestamp()) * 1000` }).from(sql`(select 1) as one`),
    );
    clock = { database: Number(rows[0]?.now), monotonic: performance.now() };
  }

  const now = () => new Date(clock.database + performance.now() - clock.monotonic);

  await ping();
  return {
    transactionOf(bind) {
      return async (work) => {
        let published = false;
        const running = exclusively(() =>
          connection.transaction((tx) => {
            const events = publisherIn(tx, now);
            const publisher: EventPublisher = {
              publish(...list) {
                published ||= list.length > 0;
                return events.publish(...list);
              },
            };
            return work(bind(tx, publisher));
          }),
        );
        const result = await running.catch(refusedWhenFull);
        if (published) notifyPublished();
        return result;
      };
    },
    now,
    ping,
    onPublished(listener) {
      notifyPublished = listener;
    },
    isFull: () => performance.now() < fullUntil,
    yieldToRequests: connection.yieldToRequests,
    close: () => connection.close(),
  };
}

/** In bytes, on disk. */
export async function databaseSize(tx: Database): Promise<number> {
  const size = sql<string>`pg_database_size(current_database())`;
  const [row] = await tx.select({ size }).from(sql`(select 1) as one`);
  return Number(row?.size);
}
