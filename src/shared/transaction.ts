/**
 * The only access to data: `work` gets the module's store; returning commits, throwing rolls everything back, events included.
 * No network calls inside, and no nested transaction (it throws; on PGlite it would deadlock).
 */
export type Transaction<Store> = <T>(work: (store: Store) => Promise<T>) => Promise<T>;
