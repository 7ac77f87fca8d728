import { describe, expect, test } from "bun:test";
import { inGroups, joined, lookUp, together } from "../../src/shared/batching.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

describe("together()", () => {
  test("batches calls made at the same time, and those made meanwhile into the next batch", async () => {
    const groups: number[][] = [];
    const gates: (() => void)[] = [];
    const double = together(async (items: number[]) => {
      groups.push(items);
      await new Promise<void>((resolve) => gates.push(resolve));
      return items.map((item) => 2 * item);
    });
    const first = [1, 2, 3].map(double);
    await new Promise((resolve) => setImmediate(resolve));
    const second = [4, 5].map(double);
    gates[0]?.();
    expect(await Promise.all(first)).toEqual([2, 4, 6]);
    await new Promise((resolve) => setImmediate(resolve));
    gates[1]?.();
    expect(await Promise.all(second)).toEqual([8, 10]);
    expect(groups).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
  });

  test("limits batches to fifty, and works again after an idle period", async () => {
    const sizes: number[] = [];
    const same = together(async (items: number[]) => {
      sizes.push(items.length);
      return items;
    });
    expect(await Promise.all(numbers(120).map(same))).toEqual(numbers(120));
    expect(await same(7)).toBe(7);
    expect(sizes).toEqual([50, 50, 20, 1]);
  });

  test("runs batches in parallel up to its limit", async () => {
    const sizes: number[] = [];
    const same = together(
      async (items: number[]) => {
        sizes.push(items.length);
        return items;
      },
      { most: 100 },
    );
    expect(await Promise.all(numbers(120).map(same))).toEqual(numbers(120));
    expect(sizes).toEqual([100, 20]);
  });

  test("keeps batches apart, but runs a full one immediately", async () => {
    const sizes: number[] = [];
    const same = together(
      async (items: number[]) => {
        sizes.push(items.length);
        return items;
      },
      { everyMs: 60_000 },
    );
    expect(await Promise.all(numbers(100).map(same))).toEqual(numbers(100));
    const first = same(7);
    await new Promise((resolve) => setImmediate(resolve));
    expect(sizes).toEqual([50, 50]);
    // The batch becomes full while it waits.
    expect(await Promise.all([first, ...numbers(49).map(same)])).toEqual([7, ...numbers(49)]);
    expect(sizes).toEqual([50, 50, 50]);
  });

  test("runs calls individually if the batch fails, so that only the faulty one fails", async () => {
    const check = together(async (items: number[]) => {
      if (items.includes(2)) throw new Error(`Not ${items}`);
      return items;
    });
    const results = await Promise.allSettled([1, 2, 3].map(check));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]).toMatchObject({ reason: new Error("Not 2") });
    expect(await check(4)).toBe(4);
  });
});

describe("inGroups()", () => {
  test("processes all items except the faulty ones, and then throws the reason", async () => {
    const done: number[] = [];
    const work = async (items: number[]) => {
      const bad = items.find((item) => item % 120 === 7);
      if (bad !== undefined) throw new Error(`Not ${bad}`);
      done.push(...items);
    };
    await expect(inGroups(numbers(250), 50, work)).rejects.toThrow("Not 7");
    expect(done.toSorted((one, other) => one - other)).toEqual(numbers(250).filter((item) => item % 120 !== 7));
    await inGroups([], 50, work);
  });

  test("stops immediately if every item of a batch fails", async () => {
    let calls = 0;
    const down = async () => {
      calls += 1;
      throw new Error("The database is away");
    };
    await expect(inGroups(numbers(250), 50, down)).rejects.toThrow("away");
    expect(calls).toBe(51);
  });
});

function counted(find: (key: string) => number | undefined) {
  const questions: string[][] = [];
  const ask = joined(async (keys: string[]) => {
    questions.push(keys);
    const found = new Map<string, number>();
    for (const key of keys) {
      const answer = find(key);
      if (answer !== undefined) found.set(key, answer);
    }
    return found;
  });
  return { questions, ask };
}

describe("joined()", () => {
  test("queries once for all calls made in the same tick, and returns each its own result", async () => {
    const { questions, ask } = counted((key) => (key === "unknown" ? undefined : key.length));
    const answers = await Promise.all(["a", "bb", "unknown", "bb"].map(ask));
    expect(answers).toEqual([1, 2, undefined, 2]);
    expect(questions).toEqual([["a", "bb", "unknown"]]);
  });

  test("never returns results older than the call: a call during a query gets the next one", async () => {
    let value = 1;
    const begun: (() => void)[] = [];
    const ask = joined(async (keys: string[]) => {
      const seen = new Map(keys.map((key) => [key, value]));
      await new Promise<void>((resolve) => begun.push(resolve));
      return seen;
    });
    const first = ask("a");
    await new Promise(setImmediate);
    value = 2;
    const second = ask("a");
    await new Promise(setImmediate);
    for (const goOn of begun) goOn();
    expect([await first, await second]).toEqual([1, 2]);
  });

  test("rejects all calls of a failed batch, and none after it", async () => {
    let isDown = true;
    const { ask } = counted((key) => {
      if (isDown) throw new Error("The database is away");
      return key.length;
    });
    const failed = await Promise.allSettled([ask("a"), ask("bb")]);
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    isDown = false;
    expect(await ask("a")).toBe(1);
  });
});

describe("lookUp()", () => {
  test("queries each id once per batch", async () => {
    const asked: string[][] = [];
    const find = lookUp(
      async (ids) => {
        asked.push(ids);
        return ids.filter((id) => id !== "gone").map((id) => ({ id }));
      },
      ({ id }) => id,
    );
    expect(await Promise.all(["a", "b", "a", "gone"].map(find))).toEqual([
      { id: "a" },
      { id: "b" },
      { id: "a" },
      undefined,
    ]);
    expect(asked).toEqual([["a", "b", "gone"]]);
  });
});
