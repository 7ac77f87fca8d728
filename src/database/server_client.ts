import { connect, type Socket } from "node:net";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import { databaseUnavailable } from "./errors.ts";
import { matchPgliteTypes } from "./server_types.ts";

/** Where a server listens; a host that begins with "/" is the folder of its unix socket. */
export type Endpoint = { url: string; host: string; port: number };

/** One connection to a server. Once lost it stays lost: whoever needs another opens another client. */
export type Client = {
  /** Runs `work` between BEGIN and COMMIT, and settles within `budgetMs` whatever the server and the network do. */
  transaction<T>(work: (transaction: PostgresJsDatabase) => Promise<T>, budgetMs: number): Promise<T>;
  isLost(): boolean;
  /** Of the monotonic clock. */
  openedAt: number;
  /** Cuts the connection; a transaction that is still open fails for this reason. */
  end(reason: string): void;
};

/** Each named statement costs the server memory until the connection ends; lists of any length make new texts. */
const MOST_NAMED_STATEMENTS = 200;
const MOST_NAMED_PARAMETERS = 20;

/** What changes nothing and holds nothing: it may run before BEGIN is known to have worked, and COMMIT has nothing to keep. */
const READS = /^select\b(?!.*\bfor (?:update|no key update|share|key share)\b)(?!.*\bpg_(?:try_)?advisory)/s;

type PendingQuery = ReturnType<Sql["unsafe"]>;
/** How a transaction is doing; `onlyRead` while no statement was another or has failed. */
type Progress = { begun: Promise<unknown>; isOver: boolean; onlyRead: boolean };

/** The query, as Drizzle awaits it: what is no mere read goes out once BEGIN has worked, and a failure is remembered. */
function within(progress: Progress, query: PendingQuery, isRead: boolean) {
  const sent = (as: () => PromiseLike<unknown>): PromiseLike<unknown> => ({
    // biome-ignore lint/suspicious/noThenProperty: postgres.js sends a query when it is awaited, and so does this.
    then: (done, failed) =>
      (isRead ? as() : progress.begun.then(as))
        .then(undefined, (error) => {
          progress.onlyRead = false;
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
 * one connection per client, dialled here and never redialled, with BEGIN and COMMIT as plain statements. Its `begin`
 * writes to connections that are gone, which leaves queries unsettled or throws where nobody can catch; and the queues
 * of its pool become slower for ever unless they run empty, as with one transaction at a time they do.
 */
export function openClient({ url, host, port }: Endpoint): Client {
  let socket: Socket | undefined;
  let lost: Error | undefined;
  let notifyLost = (_error: Error) => {};
  const named = new Set<string>();

  function lose(reason: string, cause?: unknown): void {
    if (lost) return;
    lost = databaseUnavailable(reason, cause);
    notifyLost(lost);
    socket?.destroy();
    // Settles what postgres.js still holds. Nobody waits for the outcome: the callers have `lost`.
    void client.end({ timeout: 0 });
  }

  function dial(): Promise<Socket> {
    if (socket || lost) throw lost ?? new Error("Cannot dial twice with one client");
    const dialled = connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
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

  function isWorthNaming(text: string, parameters: number): boolean {
    if (named.has(text)) return true;
    if (parameters === 0 || parameters > MOST_NAMED_PARAMETERS || named.size === MOST_NAMED_STATEMENTS) return false;
    // A queue is empty when its plan is made and kept, and full when it counts.
    if (text.includes("skip locked")) return false;
    named.add(text);
    return true;
  }

  /** What Drizzle sees of the client while one transaction is open, and not a moment longer. */
  function guarded(progress: Progress): Sql {
    let savepoints = 0;

    function unsafe(text: string, parameters: unknown[] = []) {
      if (progress.isOver || lost) throw lost ?? new Error("Cannot query in a transaction that has ended");
      // Type 0 lets the server tell the type, where postgres.js would guess it from the value.
      const typed = parameters.map((value) =>
        value !== null && typeof value === "object" ? client.typed(value as never, 0) : value,
      );
      const query = client.unsafe(text, typed as never[], { prepare: isWorthNaming(text, parameters.length) });
      const isRead = READS.test(text);
      progress.onlyRead &&= isRead;
      return within(progress, query, isRead);
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

  async function run<T>(work: (transaction: PostgresJsDatabase) => Promise<T>, budgetMs: number): Promise<T> {
    // For this transaction only, so that it also holds behind a pooler; the server gives up a little before we do.
    const patience = Math.ceil(budgetMs * 0.9);
    const limits = `set local statement_timeout = ${patience}; set local idle_in_transaction_session_timeout = ${budgetMs}`;
    const progress: Progress = {
      // Not waited for: what is read first goes out in one round trip with it.
      begun: client
        .unsafe(`begin; ${limits}`)
        .catch((error) => lose(`Cannot begin a transaction: ${error.message}`, error)),
      ...{ isOver: false, onlyRead: true },
    };
    let result: T;
    try {
      result = await work(drizzle(guarded(progress)));
    } catch (error) {
      progress.isOver = true;
      if (!lost) await client.unsafe("rollback");
      throw error;
    }
    progress.isOver = true;
    if (lost) throw lost;
    const ended = client.unsafe("commit").then(({ command }) => {
      // The server answers COMMIT with ROLLBACK when a statement had failed: the work hid that error.
      if (command !== "COMMIT") throw new Error("Cannot commit a transaction in which a statement failed");
    });
    if (!progress.onlyRead) await ended;
    // Nothing was to be kept, so nobody waits: the next transaction goes out behind it.
    else ended.catch((error) => lose(`Cannot end a transaction: ${error.message}`, error));
    return result;
  }

  return {
    async transaction(work, budgetMs) {
      if (lost) throw lost;
      const { promise: interrupted, reject } = Promise.withResolvers<never>();
      notifyLost = reject;
      const timer = setTimeout(() => lose(`The database did not answer within ${budgetMs} ms`), budgetMs);
      try {
        return await Promise.race([run(work, budgetMs), interrupted]);
      } catch (error) {
        const refusal = refusalOf(error);
        // A change of a table's types makes its named statements useless for as long as the connection lasts.
        if (refusal?.severity === "FATAL" || refusal?.routine === "RevalidateCachedQuery") lose(refusal.message, error);
        if (lost) throw lost;
        throw refusal?.code === "57014" ? databaseUnavailable(refusal.message, error) : error;
      } finally {
        clearTimeout(timer);
        notifyLost = () => {};
      }
    },
    isLost: () => lost !== undefined,
    openedAt: performance.now(),
    end: (reason) => lose(reason),
  };
}
