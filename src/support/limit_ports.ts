/** So many within a window, which begins with the first. */
export type Limit = { most: number; windowMs: number };
export type Counted = { count: number; until: Date };

/** Counters under keyed hashes: they tell neither accounts nor addresses. */
export type LimitRepository = {
  /** Counts one more, and nobody else counts under this key before the transaction ends. */
  count(key: string, limit: Limit, now: Date): Promise<Counted>;
  /** One less. */
  giveBack(key: string): Promise<void>;
  removeExpired(now: Date): Promise<void>;
};
