import { join } from "node:path";
import type { Bulk } from "./logical_dump.ts";
import type { BeforeMigrating } from "./migration_status.ts";
import type { Connection } from "./postgres.ts";
import { keepPrivate } from "./private_directory.ts";
import type { ServerOptions } from "./server.ts";

export type Place = { database: { kind: "embedded" } | { kind: "server"; url: string }; dataDir: string };

/** The directory of the migrations, which are applied in order. */
export const MIGRATIONS = join(import.meta.dirname, "../../migrations");

/** Opens the configured database and migrates it if there are migrations. Loads only the packages of that database. */
export async function openDatabase(
  { database, dataDir }: Place,
  migrations: string | undefined,
  { beforeMigrating, ...options }: Partial<ServerOptions> & { beforeMigrating?: BeforeMigrating } = {},
): Promise<Connection & Bulk> {
  keepPrivate(dataDir);
  if (database.kind === "server") {
    const { openServer } = await import("./server.ts");
    return openServer(database.url, migrations, options, beforeMigrating);
  }
  const { openPglite } = await import("./pglite.ts");
  const connection = await openPglite(dataDir, migrations, beforeMigrating);
  // PGlite makes its files with modes of its own, whatever the umask.
  keepPrivate(dataDir);
  return connection;
}
