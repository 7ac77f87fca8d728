import { type SQL, sql } from "drizzle-orm";
import { rowsOf } from "../../src/database/logical_dump.ts";
import { openPglite } from "../../src/database/pglite.ts";
import { type Database, type PostgresDatabase, postgresDatabase } from "../../src/database/postgres.ts";
import { openServer } from "../../src/database/server.ts";
import { postgresEvents, postgresOutbox } from "../../src/events/adapters/postgres/outbox.ts";
import type { EventPublisher } from "../../src/events/catalogue.ts";
import type { Outbox } from "../../src/events/outbox.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { type MemoryTables, memoryDatabase } from "../memory/database.ts";
import { memoryOutbox } from "../memory/events/outbox.ts";
import { createDatabase, sharedPostgresUrl } from "./postgres_server.ts";
import { IS_NIGHTLY } from "./tier.ts";

const MIGRATIONS = `${import.meta.dir}/../../migrations`;

let pglite: Promise<PostgresDatabase> | undefined;
let server: Promise<PostgresDatabase> | undefined;
let neighbour: Promise<PostgresDatabase> | undefined;
let address: Promise<string> | undefined;

/** The embedded database of this process, emptied. */
export async function emptyPglite(): Promise<PostgresDatabase> {
  pglite ??= openPglite(undefined, MIGRATIONS).then((connection) => postgresDatabase(connection, postgresEvents));
  return emptied(await pglite);
}

/** The real server of this process (the runner's, or a temporary cluster), emptied. */
export async function emptyServer(): Promise<PostgresDatabase> {
  server ??= openedServer();
  return emptied(await server);
}

/** For tests that work on either: the server, which is already open, and in the nightly run PGlite as well. */
export const emptyDatabase = IS_NIGHTLY ? emptyPglite : emptyServer;

/** The same server over separate connections, as another process sees it. Its data is kept. */
export function neighbourOnServer(): Promise<PostgresDatabase> {
  neighbour ??= openedServer();
  return neighbour;
}

/**
 * The product's database timeout is a few seconds, which would make tests depend on how busy the machine is;
 * `database/server_test.ts` tests the real timeout.
 */
const PATIENT = { deadlineMs: 55_000, startMs: 55_000 };

let migrated: Promise<string> | undefined;

/** The URL of a database with all migrations and no connections: a template, as copying it is faster than migrating. */
export function migratedDatabase(): Promise<string> {
  migrated ??= (async () => {
    const url = await createDatabase(await sharedPostgresUrl());
    await (await openServer(url, MIGRATIONS, PATIENT)).close();
    return url;
  })();
  return migrated;
}

/** A separate database for this process, as others use the same server concurrently. */
async function openedServer(): Promise<PostgresDatabase> {
  address ??= sharedPostgresUrl().then((url) => createDatabase(url));
  return postgresDatabase(await openServer(await address, MIGRATIONS, PATIENT), postgresEvents);
}

const listings = new WeakMap<PostgresDatabase, SQL>();

/** Lists all tables that have rows: truncating is slow even for empty tables. */
async function filledTables(database: PostgresDatabase, tx: Database): Promise<string[]> {
  const known = listings.get(database);
  const listing = known ?? (await listingOf(tx));
  listings.set(database, listing);
  return (await rowsOf<{ name: string }>(tx, listing)).map(({ name }) => name);
}

async function listingOf(tx: Database): Promise<SQL> {
  const tables = await tx
    .select({ name: sql<string>`quote_ident(schemaname) || '.' || quote_ident(tablename)` })
    .from(sql`pg_tables`)
    .where(sql`schemaname not in ('pg_catalog', 'information_schema', 'drizzle', 'public')`);
  return sql.raw(
    tables.map(({ name }) => `select '${name}' as name where exists (select 1 from ${name})`).join(" union all "),
  );
}

async function emptied(database: PostgresDatabase): Promise<PostgresDatabase> {
  await database.transactionOf((tx: Database) => tx)(async (tx) => {
    const filled = await filledTables(database, tx);
    if (filled.length === 0) return;
    // Bypasses the triggers that protect append-only tables.
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql.raw(`truncate ${filled.join(", ")} restart identity cascade`));
  });
  return database;
}

export type TestStore<Store> = { transaction: Transaction<Store>; outbox: Outbox };

/**
 * A store on every database (in the gate not on PGlite, which runs the same SQL as a server and is the slowest), for
 * `describe.each(eachDatabase(memoryX, postgresX))("XStore on %s", (_, open) => …)`. `open()` returns an empty one.
 */
export function eachDatabase<Store>(
  memory: (tables: MemoryTables) => Store,
  postgres: (transaction: Database, events: EventPublisher) => Store,
): [string, () => Promise<TestStore<Store>>][] {
  const onPostgres = async (database: PostgresDatabase) => ({
    transaction: database.transactionOf(postgres),
    outbox: postgresOutbox(database.transactionOf((tx: Database) => tx)),
  });
  return [
    [
      "memory",
      async () => {
        const database = memoryDatabase();
        return { transaction: database.transactionOf(memory), outbox: memoryOutbox(database) };
      },
    ],
    ...(IS_NIGHTLY ? [["pglite", async () => onPostgres(await emptyPglite())] satisfies [string, unknown]] : []),
    ["postgres", async () => onPostgres(await emptyServer())],
  ];
}
