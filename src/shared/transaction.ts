/**
 * The only access to data: `work` gets the module's store; returning commits, throwing rolls everything back, events included.
 * No network calls inside, and no nested transaction (it throws; on PGlite it would deadlock).
 */
export type Transaction<Store> = <T>(work: (store: Store) => Promise<T>, extent?: TransactionMode) => Promise<T>;

/**
 * How much `work` does. "autocommit" is a single write without BEGIN and COMMIT: it stays even if `work` throws afterwards, and
 * a second write is refused. "writes" begins the transaction with its first read, which saves a round trip later.
 */
export type TransactionMode = "autocommit" | "writes" | undefined;
