import { describe, expect, test } from "bun:test";
import { inGroups, lookUp, newPace, together } from "../../src/shared/batching.ts";

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

describe("inGroups()", () => {
  const still = () => new Date(0);

  test("increases the batch size while batches are quick, and decreases it otherwise", async () => {
    let at = 0;
    const sizes: number[] = [];
    const work = async ({ length }: number[]) => {
      sizes.push(length);
      at += length < 150 ? 10 : 60;
    };
    await inGroups(numbers(900), work, () => new Date(at));
    expect(sizes).toEqual([50, 100, 200, 100, 200, 100, 150]);
  });

  test("starts the next list with the last batch size, which a short list does not change", async () => {
    const sizes: number[] = [];
    const work = async ({ length }: number[]) => {
      sizes.push(length);
    };
    const pace = newPace();
    for (const length of [350, 7, 900]) await inGroups(numbers(length), work, still, pace);
    expect(sizes).toEqual([50, 100, 200, 7, 400, 500]);
  });

  test("processes all items except the faulty ones, and then throws the reason", async () => {
    const done: number[] = [];
    const work = async (items: number[]) => {
      const bad = items.find((item) => item % 120 === 7);
      if (bad !== undefined) throw new Error(`Not ${bad}`);
      done.push(...items);
    };
    await expect(inGroups(numbers(250), work, still)).rejects.toThrow("Not 7");
    expect(done.toSorted((one, other) => one - other)).toEqual(numbers(250).filter((item) => item % 120 !== 7));
    await inGroups([], work, still);
  });

  test("stops immediately if every item of a batch fails", async () => {
    let calls = 0;
    const down = async () => {
      calls += 1;
      throw new Error("The database is away");
    };
    await expect(inGroups(numbers(250), down, still)).rejects.toThrow("away");
    expect(calls).toBe(51);
  });
});
