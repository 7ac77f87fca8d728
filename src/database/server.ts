import { databaseUnavailable, isDatabaseUnavailable } from "./errors.ts";
import { jobThrottle } from "./job_throttle.ts";
import { type Bulk, serverSnapshot } from "./logical_dump.ts";
import { type BeforeMigrating, isBehind } from "./migration_status.ts";
import type { Connection, Database } from "./postgres.ts";
import { isInBackground, MOST_FIRST } from "./priority_queue.ts";
import { patienceLeft, waitedInVain } from "./request_deadline.ts";
import { type Client, openClient } from "./server_client.ts";
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

/** A waiter in the queue for a connection. */
type Place = { give(client: Client): void; refuse(error: Error): void; since: number };

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
  const { connections, deadlineMs, lifetimeMs, startMs } = { ...DEFAULTS, ...options };
  if (migrations !== undefined && beforeMigrating) {
    const earlier = await openServer(url, undefined, options);
    try {
      if (await earlier.transaction((tx) => isBehind(tx, migrations))) await beforeMigrating(earlier);
    } finally {
      await earlier.close();
    }
  }
  const endpoint = await migrateServer(endpointOf(url), migrations, startMs);

  const clients = new Set<Client>();
  const idle: Client[] = [];
  const waiting: { requests: Place[]; jobs: Place[] } = { requests: [], jobs: [] };
  /** One connection is reserved for requests. */
  const mostForJobs = Math.max(1, connections - 1);
  let heldByJobs = 0;
  const throttle = jobThrottle();
  /** How many requests in a row have overtaken the jobs. */
  let inRow = 0;
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;

  function open(): Client {
    const client = openClient(endpoint);
    clients.add(client);
    return client;
  }

  function drop(client: Client, reason: string): void {
    client.end(reason);
    clients.delete(client);
  }

  function free(): Client | undefined {
    for (let client = idle.pop(); client; client = idle.pop()) {
      if (!client.isLost()) return client;
      clients.delete(client);
    }
    return clients.size < connections ? open() : undefined;
  }

  /** Whether a job that has waited since then may have a connection. */
  const mayBegin = (since: number) => heldByJobs < mostForJobs && throttle.mayBegin(since, heldByJobs, serveWaiting);

  /** A free client, a new one, or a place in the queue. */
  function take(waitMs: number, isJob: boolean): Client | Promise<Client> {
    const since = performance.now();
    const client = !isJob || (waiting.jobs.length === 0 && mayBegin(since)) ? free() : undefined;
    if (client) {
      if (isJob) heldByJobs += 1;
      return client;
    }
    const queue = waiting[isJob ? "jobs" : "requests"];
    return new Promise((resolve, reject) => {
      const place: Place = {
        since,
        give(client: Client) {
          clearTimeout(timer);
          if (isJob) heldByJobs += 1;
          resolve(client);
        },
        refuse(error: Error) {
          clearTimeout(timer);
          reject(error);
        },
      };
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(place), 1);
        reject(databaseUnavailable(`No connection to the database was free within ${waitMs} ms`));
      }, waitMs);
      queue.push(place);
    });
  }

  /** Requests go first, but without starving the jobs. */
  function nextQueue(): Place[] | undefined {
    const [job] = waiting.jobs;
    const isJob = job !== undefined && (inRow >= MOST_FIRST || waiting.requests.length === 0) && mayBegin(job.since);
    if (isJob) return waiting.jobs;
    return waiting.requests.length > 0 ? waiting.requests : undefined;
  }

  function serveWaiting(): void {
    for (let queue = nextQueue(); queue; queue = nextQueue()) {
      const client = free();
      if (!client) return;
      inRow = queue === waiting.jobs ? 0 : inRow + 1;
      queue.shift()?.give(client);
    }
  }

  function release(client: Client, isJob: boolean): void {
    if (isJob) heldByJobs -= 1;
    if (client.isLost()) {
      // The failure has probably cut the idle connections too; each would cost one deadline to find out.
      for (const other of [client, ...idle.splice(0)]) drop(other, "Another connection to the database was lost");
    } else if (performance.now() - client.openedAt > lifetimeMs) drop(client, "The connection had its time");
    if (clients.has(client)) idle.push(client);
    serveWaiting();
  }

  async function transaction<T>(work: (transaction: Database) => Promise<T>): Promise<T> {
    const patience = patienceLeft(deadlineMs);
    if (patience <= 0) throw databaseUnavailable("The database did not answer a moment ago");
    const from = performance.now();
    const isJob = isInBackground();
    if (!isJob) throttle.noteRequest();
    try {
      const client = await take(patience, isJob);
      const began = performance.now();
      try {
        const budget = Math.max(1, Math.round(from + patience - performance.now()));
        return await client.transaction((tx) => work(tx as unknown as Database), budget);
      } finally {
        if (isJob) throttle.noteJob(performance.now() - began);
        release(client, isJob);
      }
    } catch (error) {
      if (isDatabaseUnavailable(error)) waitedInVain(performance.now() - from);
      throw error;
    }
  }

  async function close(): Promise<void> {
    const cut = () => {
      const error = databaseUnavailable("The connection to the database is closed");
      for (const queue of [waiting.requests, waiting.jobs]) for (const place of queue.splice(0)) place.refuse(error);
      for (const client of clients) drop(client, error.message);
    };
    const timer = setTimeout(cut, CLOSE_MS);
    await Promise.allSettled(running);
    clearTimeout(timer);
    cut();
  }

  async function unhurried<T>(work: (transaction: Database) => Promise<T>): Promise<T> {
    const client = openClient(endpoint);
    try {
      return await client.transaction((tx) => work(tx as unknown as Database), UNHURRIED_MS);
    } finally {
      client.end("The work is done");
    }
  }

  return {
    yieldToRequests: throttle.yieldToRequests,
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
