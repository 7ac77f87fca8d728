import type { Socket } from "node:net";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import { messageOf } from "../shared/connection_failure.ts";
import type { ConnectionString, Host } from "./connection_string.ts";
import { databaseUnavailable, isReadOnlyDatabase, readOnlyDatabase } from "./errors.ts";
import { isRead } from "./reads.ts";
import type { Dialler } from "./server_dial.ts";
import { serverStatements, UNNAMED } from "./server_statements.ts";
import { matchPgliteTypes } from "./server_types.ts";

/** A connection string, and what all clients share. */
export type Endpoint = ConnectionString & {
  dialler: Dialler;
  /** A pooler such as PgBouncer is in between: the next statement may reach another connection to the server. */
  isPooled: boolean;
};

/** One connection to a server. It never reconnects: the pool opens another client. */
export type Client = {
  /** Runs `work` as one transaction and settles within `budgetMs` in every case. */
  transaction<T>(work: (transaction: PostgresJsDatabase) => Promise<T>, budgetMs: number): Promise<T>;
  isLost(): boolean;
  /** The process that the other side has named as the one that serves this connection. */
  backend(): number | undefined;
  /** By the monotonic clock. */
  openedAt: number;
  /** Cuts the connection; an open transaction fails with this reason. */
  end(reason: string): void;
};

/**
 * How values are written, whatever a role or a database has set for its own clients. `search_path` is missing: PgBouncer refuses
 * it when a connection begins, and no statement needs it, as all names are qualified.
 */
const FORMATS = {
  DateStyle: "ISO, YMD",
  TimeZone: "UTC",
  client_encoding: "UTF8",
  standard_conforming_strings: "on",
};

/** PgBouncer before 1.20 refuses this one too. Nothing that we read is an interval. */
const DIRECT_FORMATS = { ...FORMATS, IntervalStyle: "postgres" };

/** The server's own timeout ends a little before ours. */
const patienceOf = (budgetMs: number) => Math.ceil(budgetMs * 0.9);

type PendingQuery = ReturnType<Sql["unsafe"]> & { state?: { pid: number } };
/** The state of a transaction, which begins with the first statement that does more than read. */
type Progress = {
  begun: Promise<unknown> | undefined;
  last: PendingQuery | undefined;
  isOver: boolean;
  /** A statement failed before BEGIN, so the server does not remember it. */
  hasFailed: boolean;
};

/** A read before BEGIN, as Drizzle awaits it. */
function beforeBegin(progress: Progress, query: PendingQuery) {
  const noted = (answer: PromiseLike<unknown>) =>
    answer.then(undefined, (error) => {
      progress.hasFailed = true;
      throw error;
    });
  return {
    // biome-ignore lint/suspicious/noThenProperty: postgres.js sends a query when it is awaited, and so does this.
    then: (...handlers: Parameters<PromiseLike<unknown>["then"]>) => noted(query).then(...handlers),
    values() {
      query.values();
      return this;
    },
  };
}

const FAILED = "Cannot commit a transaction in which a statement failed";

function refusalOf(error: unknown): postgres.PostgresError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof postgres.PostgresError) return at;
  return undefined;
}

/** The options of postgres.js, apart from its events. */
function accessOf({ user, password, database, startup, keepAliveSeconds, isPooled }: Endpoint, deadlineMs: number) {
  // For statements before BEGIN. JIT is off, as compiling takes longer than a few hundred rows.
  const direct = { ...DIRECT_FORMATS, statement_timeout: patienceOf(deadlineMs), jit: "off" };
  return {
    ...(user !== undefined && { user }),
    ...(password !== undefined && { pass: password }),
    ...(database !== undefined && { database }),
    max: 1,
    // This query would run in the background, where its rejection on a lost connection cannot be handled.
    fetch_types: false,
    // The library's timers are off: a transaction's deadline covers connecting, and the pool limits the lifetime.
    idle_timeout: 0,
    max_lifetime: 0,
    connect_timeout: 0,
    keep_alive: keepAliveSeconds ?? 0,
    // The dialler encrypts.
    ssl: false,
    connection: { application_name: "breachbell", ...(isPooled ? FORMATS : direct), ...startup },
    onnotice: () => {},
  };
}

/**
 * Opens a client over postgres.js 3.4.9, used in the one way that survives a restart of the server and stays fast: one
 * connection per client, dialled here and never redialled, with BEGIN and COMMIT as plain statements. The library's `begin`
 * writes to closed connections, which leaves queries unsettled or throws uncaught errors; and its pool's queues get slower for ever
 * unless they run empty, which they do with one transaction at a time.
 * `deadlineMs` is the longest budget of a transaction that may read before BEGIN.
 */
export function openClient(endpoint: Endpoint, deadlineMs: number): Client {
  const { hosts, dialler, isPooled } = endpoint;
  const dialling = new AbortController();
  let socket: Socket | undefined;
  let host: Host | undefined;
  let lost: Error | undefined;
  let notifyLost = (_error: Error) => {};

  function lose(reason: string, cause?: unknown): void {
    if (lost) return;
    lost = databaseUnavailable(reason, cause);
    notifyLost(lost);
    dialling.abort();
    socket?.destroy();
    // Settles the queries that postgres.js still holds; the callers are rejected through `lost`.
    void client.end({ timeout: 0 });
  }

  function loseReadOnly(cause: unknown): void {
    if (host) dialler.avoid(host);
    lose("The database accepts no changes", cause);
  }

  async function dial(): Promise<Socket> {
    // postgres.js would reconnect if the server closed the connection before authentication.
    if (socket) lose("The server hung up before the connection to the database was open");
    if (lost) throw lost;
    try {
      ({ socket, host } = await dialler.dial(dialling.signal));
    } catch (error) {
      lose(`Cannot reach the database: ${messageOf(error)}`, error);
      throw new Error("Cannot use a closed socket", { cause: error });
    }
    socket.on("error", (error) => lose(`The connection to the database was lost: ${messageOf(error)}`, error));
    return socket;
  }

  const options = {
    ...accessOf(endpoint, deadlineMs),
    onclose: () => lose("The connection to the database was lost"),
    // A standby says so when a connection begins, from Postgres 14 on.
    onparameter: (name: string, value: unknown) => {
      if (hosts.length > 1 && name === "in_hot_standby" && value === "on") loseReadOnly(readOnlyDatabase());
    },
    socket: dial,
  };
  const client = postgres(options);
  matchPgliteTypes(client.options);
  const statements = isPooled ? UNNAMED : serverStatements(() => client.unsafe("discard plans"));
  let backend: PendingQuery["state"];

  /** The client as Drizzle sees it, valid only while one transaction is open. */
  function guarded(progress: Progress, budgetMs: number): Sql {
    // Such a read has the connection's timeout, which has to end it before the budget does. A pooler might send each read to
    // another server process.
    const mayReadFirst = !isPooled && budgetMs > patienceOf(deadlineMs) && budgetMs <= deadlineMs;
    let savepoints = 0;

    function unsafe(text: string, parameters: unknown[] = []) {
      if (progress.isOver || lost) throw lost ?? new Error("Cannot query in a transaction that has ended");
      // Type 0 lets the server infer the type; postgres.js would guess it from the value.
      const typed = parameters.map((value) =>
        value !== null && typeof value === "object" ? client.typed(value as never, 0) : value,
      );
      const isFirst = !progress.begun && mayReadFirst && isRead(text);
      // Sent in one go with the first query, which the server does not run in a transaction that could not begin.
      if (!isFirst) progress.begun ??= begin(budgetMs);
      progress.last = client.unsafe(text, typed as never[], {
        prepare: statements.isWorthNaming(text, parameters.length),
      });
      return isFirst ? beforeBegin(progress, progress.last) : progress.last;
    }

    async function savepoint<T>(work: (nested: Sql) => Promise<T>): Promise<T> {
      const name = `s${++savepoints}`;
      await unsafe(`savepoint ${name}`);
      try {
        return await work(sql);
      } catch (error) {
        await unsafe(`rollback to ${name}`);
        throw error;
      }
    }

    // Drizzle installs its own parsers on `options`; they would not match PGlite's.
    const sql = { options: { parsers: {}, serializers: {} }, unsafe, begin: savepoint, savepoint } as unknown as Sql;
    return sql;
  }

  function begin(budgetMs: number): Promise<unknown> {
    // For this transaction only, so that it also works behind a pooler.
    const settings = [
      `statement_timeout = ${patienceOf(budgetMs)}`,
      `idle_in_transaction_session_timeout = ${budgetMs}`,
      "jit = off",
    ];
    return client
      .unsafe(["begin", ...settings.map((setting) => `set local ${setting}`)].join("; "))
      .catch((error) => lose(`Cannot begin a transaction: ${error.message}`, error));
  }

  async function run<T>(
    work: (transaction: PostgresJsDatabase) => Promise<T>,
    { progress, budgetMs }: { progress: Progress; budgetMs: number },
  ): Promise<T> {
    let result: T;
    try {
      result = await work(drizzle(guarded(progress, budgetMs)));
      if (progress.hasFailed) throw new Error(FAILED);
    } catch (error) {
      progress.isOver = true;
      // Its answer proves that no statement is running any more.
      if (!progress.begun) await progress.last?.then(undefined, () => {});
      else if (!lost && refusalOf(error)?.severity !== "FATAL") await client.unsafe("rollback");
      throw error;
    }
    progress.isOver = true;
    if (lost) throw lost;
    // The server answers COMMIT with ROLLBACK when a statement had failed and the work swallowed its error.
    if (progress.begun && (await client.unsafe("commit")).command !== "COMMIT") throw new Error(FAILED);
    return result;
  }

  return {
    async transaction(work, budgetMs) {
      if (lost) throw lost;
      statements.renewPlans();
      const { promise: interrupted, reject } = Promise.withResolvers<never>();
      notifyLost = reject;
      const progress: Progress = { begun: undefined, last: undefined, isOver: false, hasFailed: false };
      const timer = setTimeout(() => lose(`The database did not answer within ${budgetMs} ms`), budgetMs);
      try {
        return await Promise.race([run(work, { progress, budgetMs }), interrupted]);
      } catch (error) {
        const refusal = refusalOf(error);
        // After a change of a table's types its named statements fail until the connection ends.
        if (refusal?.severity === "FATAL" || refusal?.routine === "RevalidateCachedQuery") lose(refusal.message, error);
        // After a failover the next connection may reach the new primary.
        if (isReadOnlyDatabase(error)) loseReadOnly(error);
        if (lost) throw lost;
        throw refusal?.code === "57014" ? databaseUnavailable(refusal.message, error) : error;
      } finally {
        backend = progress.last?.state ?? backend;
        clearTimeout(timer);
        notifyLost = () => {};
      }
    },
    isLost: () => lost !== undefined,
    backend: () => backend?.pid,
    openedAt: performance.now(),
    end: (reason) => lose(reason),
  };
}
