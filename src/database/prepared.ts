import type { Database } from "./postgres.ts";

/** What Drizzle has put together: the text, what goes into it, and how rows are read. It asks by `client`. */
type Made<Row> = { client: unknown; execute(values: Record<string, unknown>): Promise<Row[]> };
type Session = { session: { client: unknown } };

/**
 * A statement that is put together once and asked again and again: putting it together takes Drizzle longer than a server
 * takes to answer it. What differs from call to call is a `sql.placeholder`; nothing of one call is left for the next.
 */
export function prepared<Values extends Record<string, unknown>, Row>(
  build: (database: Database) => { prepare(name: string): { execute(values: Values): Promise<Row[]> } },
): (tx: Database, values: Values) => Promise<Row[]> {
  // By driver: a process has one, tests have both.
  const made = new Map<unknown, Made<Row>>();
  return (tx, values) => {
    const { session } = tx as unknown as Session;
    const driver = session.constructor;
    const statement = made.get(driver) ?? (build(tx).prepare("") as unknown as Made<Row>);
    made.set(driver, statement);
    // Asked by the transaction of this call instead of the one that it was put together for.
    return (Object.assign(Object.create(statement), { client: session.client }) as Made<Row>).execute(values);
  };
}
