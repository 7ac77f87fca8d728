import { sql } from "drizzle-orm";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { messageOf } from "../shared/connection_failure.ts";
import { readConnectionString } from "./connection_string.ts";
import { isDatabaseUnavailable, isReadOnlyDatabase, sqlState } from "./errors.ts";
import { MIGRATION_LOCK, type MigrationStatus, migrationStatus, requireWritable } from "./migration_status.ts";
import type { Database } from "./postgres.ts";
import { type Client, type Endpoint, openClient } from "./server_client.ts";
import { dialler, NoAgreement, nameOf } from "./server_dial.ts";

const RETRY_MS = 250;
const MIGRATION_MS = 10 * 60_000;

/** Reads DATABASE_URL, and the certificates that it names. */
export function endpointOf(url: string): Endpoint {
  const read = readConnectionString(url);
  if (!read.ok) throw new Error(`DATABASE_URL ${read.problem}`);
  return { ...read.value, dialler: dialler(read.value), isPooled: false };
}

type Start = {
  migrations: string | undefined;
  /** How long to wait for a server that does not answer yet. */
  startMs: number;
  /**
   * Called before this process migrates a database of an earlier release; if it rejects, nothing is migrated. When several
   * processes start at once, another one may already have migrated the database.
   */
  beforeMigrating?: (endpoint: Endpoint) => Promise<void>;
};

/**
 * Waits until the server answers and no other process migrates or restores the database, then migrates it if it is not up to date.
 * An advisory lock lets one process migrate; the others find nothing left to do. Returns the endpoint with what was learned of it.
 */
export async function migrateServer(
  given: Endpoint,
  { migrations, startMs, beforeMigrating }: Start,
): Promise<Endpoint> {
  const { isPooled, status } = await onceReached(given, startMs, async (client, budgetMs) => {
    const isPooled = await look(client, given, budgetMs);
    if (migrations === undefined) return { isPooled, status: "migrated" };
    return { isPooled, status: await client.transaction((tx) => writableStatus(tx, migrations), MIGRATION_MS) };
  });
  const endpoint = { ...given, isPooled };
  if (migrations === undefined || status === "migrated") return endpoint;
  if (status === "behind") await beforeMigrating?.(endpoint);
  await onceReached(endpoint, startMs, (client) =>
    client.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
      await migrate(tx, { migrationsFolder: migrations });
    }, MIGRATION_MS),
  );
  return endpoint;
}

/** Works on a connection of its own, again and again while the server may still come up. `budgetMs`: what is left of the wait. */
async function onceReached<T>(
  endpoint: Endpoint,
  startMs: number,
  work: (client: Client, budgetMs: number) => Promise<T>,
): Promise<T> {
  const until = performance.now() + startMs;
  let before: unknown;
  for (;;) {
    // What works through a pooler works without one.
    const client = openClient({ ...endpoint, isPooled: true }, 0);
    try {
      return await work(client, Math.max(1, Math.round(until - performance.now())));
    } catch (error) {
      if (error instanceof WrongEncoding) throw error;
      // An attempt that the deadline cut off says less than the one before it.
      const cause = performance.now() >= until ? (before ?? error) : error;
      if (!mayPass(cause) || performance.now() + RETRY_MS > until) throw startFailure(cause, endpoint);
      before = cause;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    } finally {
      client.end("The start is over");
    }
  }
}

/** Waits while another process migrates or restores the database, then reads its status. Throws if it accepts no changes. */
async function writableStatus(tx: Database, migrations: string): Promise<MigrationStatus> {
  await requireWritable(tx);
  await tx.execute(sql`select pg_advisory_xact_lock_shared(${MIGRATION_LOCK})`);
  return migrationStatus(tx, migrations);
}

/** Whether a pooler is in between: it names a process of its own making to its clients, for their cancel requests. */
async function look(client: Client, endpoint: Endpoint, budgetMs: number): Promise<boolean> {
  const facts = sql`select current_setting('server_encoding') as encoding, pg_backend_pid() as process`;
  const [found] = await client.transaction((tx) => tx.execute(facts), budgetMs);
  if (found?.encoding !== "UTF8") throw encodingFailure(endpoint, String(found?.encoding));
  return found.process !== client.backend();
}

class WrongEncoding extends Error {}

const databaseOf = ({ database, user }: Endpoint) => `the database "${database ?? user ?? ""}"`;

function encodingFailure(endpoint: Endpoint, encoding: string): WrongEncoding {
  return new WrongEncoding(
    `Cannot use ${databaseOf(endpoint)}: its encoding is ${encoding}, which cannot hold every name. Create one with "createdb --encoding=UTF8 --template=template0 …", and correct DATABASE_URL`,
  );
}

/** Whether waiting may help: nothing listens yet, the server is starting up, or another host is the primary. */
function mayPass(error: unknown): boolean {
  if (error instanceof Error && error.cause instanceof NoAgreement) return false;
  const state = sqlState(error);
  // 08: a pooler that does not reach its server.
  const isOutage = state === undefined || state === "57P03" || state.startsWith("08");
  return isDatabaseUnavailable(error) && (isOutage || isReadOnlyDatabase(error));
}

function rootOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause === undefined ? messageOf(error) : rootOf(cause);
}

/** The operator's error message, without the password. */
function startFailure(error: unknown, endpoint: Endpoint): Error {
  const database = databaseOf(endpoint);
  const server = `the Postgres server at "${endpoint.hosts.map(nameOf).join(", ")}"`;
  const reason = rootOf(error);
  const state = sqlState(error) ?? "";
  function sentence(): string {
    if (isReadOnlyDatabase(error))
      return `Cannot use ${server}: it accepts no changes; name the primary, or all servers, in DATABASE_URL`;
    if (state.startsWith("28")) return `Cannot sign in to ${server}: ${reason}; correct DATABASE_URL`;
    if (state === "53100") return `Cannot use ${server}: its disk is full (${reason}); free some space there`;
    if (state === "3D000") return `Cannot open ${database} on ${server}: create it, or correct DATABASE_URL`;
    if (state === "42501")
      return `Cannot migrate ${database} on ${server}: ${reason}; grant "${endpoint.user}" the right`;
    if (!isDatabaseUnavailable(error)) return `Cannot migrate ${database} on ${server}: ${reason}`;
    return `Cannot use ${server}: ${reason}; check that it is running and that DATABASE_URL is correct`;
  }
  return new Error(sentence(), { cause: error });
}
