import type { Adapters } from "../adapter_types.ts";
import type { Backups } from "../adapters.ts";
import type { Composition } from "../compose.ts";
import type { Config } from "../config/config.ts";
import type { Database, PostgresDatabase } from "../database/postgres.ts";
import { describeError, type Log } from "../runtime/log.ts";
import { type Control, openControl } from "./control_server.ts";
import { auditorOf } from "./rooms.ts";

type Server = {
  config: Config;
  adapters: Adapters;
  backups: Backups;
  database: PostgresDatabase;
  product: Composition;
  log: Log;
};

/**
 * Accepts commands of the command line in this server, as no other process can open the embedded database. A failure to create
 * the socket is only logged, as the server works without it.
 */
export async function serveCommands({
  config,
  adapters,
  backups,
  database,
  product,
  log,
}: Server): Promise<Control | undefined> {
  if (config.database.kind !== "embedded") return undefined;
  const plain = database.transactionOf((tx: Database) => tx);
  const { now, mac } = adapters.system;
  const own = {
    config,
    product,
    now,
    mac,
    database: async () => plain,
    letGo: async () => {},
    backups,
    isServer: true,
  };
  const audit = auditorOf(product, adapters.system);
  try {
    return await openControl(config.dataDir, async (typed, surroundings) => {
      // Loads the commands only when one is used.
      const { runForServer } = await import("./run.ts");
      return runForServer(typed, { ...own, ...surroundings, audit });
    });
  } catch (error) {
    log.warn("The command line cannot be served while this process runs", describeError(error));
    return undefined;
  }
}
