import { describe, expect, test } from "bun:test";
import { type MemoryTables, memoryDatabase } from "../memory/database.ts";

type Row = { id: string; list: string[]; at: Date; nothing: undefined };
const aRow = (id: string): Row => ({ id, list: [id], at: new Date(7), nothing: undefined });
const rowsOf = (tables: MemoryTables) => tables<Row>("rows");

function openRows() {
  const database = memoryDatabase();
  const transaction = database.transactionOf(rowsOf);
  return {
    database,
    transaction,
    put: (...ids: string[]) => transaction(async (rows) => ids.forEach((id) => void rows.set(id, aRow(id)))),
    ids: () => transaction(async (rows) => rows.filter().map(({ id }) => id)),
  };
}

describe("a memory table", () => {
  test("returns what was set, by get(), find() and filter()", async () => {
    const { transaction, put } = openRows();
    await put("a", "b", "c");
    await transaction(async (rows) => {
      expect(rows.get("b")).toStrictEqual(aRow("b"));
      expect(rows.get("x")).toBeUndefined();
      expect(rows.find(({ id }) => id > "a")).toStrictEqual(aRow("b"));
      expect(rows.find(() => false)).toBeUndefined();
      expect(rows.filter(({ id }) => id !== "b")).toStrictEqual([aRow("a"), aRow("c")]);
      expect(rows.filter(() => false)).toEqual([]);
    });
  });

  test("keeps a row's position when it is set again, and removes a deleted one", async () => {
    const { transaction, put, ids } = openRows();
    await put("a", "b", "c");
    await put("a");
    expect(await ids()).toEqual(["a", "b", "c"]);
    expect(await transaction(async (rows) => [rows.delete("a"), rows.delete("a")])).toEqual([true, false]);
    await put("a");
    expect(await ids()).toEqual(["b", "c", "a"]);
  });

  test("shares no object with its callers", async () => {
    const { transaction } = openRows();
    const row = aRow("a");
    await transaction(async (rows) => {
      rows.set("a", row);
      row.list.push("later");
      row.at.setTime(0);
      for (const given of [rows.get("a"), rows.find(() => true), ...rows.filter()]) {
        expect(given).toStrictEqual(aRow("a"));
        given?.list.push("later");
        given?.at.setTime(0);
      }
      expect(rows.get("a")).toStrictEqual(aRow("a"));
    });
  });

  test("is the same for every caller of its name, and different in every other database", async () => {
    const { database, put } = openRows();
    await put("a");
    const names = database.transactionOf((tables) => ({ rows: tables<Row>("rows"), others: tables<Row>("others") }));
    expect(await names(async ({ rows, others }) => [rows.filter().length, others.filter().length])).toEqual([1, 0]);
    expect(await openRows().ids()).toEqual([]);
  });
});

describe("transaction()", () => {
  test("returns the result of its callback, and keeps its changes", async () => {
    const { transaction, ids } = openRows();
    const answer = await transaction(async (rows) => {
      rows.set("a", aRow("a"));
      return "done";
    });
    expect(answer).toBe("done");
    expect(await ids()).toEqual(["a"]);
  });

  test("restores everything if the callback throws: changed, added and deleted rows in every table, in their order", async () => {
    const { database, put, ids } = openRows();
    await put("a", "b", "c");
    const failure = new Error("Cannot go on");
    const both = database.transactionOf((tables) => ({ rows: tables<Row>("rows"), others: tables<Row>("others") }));
    const failing = both(async ({ rows, others }) => {
      rows.delete("a");
      rows.set("b", { ...aRow("b"), list: [] });
      rows.set("d", aRow("d"));
      others.set("e", aRow("e"));
      await Promise.resolve();
      throw failure;
    });
    await expect(failing).rejects.toBe(failure);
    expect(await ids()).toEqual(["a", "b", "c"]);
    await both(async ({ rows, others }) => {
      expect(rows.get("b")).toStrictEqual(aRow("b"));
      expect(others.filter()).toEqual([]);
    });
  });

  test("also restores a table that the callback was the first to use, even if it throws synchronously", async () => {
    const database = memoryDatabase();
    const anyTable = database.transactionOf((tables) => tables);
    const failing = anyTable((tables) => {
      tables<Row>("late").set("a", aRow("a"));
      throw new Error("Cannot go on");
    });
    await expect(failing).rejects.toThrow("Cannot go on");
    expect(await anyTable(async (tables) => tables<Row>("late").filter())).toEqual([]);
  });

  test("are serialised: none sees or overwrites unfinished changes of another", async () => {
    const { transaction, put } = openRows();
    await put("a");
    const append = (word: string) =>
      transaction(async (rows) => {
        const row = rows.get("a") ?? aRow("a");
        await Promise.resolve();
        await Promise.resolve();
        rows.set("a", { ...row, list: [...row.list, word] });
      });
    const words = Array.from({ length: 20 }, (_, number) => `word ${number}`);
    await Promise.all(words.map(append));
    expect((await transaction(async (rows) => rows.get("a")))?.list).toEqual(["a", ...words]);
  });

  test("continues after one that threw, and keeps the changes of the others", async () => {
    const { transaction, put, ids } = openRows();
    const failing = transaction(async (rows) => {
      rows.set("b", aRow("b"));
      throw new Error("Cannot go on");
    });
    const outcomes = await Promise.allSettled([put("a"), failing, put("c")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await ids()).toEqual(["a", "c"]);
  });

  test("is refused inside another one, on any database, and the outer one may continue", async () => {
    const { transaction, ids } = openRows();
    const other = openRows();
    await transaction(async (rows) => {
      rows.set("a", aRow("a"));
      for (const nested of [() => transaction(async () => {}), () => other.ids()]) {
        await expect((async () => nested())()).rejects.toThrow("Cannot open a transaction inside a transaction");
      }
    });
    expect(await ids()).toEqual(["a"]);
  });

  test("may follow another in the same call", async () => {
    const { put, ids } = openRows();
    await put("a");
    await put("b");
    expect(await ids()).toEqual(["a", "b"]);
  });
});
