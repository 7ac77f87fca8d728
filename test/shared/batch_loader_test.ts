import { describe, expect, test } from "bun:test";
import { joined, lookUp } from "../../src/shared/batch_loader.ts";

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
