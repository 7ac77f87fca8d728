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
  test("gives what was set, as get(), find() and filter() are asked", async () => {
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

  test("keeps a row's place when it is set again, and forgets a deleted one", async () => {
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

  test("is the same for everybody who asks for its name, and another for every other database", async () => {
    const { database, put } = openRows();
    await put("a");
    const names = database.transactionOf((tables) => ({ rows: tables<Row>("rows"), others: tables<Row>("others") }));
    expect(await names(async ({ rows, others }) => [rows.filter().length, others.filter().length])).toEqual([1, 0]);
    expect(await openRows().ids()).toEqual([]);
  });
});

describe("transaction()", () => {
  test("gives what the work returns, and keeps what it did", async () => {
    const { transaction, ids } = openRows();
    const answer = await transaction(async (rows) => {
      rows.set("a", aRow("a"));
      return "done";
    });
    expect(answer).toBe("done");
    expect(await ids()).toEqual(["a"]);
  });

  test("restores what it found when the work throws: changed, added and deleted rows in every table, in their order", async () => {
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

  test("restores also a table that the work was the first to ask for, and when the work throws at once", async () => {
    const database = memoryDatabase();
    const anyTable = database.transactionOf((tables) => tables);
    const failing = anyTable((tables) => {
      tables<Row>("late").set("a", aRow("a"));
      throw new Error("Cannot go on");
    });
    await expect(failing).rejects.toThrow("Cannot go on");
    expect(await anyTable(async (tables) => tables<Row>("late").filter())).toEqual([]);
  });

  test("takes turns: nobody sees or overwrites what another has not finished", async () => {
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

  test("goes on after one that threw, whose neighbours keep what they did", async () => {
    const { transaction, put, ids } = openRows();
    const failing = transaction(async (rows) => {
      rows.set("b", aRow("b"));
      throw new Error("Cannot go on");
    });
    const outcomes = await Promise.allSettled([put("a"), failing, put("c")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await ids()).toEqual(["a", "c"]);
  });

  test("is refused inside another, on any database, and the outer one may go on", async () => {
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
