import type { PGlite } from "@electric-sql/pglite";
import { drizzle } from "drizzle-orm/pglite";
import type { Database } from "./postgres.ts";
import { isRead } from "./reads.ts";

type Query = PGlite["query"];

const ENDED = "Cannot query in a transaction that has ended";
const FAILED = "Cannot commit a transaction in which a statement failed";

/** A transaction that begins with the first statement that does more than read. */
function lazyTransaction(ask: Query) {
  let begun: Promise<unknown> | undefined;
  let isOver = false;
  /** A statement failed before BEGIN, so the database does not remember it. */
  let hasFailed = false;

  const query: Query = async (text, parameters, options) => {
    if (isOver) throw new Error(ENDED);
    if (!isRead(text)) begun ??= ask("begin");
    const isBeforeBegin = begun === undefined;
    await begun;
    // Work that has thrown meanwhile has rolled it back.
    if (isOver) throw new Error(ENDED);
    try {
      return await ask(text, parameters, options);
    } catch (error) {
      hasFailed ||= isBeforeBegin;
      throw error;
    }
  };

  return {
    query,
    async commit(): Promise<void> {
      if (hasFailed) throw new Error(FAILED);
      isOver = true;
      // Postgres answers COMMIT of a failed transaction with ROLLBACK.
      if (begun && (await ask("commit")).command !== "COMMIT") throw new Error(FAILED);
    },
    async rollback(): Promise<void> {
      isOver = true;
      if (begun) await ask("rollback");
    },
  };
}

/** Nested transactions, as Postgres has them. */
function savepoints(query: Query) {
  let count = 0;
  return async function savepoint<Result>(nested: (client: { query: Query }) => Promise<Result>): Promise<Result> {
    const name = `s${++count}`;
    await query(`savepoint ${name}`);
    try {
      return await nested({ query });
    } catch (error) {
      await query(`rollback to ${name}`);
      throw error;
    }
  };
}

/**
 * One transaction on the embedded database, begun lazily. `priority_queue.ts` keeps other statements out meanwhile.
 */
export async function pgliteTransaction<T>(ask: Query, work: (tx: Database) => Promise<T>): Promise<T> {
  const { query, commit, rollback } = lazyTransaction(ask);
  const client = { query, transaction: savepoints(query) } as unknown as PGlite;
  try {
    const result = await work(drizzle(client) as unknown as Database);
    await commit();
    return result;
  } catch (error) {
    await rollback();
    throw error;
  }
}
