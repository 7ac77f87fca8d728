import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import { migrate } from "drizzle-orm/pglite/migrator";
import { lockDirectory } from "./lock.ts";
import { type Bulk, pgliteSnapshot } from "./logical_dump.ts";
import { type BeforeMigrating, migrationStatus } from "./migration_status.ts";
import { preparedStatements } from "./pglite_statements.ts";
import { pgliteTransaction } from "./pglite_transaction.ts";
import { pgliteWasm } from "./pglite_wasm.ts";
import type { Connection } from "./postgres.ts";
import { priorityQueue } from "./priority_queue.ts";

/** Where the image of an empty, initialised cluster is cached (made by `prepare.ts`): `initdb` takes seconds and 900 MB. */
export const PREPARED_IMAGE = join(import.meta.dirname, "../../node_modules/.cache/breachbell/pglite.tar.gz");

/**
 * A quarter of Postgres' default, as PGlite touches and thus allocates all of it at the start. The rest comes from the system's
 * page cache, which was as fast with a database of 115 MB.
 */
const SHARED_BUFFERS = ["-c", "shared_buffers=32MB"];

/**
 * Opens the embedded Postgres in `directory` (in memory without one) and migrates it. Only one process per directory: a second
 * one throws immediately and names the owner. Survives `kill -9`, but not a power failure: PGlite does not fsync.
 */
export async function openPglite(
  directory: string | undefined,
  migrations: string | undefined,
  beforeMigrating?: BeforeMigrating,
): Promise<Connection & Bulk> {
  if (directory !== undefined) mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unlock = directory === undefined ? () => {} : lockDirectory(directory);
  const dataDir = directory === undefined ? undefined : join(directory, "pgdata");
  const isNew = dataDir === undefined || !existsSync(join(dataDir, "PG_VERSION"));
  const image = isNew && existsSync(PREPARED_IMAGE) ? new Blob([readFileSync(PREPARED_IMAGE)]) : undefined;
  try {
    const pgliteWasmModule = await pgliteWasm();
    const startParams = [...PGlite.defaultStartParams, ...SHARED_BUFFERS];
    const client = await PGlite.create({
      startParams,
      pgliteWasmModule,
      ...(dataDir && { dataDir }),
      ...(image && { loadDataDir: image }),
    });
    const queue = priorityQueue();
    const query = preparedStatements(client);
    const transaction: Connection["transaction"] = (work) => queue.run(() => pgliteTransaction(query, work));
    const connection: Connection & Bulk = {
      transaction,
      yieldToRequests: queue.yieldToRequests,
      unhurried: transaction,
      snapshot: async (work) => work(await transaction(pgliteSnapshot)),
      async close() {
        await client.close();
        unlock();
      },
    };
    if (migrations !== undefined) {
      const status = await transaction((tx) => migrationStatus(tx, migrations));
      if (status === "behind") await beforeMigrating?.(connection);
      if (status !== "migrated") await migrate(drizzle(client), { migrationsFolder: migrations });
    }
    return connection;
  } catch (error) {
    unlock();
    throw error;
  }
}
