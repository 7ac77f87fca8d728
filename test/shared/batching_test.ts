import { describe, expect, test } from "bun:test";
import { inGroups, lookUp, newPace, together } from "../../src/shared/batching.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

describe("together()", () => {
  test("does the calls of a moment as one, and those that come meanwhile as the next one", async () => {
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

  test("takes fifty at most at once, and works again after it rested", async () => {
    const sizes: number[] = [];
    const same = together(async (items: number[]) => {
      sizes.push(items.length);
      return items;
    });
    expect(await Promise.all(numbers(120).map(same))).toEqual(numbers(120));
    expect(await same(7)).toBe(7);
    expect(sizes).toEqual([50, 50, 20, 1]);
  });

  test("takes as many at once as it may", async () => {
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

  test("does each by itself where the group fails, so that only the one that cannot be done fails", async () => {
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
  test("asks once for each id of a moment", async () => {
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

  test("takes larger groups while those are quick, and smaller ones again where not", async () => {
    let at = 0;
    const sizes: number[] = [];
    const work = async ({ length }: number[]) => {
      sizes.push(length);
      at += length < 150 ? 10 : 60;
    };
    await inGroups(numbers(900), work, () => new Date(at));
    expect(sizes).toEqual([50, 100, 200, 100, 200, 100, 150]);
  });

  test("goes on with the next list at the pace of the last one, but a short list tells nothing of it", async () => {
    const sizes: number[] = [];
    const work = async ({ length }: number[]) => {
      sizes.push(length);
    };
    const pace = newPace();
    for (const length of [350, 7, 900]) await inGroups(numbers(length), work, still, pace);
    expect(sizes).toEqual([50, 100, 200, 7, 400, 500]);
  });

  test("does all but those that cannot be done, and then says why", async () => {
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

  test("stops at once when nobody of a group gets through", async () => {
    let calls = 0;
    const down = async () => {
      calls += 1;
      throw new Error("The database is away");
    };
    await expect(inGroups(numbers(250), down, still)).rejects.toThrow("away");
    expect(calls).toBe(51);
  });
});
