/**
 * The one door to data: `work` gets the module's store, returning commits, throwing rolls everything back, events
 * included. No network inside, and no transaction inside a transaction (it throws; on PGlite it would hang for ever).
 */
export type Transaction<Store> = <T>(work: (store: Store) => Promise<T>, extent?: TransactionMode) => Promise<T>;

/**
 * How much `work` does. One write is whole by itself and spared BEGIN and COMMIT; it stays, even where `work` throws
 * afterwards, and a second one is refused. What "writes" for certain begins with its first read, which then waits for nothing.
 */
export type TransactionMode = "autocommit" | "writes" | undefined;
