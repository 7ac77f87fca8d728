/** Something that has been due since `at`. */
export type Due = { id: string; at: Date };

type Job<Item extends Due> = {
  /** What is due, the longest due first, those that follow `after` in this order. */
  list: (after: Due | undefined, limit: number) => Promise<Item[]>;
  work: (item: Item) => Promise<number>;
  failed: (error: unknown, item: Item) => void;
  /** How many are listed at a time. */
  batch: number;
  /** Polled between two items. */
  isOver: () => boolean;
};

/**
 * Works through everything that is due, or until `isOver`. An item that fails is left to the next run, so that it neither stops
 * this one nor makes it endless. Resolves to the sum of what `work` resolves to.
 */
export async function workThroughDue<Item extends Due>({ list, work, failed, batch, isOver }: Job<Item>) {
  let sum = 0;
  for (let after: Due | undefined; ; ) {
    const due = await list(after, batch);
    for (const item of due) {
      if (isOver()) return sum;
      try {
        sum += await work(item);
      } catch (error) {
        failed(error, item);
      }
    }
    after = due.at(-1);
    if (due.length < batch) return sum;
  }
}
