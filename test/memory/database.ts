import type { Due } from "../../src/shared/due.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import "../../src/database/callers.ts";
import { exclusively } from "../../src/database/guard.ts";

/** A table of the in-memory database: rows are copied on the way in and out, so callers never hold a stored object. */
export type MemoryTable<Row> = {
  get(id: string): Row | undefined;
  set(id: string, row: Row): void;
  delete(id: string): boolean;
  /** Returns how many rows were deleted. */
  removeWhere(matches: (row: Row) => boolean): number;
  /** All matching rows, in the order they were first stored. */
  filter(matches?: (row: Row) => boolean): Row[];
  find(matches: (row: Row) => boolean): Row | undefined;
};

/** Returns tables by name; the same name is the same table. */
export type MemoryTables = <Row>(name: string) => MemoryTable<Row>;

export type MemoryDatabase = {
  transactionOf<Store>(bind: (tables: MemoryTables) => Store): Transaction<Store>;
  /** Takes a snapshot; the returned function restores it, any number of times. */
  snapshot(): () => void;
};

/**
 * The in-memory counterpart of `postgres.ts`: transactions are serialised, and an exception restores the previous
 * state.
 */
export function memoryDatabase(): MemoryDatabase {
  const stored = new Map<string, Map<string, unknown>>();
  let lastTurn: Promise<unknown> = Promise.resolve();

  function rowsOf(name: string): Map<string, unknown> {
    const rows = stored.get(name) ?? new Map<string, unknown>();
    stored.set(name, rows);
    return rows;
  }

  /** Stored rows are never changed, only replaced. */
  function snapshot(): () => void {
    const before = new Map([...stored].map(([name, rows]) => [name, new Map(rows)]));
    return () => {
      for (const [name, rows] of stored) {
        rows.clear();
        for (const [id, row] of before.get(name) ?? []) rows.set(id, row);
      }
    };
  }

  function tables<Row>(name: string): MemoryTable<Row> {
    const rows = rowsOf(name) as Map<string, Row>;
    const copies = (matches: (row: Row) => boolean) =>
      [...rows.values()].filter(matches).map((row) => structuredClone(row));
    return {
      get: (id) => structuredClone(rows.get(id)),
      set: (id, row) => void rows.set(id, structuredClone(row)),
      delete: (id) => rows.delete(id),
      removeWhere(matches) {
        const gone = [...rows].filter(([, row]) => matches(row));
        for (const [id] of gone) rows.delete(id);
        return gone.length;
      },
      filter: (matches = () => true) => copies(matches),
      find(matches) {
        for (const row of rows.values()) if (matches(row)) return structuredClone(row);
        return undefined;
      },
    };
  }

  function transactionOf<Store>(bind: (tables: MemoryTables) => Store): Transaction<Store> {
    const store = bind(tables);
    return (work) =>
      exclusively(() => {
        const turn = lastTurn.then(async () => {
          const restore = snapshot();
          try {
            return await work(store);
          } catch (error) {
            restore();
            throw error;
          }
        });
        lastTurn = turn.catch(() => undefined);
        return turn;
      });
  }

  return { transactionOf, snapshot };
}

const inOrder = (one: Due, other: Due) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1);

/** The longest due first, those after `after`. */
export function dueAfter<Item extends Due>(due: Item[], after: Due | undefined, limit: number): Item[] {
  const further = due.filter((one) => after === undefined || (one.id !== after.id && inOrder(one, after) > 0));
  return further.toSorted(inOrder).slice(0, limit);
}
