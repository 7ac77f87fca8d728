import { sql } from "drizzle-orm";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import { isDatabaseUnavailable, sqlState } from "./errors.ts";
import { MIGRATION_LOCK } from "./migration_status.ts";
import { type Endpoint, openClient } from "./server_client.ts";

const RETRY_MS = 250;
const MIGRATION_MS = 10 * 60_000;

/** Parses the server's URL; libpq's `?host=` may name the directory of its Unix socket. */
export function endpointOf(url: string): Endpoint {
  try {
    const parsed = new URL(url);
    const host = parsed.searchParams.get("host") ?? decodeURIComponent(parsed.hostname).replaceAll(/[[\]]/g, "");
    // postgres.js would pass it to the server as a setting.
    parsed.searchParams.delete("host");
    return { url: parsed.href, host: host || "localhost", port: Number(parsed.port || 5432) };
  } catch {
    // The cause is omitted: it quotes the URL and its password.
    throw new Error('Cannot read DATABASE_URL: it must look like "postgres://user:password@host:5432/database"');
  }
}

/** Waits for the server, then migrates under an advisory lock: one process does it, the others find nothing left to do. */
export async function migrateServer(
  endpoint: Endpoint,
  migrations: string | undefined,
  startMs: number,
): Promise<void> {
  const until = performance.now() + startMs;
  for (;;) {
    const client = openClient(endpoint);
    try {
      const budgetMs = Math.max(1, Math.round(until - performance.now()));
      const [encoding] = await client.transaction((tx) => tx.execute(sql`show server_encoding`), budgetMs);
      if (encoding?.server_encoding !== "UTF8") throw encodingFailure(endpoint, String(encoding?.server_encoding));
      if (migrations === undefined) return;
      return await client.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`);
        await migrate(tx, { migrationsFolder: migrations });
      }, MIGRATION_MS);
    } catch (error) {
      if (error instanceof WrongEncoding) throw error;
      if (!mayPass(error) || performance.now() + RETRY_MS > until) throw startFailure(error, endpoint);
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    } finally {
      client.end("The migration is over");
    }
  }
}

class WrongEncoding extends Error {}

function encodingFailure({ url }: Endpoint, encoding: string): WrongEncoding {
  const name = new URL(url).pathname.slice(1);
  return new WrongEncoding(
    `Cannot use the database "${name}": its encoding is ${encoding}, which cannot hold every name. Create one with "createdb --encoding=UTF8 --template=template0 …", and correct DATABASE_URL`,
  );
}

/** Whether waiting may help: nothing listens yet, or the server is starting up. */
function mayPass(error: unknown): boolean {
  return isDatabaseUnavailable(error) && ["57P03", undefined].includes(sqlState(error));
}

function rootOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause !== undefined) return rootOf(cause);
  return error instanceof Error ? error.message : String(error);
}

/** The operator's error message, without the password. */
function startFailure(error: unknown, { url, host, port }: Endpoint): Error {
  const { username, pathname } = new URL(url);
  const database = `the database "${pathname.slice(1)}"`;
  const server = `the Postgres server at "${host}:${port}"`;
  const reason = rootOf(error);
  const state = sqlState(error) ?? "";
  function sentence(): string {
    if (state.startsWith("28")) return `Cannot sign in to ${server}: ${reason}; correct DATABASE_URL`;
    if (state === "3D000") return `Cannot open ${database} on ${server}: create it, or correct DATABASE_URL`;
    if (state === "42501") return `Cannot migrate ${database} on ${server}: ${reason}; grant "${username}" the right`;
    if (!isDatabaseUnavailable(error)) return `Cannot migrate ${database} on ${server}: ${reason}`;
    return `Cannot use ${server}: ${reason}; check that it runs, and DATABASE_URL`;
  }
  return new Error(sentence(), { cause: error });
}
