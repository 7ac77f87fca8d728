/** A fixed window, which begins with the first event. */
export type Limit = { most: number; windowMs: number };
export type Counted = { count: number; until: Date };

/** Counters by HMACs, which reveal neither accounts nor addresses. */
export type LimitRepository = {
  /** Counts one more, with a row lock on the key until the end of the transaction. */
  count(key: string, limit: Limit, now: Date): Promise<Counted>;
  /** Counts one less. */
  giveBack(key: string): Promise<void>;
  removeExpired(now: Date): Promise<void>;
};
