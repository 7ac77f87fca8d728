import { join } from "node:path";
import type { Bulk } from "./logical_dump.ts";
import type { Connection } from "./postgres.ts";
import { keepPrivate } from "./private_directory.ts";
import type { ServerOptions } from "./server.ts";

export type Place = { database: { kind: "embedded" } | { kind: "server"; url: string }; dataDir: string };

/** What has to be applied to a database, in order. */
export const MIGRATIONS = join(import.meta.dirname, "../../migrations");

/** Opens the database that is chosen, and migrates it unless there is nothing to migrate by. The packages of the other kind are not read. */
export async function openDatabase(
  { database, dataDir }: Place,
  migrations: string | undefined,
  options: Partial<ServerOptions> = {},
): Promise<Connection & Bulk> {
  keepPrivate(dataDir);
  if (database.kind === "server") {
    const { openServer } = await import("./server.ts");
    return openServer(database.url, migrations, options);
  }
  const { openPglite } = await import("./pglite.ts");
  return openPglite(dataDir, migrations);
}
