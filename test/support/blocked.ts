import { sql } from "drizzle-orm";
import type { Database } from "../../src/database/postgres.ts";
import type { Transaction } from "../../src/shared/transaction.ts";

/** Waits until the work is done or blocked by a lock of another transaction. */
export async function doneOrBlocked(plain: Transaction<Database>, work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  const isBlocked = async () =>
    (await plain((tx) => tx.select({ pid: sql`pid` }).from(sql`pg_locks where not granted`))).length > 0;
  while (!isDone && !(await isBlocked()));
}
