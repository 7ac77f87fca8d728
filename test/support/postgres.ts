import { sql } from "drizzle-orm";
import { type MemoryTables, memoryDatabase } from "../../src/database/memory.ts";
import { openPglite } from "../../src/database/pglite.ts";
import { type Database, type PostgresDatabase, postgresDatabase } from "../../src/database/postgres.ts";
import { openServer } from "../../src/database/server.ts";
import { memoryOutbox } from "../../src/events/adapters/memory.ts";
import { postgresOutbox } from "../../src/events/adapters/postgres.ts";
import type { EventPublisher } from "../../src/events/catalogue.ts";
import type { Outbox } from "../../src/events/outbox.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { startPostgresServer } from "./postgres_server.ts";

const MIGRATIONS = `${import.meta.dir}/../../migrations`;

let pglite: Promise<PostgresDatabase> | undefined;
let server: Promise<PostgresDatabase> | undefined;
let neighbour: Promise<PostgresDatabase> | undefined;
let address: Promise<string> | undefined;

/** The process' one embedded database, emptied. */
export async function emptyPglite(): Promise<PostgresDatabase> {
  pglite ??= openPglite(undefined, MIGRATIONS).then(postgresDatabase);
  return emptied(await pglite);
}

/** The process' one real server (the runner's, or a throw-away cluster), emptied. */
export async function emptyServer(): Promise<PostgresDatabase> {
  server ??= openedServer();
  return emptied(await server);
}

/** The same server as another process has it: by connections of its own. It stays as it is. */
export function neighbourOnServer(): Promise<PostgresDatabase> {
  neighbour ??= openedServer();
  return neighbour;
}

async function openedServer(): Promise<PostgresDatabase> {
  address ??= (async () => process.env.TEST_DATABASE_URL ?? (await startPostgresServer()).url)();
  return postgresDatabase(await openServer(await address, MIGRATIONS));
}

async function emptied(database: PostgresDatabase): Promise<PostgresDatabase> {
  await database.transactionOf((tx: Database) => tx)(async (tx) => {
    const tables = await tx
      .select({ name: sql<string>`quote_ident(schemaname) || '.' || quote_ident(tablename)` })
      .from(sql`pg_tables`)
      .where(sql`schemaname not in ('pg_catalog', 'information_schema', 'drizzle', 'public')`);
    // Past the triggers that keep what was written down.
    await tx.execute(sql`set local session_replication_role = replica`);
    if (tables.length > 0)
      await tx.execute(sql.raw(`truncate ${tables.map(({ name }) => name).join(", ")} restart identity cascade`));
  });
  return database;
}

export type TestStore<Store> = { transaction: Transaction<Store>; outbox: Outbox };

/**
 * A store on every database, for `describe.each(eachDatabase(memoryX, postgresX))("XStore on %s", (_, open) => …)`.
 * `open()` gives an empty one.
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
    ["pglite", async () => onPostgres(await emptyPglite())],
    ["postgres", async () => onPostgres(await emptyServer())],
  ];
}
