import { connect, type Socket } from "node:net";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import type { TransactionMode } from "../shared/transaction.ts";
import { databaseUnavailable } from "./errors.ts";
import { isRead, SECOND_WRITE } from "./reads.ts";
import { serverStatements } from "./server_statements.ts";
import { matchPgliteTypes } from "./server_types.ts";

/** Where a server listens; a host that begins with "/" is the folder of its unix socket. */
export type Endpoint = { url: string; host: string; port: number };

/** One connection to a server. Once lost it stays lost: whoever needs another opens another client. */
export type Client = {
  /** Runs `work` as one transaction, and settles within `budgetMs` whatever the server and the network do. */
  transaction<T>(
    work: (transaction: PostgresJsDatabase) => Promise<T>,
    budgetMs: number,
    extent?: TransactionMode,
  ): Promise<T>;
  isLost(): boolean;
  /** Of the monotonic clock. */
  openedAt: number;
  /** Cuts the connection; a transaction that is still open fails for this reason. */
  end(reason: string): void;
};

/** The first word of a message that asks a server to stop the statement of another connection. */
const CANCEL_REQUEST = 80_877_102;

/** The server gives up a little before we do. */
const patienceOf = (budgetMs: number) => Math.ceil(budgetMs * 0.9);

type PendingQuery = ReturnType<Sql["unsafe"]> & { state?: Backend };
/** What the server calls the process behind a connection, and what it wants to hear before it stops what that one does. */
type Backend = { pid: number; secret: number };
/** How a transaction is doing: it begins with the first statement that is no mere read. */
type Progress = {
  /** Nothing begins: the one write of this transaction stands for itself. */
  oneWrite: { isDone: boolean } | undefined;
  /** So it begins ahead of its first read, and BEGIN costs no way there and back of its own. */
  writes: boolean;
  begun: Promise<unknown> | undefined;
  last: PendingQuery | undefined;
  isOver: boolean;
  /** A statement failed that the server has forgotten, as nothing had begun. */
  hasFailed: boolean;
};

/** The query, as Drizzle awaits it: what is no mere read goes out once BEGIN has worked, and a failure is remembered. */
function within(progress: Progress, query: PendingQuery, begun: Promise<unknown> | undefined) {
  const isAlone = progress.begun === undefined;
  const sent = (as: () => PromiseLike<unknown>): PromiseLike<unknown> => ({
    // biome-ignore lint/suspicious/noThenProperty: postgres.js sends a query when it is awaited, and so does this.
    then: (done, failed) =>
      (begun ? begun.then(as) : as())
        .then(undefined, (error) => {
          progress.hasFailed ||= isAlone;
          throw error;
        })
        .then(done, failed),
  });
  return { ...sent(() => query), values: () => sent(() => query.values()) };
}

function refusalOf(error: unknown): postgres.PostgresError | undefined {
  for (let at = error; at instanceof Error; at = at.cause) if (at instanceof postgres.PostgresError) return at;
  return undefined;
}

/**
 * Opens a client over postgres.js 3.4.9, used in the one way that survives a restart of the server and keeps its speed:
 * one connection per client, dialled here and never redialled, with BEGIN and COMMIT as plain statements, and these
 * only around what does more than read. Its `begin` writes to connections that are gone, which leaves queries unsettled or
 * throws where nobody can catch; and the queues of its pool become slower for ever unless they run empty, as with one
 * transaction at a time they do.
 */
export function openClient({ url, host, port }: Endpoint): Client {
  const place = host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port };
  let socket: Socket | undefined;
  let lost: Error | undefined;
  let notifyLost = (_error: Error) => {};

  function lose(reason: string, cause?: unknown): void {
    if (lost) return;
    lost = databaseUnavailable(reason, cause);
    notifyLost(lost);
    socket?.destroy();
    // Settles what postgres.js still holds. Nobody waits for the outcome: the callers have `lost`.
    void client.end({ timeout: 0 });
  }

  function dial(): Promise<Socket> {
    // postgres.js would try again by itself where the server hung up before it let us in.
    if (socket) lose("The server hung up before the connection to the database was open");
    if (lost) throw lost;
    const dialled = connect(place);
    socket = dialled;
    return new Promise((resolve, reject) => {
      // postgres.js takes the name to verify in TLS from the socket.
      dialled.once("connect", () => resolve(Object.assign(dialled, { host })));
      dialled.once("close", () => reject(new Error("Cannot use a closed socket")));
      dialled.on("error", (error) => lose(`Cannot reach the database: ${error.message}`, error));
    });
  }

  const options = {
    max: 1,
    // Asked for behind our back it rejects behind our back, too, when the connection is lost meanwhile.
    fetch_types: false,
    // No timers of its own: the budget of a transaction covers the connecting, and the pool limits the lifetime.
    idle_timeout: 0,
    max_lifetime: 0,
    connect_timeout: 0,
    keep_alive: 30,
    connection: { application_name: "breachbell" },
    onnotice: () => {},
    onclose: () => lose("The connection to the database was lost"),
    socket: dial,
  };
  const client = postgres(url, options);
  matchPgliteTypes(client.options);
  const statements = serverStatements(() => client.unsafe("discard plans"));

  /** What Drizzle sees of the client while one transaction is open, and not a moment longer. */
  function guarded(progress: Progress, begin: () => Promise<unknown>): Sql {
    let savepoints = 0;

    function unsafe(text: string, parameters: unknown[] = []) {
      if (progress.isOver || lost) throw lost ?? new Error("Cannot query in a transaction that has ended");
      // Type 0 lets the server tell the type, where postgres.js would guess it from the value.
      const typed = parameters.map((value) =>
        value !== null && typeof value === "object" ? client.typed(value as never, 0) : value,
      );
      const query = client.unsafe(text, typed as never[], {
        prepare: statements.isWorthNaming(text, parameters.length),
      });
      progress.last = query;
      if (isRead(text)) {
        // In the order in which they are asked: behind what waits for BEGIN.
        const { begun } = progress;
        if (progress.writes) progress.begun ??= begin();
        return within(progress, query, begun);
      }
      if (progress.oneWrite) {
        if (progress.oneWrite.isDone) throw new Error(SECOND_WRITE);
        progress.oneWrite.isDone = true;
        return within(progress, query, undefined);
      }
      progress.begun ??= begin();
      return within(progress, query, progress.begun);
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

    // Drizzle sets its own readers on `options`; these would not match PGlite's.
    const sql = { options: { parsers: {}, serializers: {} }, unsafe, begin: savepoint, savepoint } as unknown as Sql;
    return sql;
  }

  function begin(budgetMs: number): Promise<unknown> {
    // For this transaction only, so that it also holds behind a pooler. A few hundred rows are there before their statement
    // could be compiled.
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
    const hidden = "Cannot commit a transaction in which a statement failed";
    let result: T;
    try {
      result = await work(drizzle(guarded(progress, () => begin(budgetMs))));
      if (progress.hasFailed) throw new Error(hidden);
    } catch (error) {
      progress.isOver = true;
      // Also where nothing has begun: what is still under way has come to its end when this is answered.
      if (!lost && refusalOf(error)?.severity !== "FATAL") await client.unsafe("rollback");
      throw error;
    }
    progress.isOver = true;
    if (lost) throw lost;
    // The server answers COMMIT with ROLLBACK when a statement had failed: the work hid that error.
    if (progress.begun && (await client.unsafe("commit")).command !== "COMMIT") throw new Error(hidden);
    return result;
  }

  /** What was read without a transaction has no limit at the server: it is told to stop. A pooler hands that on. */
  function cancel({ last, begun }: Progress): void {
    if (begun || !last?.state) return;
    const { pid, secret } = last.state;
    const message = Buffer.alloc(16);
    for (const [at, value] of [16, CANCEL_REQUEST, pid, secret].entries()) message.writeUInt32BE(value, 4 * at);
    const dialled = connect(place, () => dialled.end(message));
    // Where this fails the connection is cut a little later.
    dialled.on("error", () => dialled.destroy());
  }

  return {
    async transaction(work, budgetMs, extent) {
      if (lost) throw lost;
      statements.renewPlans();
      const { promise: interrupted, reject } = Promise.withResolvers<never>();
      notifyLost = reject;
      const oneWrite = extent === "autocommit" ? { isDone: false } : undefined;
      const progress: Progress = {
        oneWrite,
        writes: extent === "writes",
        begun: undefined,
        last: undefined,
        isOver: false,
        hasFailed: false,
      };
      const cancelling = setTimeout(() => cancel(progress), patienceOf(budgetMs));
      const timer = setTimeout(() => lose(`The database did not answer within ${budgetMs} ms`), budgetMs);
      try {
        return await Promise.race([run(work, { progress, budgetMs }), interrupted]);
      } catch (error) {
        const refusal = refusalOf(error);
        // A change of a table's types makes its named statements useless for as long as the connection lasts.
        if (refusal?.severity === "FATAL" || refusal?.routine === "RevalidateCachedQuery") lose(refusal.message, error);
        if (lost) throw lost;
        throw refusal?.code === "57014" ? databaseUnavailable(refusal.message, error) : error;
      } finally {
        clearTimeout(cancelling);
        clearTimeout(timer);
        notifyLost = () => {};
      }
    },
    isLost: () => lost !== undefined,
    openedAt: performance.now(),
    end: (reason) => lose(reason),
  };
}
