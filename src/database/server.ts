import { databaseUnavailable, isDatabaseUnavailable } from "./errors.ts";
import { type Bulk, serverSnapshot } from "./logical_dump.ts";
import type { BeforeMigrating } from "./migration_status.ts";
import type { Connection, Database } from "./postgres.ts";
import { priorityQueue } from "./priority_queue.ts";
import { patienceLeft, waitedInVain } from "./request_deadline.ts";
import { type Client, type Endpoint, openClient } from "./server_client.ts";
import { endpointOf, migrateServer } from "./server_start.ts";

export type ServerOptions = {
  /** How many connections are open at most. */
  connections: number;
  /** The deadline of a transaction, its wait for a free connection included. */
  deadlineMs: number;
  /** Older connections are replaced, to find a server that has moved and to release its memory. */
  lifetimeMs: number;
  /** How long the start waits for a server that does not answer yet. */
  startMs: number;
};

const DEFAULTS: ServerOptions = { connections: 4, deadlineMs: 4500, lifetimeMs: 30 * 60_000, startMs: 10_000 };
const CLOSE_MS = 3500;
/** The deadline of a backup or restore. */
const UNHURRIED_MS = 6 * 3_600_000;

/**
 * Opens a Postgres server by its URL and migrates it if there are migrations. Reconnects automatically after failures of the
 * server or the network.
 */
export async function openServer(
  url: string,
  migrations: string | undefined,
  options: Partial<ServerOptions> = {},
  beforeMigrating?: BeforeMigrating,
): Promise<Connection & Bulk> {
  const endpoint = await migrateServer(endpointOf(url), {
    migrations,
    startMs: options.startMs ?? DEFAULTS.startMs,
    async beforeMigrating(found) {
      const earlier = poolOf(found, options);
      try {
        await beforeMigrating?.(earlier);
      } finally {
        await earlier.close();
      }
    },
  });
  return poolOf(endpoint, options);
}

function poolOf(endpoint: Endpoint, options: Partial<ServerOptions>): Connection & Bulk {
  const { connections, deadlineMs, lifetimeMs } = { ...DEFAULTS, ...options };
  const clients = new Set<Client>();
  const idle: Client[] = [];
  const queue = priorityQueue(connections);
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  function drop(client: Client, reason: string): void {
    client.end(reason);
    clients.delete(client);
  }

  /** An idle client, or a new one: the queue admits no more transactions than there may be connections. */
  function take(): Client {
    for (let client = idle.pop(); client; client = idle.pop()) {
      if (!client.isLost()) return client;
      clients.delete(client);
    }
    const client = openClient(endpoint, deadlineMs);
    clients.add(client);
    return client;
  }

  function release(client: Client): void {
    if (client.isLost()) {
      // The failure has probably cut the idle connections too; each would cost one deadline to find out.
      for (const other of [client, ...idle.splice(0)]) drop(other, "Another connection to the database was lost");
    } else if (performance.now() - client.openedAt > lifetimeMs) drop(client, "The connection had its time");
    if (clients.has(client)) idle.push(client);
  }

  async function transaction<T>(work: (transaction: Database) => Promise<T>): Promise<T> {
    const patience = patienceLeft(deadlineMs);
    if (patience <= 0) throw databaseUnavailable("The database did not answer a moment ago");
    const from = performance.now();
    try {
      return await queue.run(async () => {
        const client = take();
        try {
          const budget = Math.max(1, Math.round(from + patience - performance.now()));
          return await client.transaction((tx) => work(tx as unknown as Database), budget);
        } finally {
          release(client);
        }
      }, patience);
    } catch (error) {
      if (isDatabaseUnavailable(error)) waitedInVain(performance.now() - from);
      throw error;
    }
  }

  async function close(): Promise<void> {
    const cut = () => {
      const error = databaseUnavailable("The connection to the database is closed");
      queue.refuse(error);
      for (const client of clients) drop(client, error.message);
    };
    const timer = setTimeout(cut, CLOSE_MS);
    await Promise.allSettled(running);
    clearTimeout(timer);
    cut();
  }

  async function unhurried<T>(work: (transaction: Database) => Promise<T>): Promise<T> {
    const client = openClient(endpoint, deadlineMs);
    try {
      return await client.transaction((tx) => work(tx as unknown as Database), UNHURRIED_MS);
    } finally {
      client.end("The work is done");
    }
  }

  return {
    yieldToRequests: queue.yieldToRequests,
    unhurried,
    snapshot: (work) => unhurried((tx) => serverSnapshot(tx, work)),
    transaction(work) {
      if (closing) return Promise.reject(databaseUnavailable("The connection to the database is closed"));
      const settled = transaction(work).finally(() => running.delete(settled));
      running.add(settled);
      return settled;
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}
