import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Adapters } from "../adapter_types.ts";
import { type Backups, liveAdapters } from "../adapters.ts";
import { type Composition, compose } from "../compose.ts";
import type { Config } from "../config/config.ts";
import { databaseUnavailable } from "../database/errors.ts";
import { whyNoStart } from "../database/full_disk.ts";
import { isDirectoryInUse } from "../database/lock.ts";
import { openDatabase } from "../database/open.ts";
import { type Database, type PostgresDatabase, postgresDatabase } from "../database/postgres.ts";
import { postgresEvents } from "../events/adapters/postgres/outbox.ts";
import { backupsOf } from "../runtime/backups.ts";
import { keysOf } from "../runtime/crypto.ts";
import { createLog } from "../runtime/log.ts";
import { existingSecret } from "../runtime/secret.ts";
import type { Transaction } from "../shared/transaction.ts";
import type { AppContext, DatabaseContext, Surroundings } from "./command.ts";

export type Opened<Room> = { room: Room; close(): Promise<void> };

/** Thrown when there is no database yet. */
export class NoDatabase extends Error {}

/** Opens the database without creating or migrating it. */
async function openAsIs(config: Config) {
  if (config.database.kind === "embedded" && !existsSync(join(config.dataDir, "pgdata", "PG_VERSION")))
    throw new NoDatabase(`There is no database in "${config.dataDir}": the first start creates it`);
  return openDatabase(config, undefined, { startMs: 2000 });
}

/** For commands that work on an existing database. */
export function openDatabaseContext(config: Config, surroundings: Surroundings): Opened<DatabaseContext> {
  let open: Promise<Awaited<ReturnType<typeof openAsIs>>> | undefined;
  async function database(): Promise<Transaction<Database>> {
    open ??= openAsIs(config);
    const connection = await open.catch((error: unknown) => {
      const isKnown = error instanceof NoDatabase || isDirectoryInUse(error);
      throw isKnown ? error : databaseUnavailable(whyNoStart(error, config.dataDir), error);
    });
    return (await postgresDatabase(connection, postgresEvents)).transactionOf((tx: Database) => tx);
  }
  async function letGo(): Promise<void> {
    const was = await open?.catch(() => undefined);
    open = undefined;
    await was?.close();
  }
  const mac = (purpose: string, value: string) => keysOf(existingSecret(config)).mac(purpose, value);
  return {
    room: { ...surroundings, config, database, letGo, mac, backups: backupsOf(config), isServer: false },
    close: letGo,
  };
}

/** Writes the entry of the audit log and of the event log. */
export function auditorOf(
  { identity, operations }: Composition,
  { now, newId }: Pick<Adapters["system"], "now" | "newId">,
): AppContext["audit"] {
  return async (act, object, detail = {}) => {
    const actor = { by: "command_line" } as const;
    const acted = { type: "staff.acted", id: newId(), at: now().toISOString(), actor, act, object, detail } as const;
    await identity.onStaffActed(acted);
    await operations.logStaffAct(acted);
  };
}

export type Parts = {
  config: Config;
  adapters: Adapters;
  backups: Backups;
  database: PostgresDatabase;
  product: Composition;
};

/** What commands get of the whole product, wherever it runs. */
export function appContextOf(
  { config, adapters, backups, database, product }: Parts,
  isServer: boolean,
): Omit<AppContext, keyof Surroundings> {
  const plain = database.transactionOf((tx: Database) => tx);
  const { now, mac } = adapters.system;
  const audit = auditorOf(product, adapters.system);
  return { config, product, now, mac, backups, isServer, audit, database: async () => plain, letGo: async () => {} };
}

/** The whole product in this process, without its jobs. */
export async function openAppContext(config: Config, surroundings: Surroundings): Promise<Opened<AppContext>> {
  const log = createLog("error", (line) => surroundings.tell(line));
  const { close, ...live } = await liveAdapters(config, log);
  const product = compose(live.adapters, config);
  return { room: { ...surroundings, ...appContextOf({ ...live, config, product }, false) }, close };
}
