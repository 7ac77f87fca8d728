import { describe, expect, test } from "bun:test";
import { pipeline, type Work } from "../../src/shared/pipeline.ts";
import { MINUTE, testClock } from "../support/clock.ts";

type Item = { name: string; lease: number };

/** A table of names with leases of a minute, as a database has it. */
function tableOf(names: string[]) {
  const clock = testClock();
  const due = new Map(names.map((name) => [name, { lease: 0, until: 0 }]));
  const recorded: string[] = [];
  let leases = 0;
  return {
    clock,
    due,
    recorded,
    async claim(limit: number): Promise<Item[]> {
      const at = clock.now().getTime();
      const free = [...due].filter(([, { until }]) => until <= at).slice(0, limit);
      return free.map(([name]) => {
        const lease = ++leases;
        due.set(name, { lease, until: at + MINUTE });
        return { name, lease };
      });
    },
    async giveBack(items: Item[]): Promise<void> {
      for (const { name, lease } of items) if (due.get(name)?.lease === lease) due.set(name, { lease, until: 0 });
    },
    /** Only who holds the lease records. */
    async record(items: Item[]): Promise<void> {
      for (const { name, lease } of items) if (due.get(name)?.lease === lease && due.delete(name)) recorded.push(name);
    },
  };
}

type Table = ReturnType<typeof tableOf>;

function workOn(table: Table, overrides: Partial<Work<Item, Item>> & { atOnce?: number; ahead?: number } = {}) {
  const { atOnce = 5, ahead = 0, ...rest } = overrides;
  return pipeline<Item, Item>({
    lanes: [{ claim: table.claim, atOnce: () => atOnce, ahead }],
    work: async (item) => item,
    record: table.record,
    giveBack: table.giveBack,
    now: table.clock.now,
    ...rest,
  });
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `item${index}`);
const turns = async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe("run()", () => {
  test("does everything that is due, each once, and never more at once than allowed", async () => {
    const table = tableOf(names(40));
    let [open, most] = [0, 0];
    const queue = workOn(table, {
      ahead: 10,
      async work(item) {
        most = Math.max(most, ++open);
        await turns();
        open -= 1;
        return item;
      },
    });
    expect(await queue.run()).toBe(40);
    expect(most).toBe(5);
    expect(table.recorded.toSorted()).toEqual(names(40).toSorted());
  });

  test("takes what becomes due meanwhile, when it is woken and by itself after the last item", async () => {
    const table = tableOf(["first"]);
    const gate = Promise.withResolvers<void>();
    const begun: string[] = [];
    const queue = workOn(table, {
      async work(item) {
        begun.push(item.name);
        if (item.name === "first") await gate.promise;
        if (item.name === "second") table.due.set("third", { lease: 0, until: 0 });
        return item;
      },
    });
    const done = queue.run();
    await turns();
    table.due.set("second", { lease: 0, until: 0 });
    void queue.run();
    await Bun.sleep(60);
    queue.wake();
    await turns();
    expect(begun).toContain("second");
    gate.resolve();
    expect(await done).toBe(3);
    expect(table.recorded.toSorted()).toEqual(["first", "second", "third"]);
  });

  test("lets a hanging lane hold up no other", async () => {
    const [slow, quick] = [tableOf(["hangs", "waits"]), tableOf(names(10))];
    const gate = Promise.withResolvers<void>();
    const queue = pipeline<Item, Item>({
      lanes: [
        { claim: slow.claim, atOnce: () => 1 },
        { claim: quick.claim, atOnce: () => 2 },
      ],
      async work(item) {
        if (item.name === "hangs") await gate.promise;
        return item;
      },
      async record(items) {
        await slow.record(items);
        await quick.record(items);
      },
      now: quick.clock.now,
    });
    const done = queue.run();
    while (quick.recorded.length < 10) await new Promise((resolve) => setImmediate(resolve));
    expect(slow.recorded).toEqual([]);
    gate.resolve();
    expect(await done).toBe(12);
    expect(slow.recorded).toEqual(["hangs", "waits"]);
  });

  test("records the others when one item cannot be recorded", async () => {
    const table = tableOf(names(8));
    const refused: string[] = [];
    const queue = workOn(table, {
      async record(items) {
        if (items.some(({ name }) => name === "item3")) throw new Error("poison");
        await table.record(items);
      },
      async refuse({ name }, error) {
        refused.push(`${name}: ${error instanceof Error ? error.message : error}`);
      },
    });
    await queue.run();
    expect(refused).toEqual(["item3: poison"]);
    expect(table.recorded).toHaveLength(7);
  });

  test("claims nothing more after an error, ends what is under way, gives back the rest, and rejects", async () => {
    const table = tableOf(names(30));
    const queue = workOn(table, {
      ahead: 10,
      async work(item) {
        await turns();
        if (item.name === "item2") throw new Error("the database is down");
        return item;
      },
    });
    expect(await queue.run().catch(String)).toBe("Error: the database is down");
    // Two of them had begun before the error.
    expect(table.recorded).toEqual(["item0", "item1", "item3", "item4", "item5", "item6"]);
    // All but the one that failed may be claimed at once.
    expect((await table.claim(30)).map(({ name }) => name)).not.toContain("item2");
    expect(table.due.size).toBe(24);
  });

  test("rejects when a claim fails, and works again thereafter", async () => {
    const table = tableOf(names(3));
    let isDown = true;
    const claim = (limit: number) => (isDown ? Promise.reject(new Error("down")) : table.claim(limit));
    const queue = workOn(table, { lanes: [{ claim, atOnce: () => 5 }] });
    expect(await queue.run().catch(String)).toBe("Error: down");
    isDown = false;
    expect(await queue.run()).toBe(3);
  });

  test("gives back what it has not begun when it is over", async () => {
    const table = tableOf(names(20));
    let isOver = false;
    const queue = workOn(table, {
      atOnce: 2,
      ahead: 10,
      async work(item) {
        await turns();
        isOver = true;
        return item;
      },
    });
    expect(await queue.run(() => isOver)).toBe(12);
    expect(table.recorded).toEqual(["item0", "item1"]);
    expect(await table.claim(20)).toHaveLength(18);
  });

  test("renews the leases of slow items, so that no other process takes them", async () => {
    const table = tableOf(["slow"]);
    const gate = Promise.withResolvers<void>();
    const queue = workOn(table, {
      async work(item) {
        await gate.promise;
        return item;
      },
      async tend(items) {
        for (const { name, lease } of items)
          table.due.set(name, { lease, until: table.clock.now().getTime() + MINUTE });
      },
    });
    const done = queue.run();
    await turns();
    for (let times = 0; times < 4; times++) {
      table.clock.pass(MINUTE / 2);
      queue.wake();
      await turns();
      expect(await table.claim(1)).toEqual([]);
    }
    gate.resolve();
    await done;
    expect(table.recorded).toEqual(["slow"]);
  });
});

describe("stop()", () => {
  test("begins nothing more, and waits for what is under way", async () => {
    const table = tableOf(names(10));
    const gate = Promise.withResolvers<void>();
    const queue = workOn(table, {
      atOnce: 2,
      ahead: 2,
      async work(item) {
        await gate.promise;
        return item;
      },
    });
    const done = queue.run();
    await turns();
    expect(queue.underWay().map(({ name }) => name)).toEqual(["item0", "item1"]);
    let hasStopped = false;
    const stopped = queue.stop().then(() => {
      hasStopped = true;
    });
    await turns();
    expect(hasStopped).toBe(false);
    gate.resolve();
    await stopped;
    expect(await done).toBe(4);
    expect(table.recorded).toEqual(["item0", "item1"]);
    expect(await queue.run()).toBe(0);
  });
});

describe("several processes", () => {
  test("do each item once between them", async () => {
    const table = tableOf(names(60));
    const processes = [1, 2, 3].map(() =>
      workOn(table, {
        ahead: 5,
        async work(item) {
          await turns();
          return item;
        },
      }),
    );
    const taken = await Promise.all(processes.map((queue) => queue.run()));
    expect(taken.reduce((sum, count) => sum + count, 0)).toBe(60);
    expect(table.recorded.toSorted()).toEqual(names(60).toSorted());
  });

  test("lose nothing, wherever one of them dies", async () => {
    const steps = ["claim", "work", "record", "giveBack"] as const;
    for (const step of steps)
      for (const when of ["before", "after"])
        for (let nth = 1; nth <= 3; nth++) {
          const table = tableOf(names(9));
          let count = 0;
          let isDead = false;
          /** Nothing that a dead process does takes effect, and nothing answers it. */
          const mortal =
            <Given, Answer>(name: string, work: (given: Given) => Promise<Answer>) =>
            async (given: Given): Promise<Answer> => {
              const isLast = name === step && ++count === nth;
              if (isLast && when === "before") isDead = true;
              if (isDead) throw new Error("dead");
              const answer = await work(given);
              if (isLast) isDead = true;
              if (isDead) throw new Error("dead");
              return answer;
            };
          const dying = pipeline<Item, Item>({
            lanes: [{ claim: mortal("claim", table.claim), atOnce: () => 2, ahead: 3 }],
            work: mortal("work", async (item: Item) => item),
            record: mortal("record", table.record),
            giveBack: mortal("giveBack", table.giveBack),
            now: table.clock.now,
          });
          await dying.run(() => table.recorded.length > 4).catch(() => undefined);
          table.clock.pass(MINUTE);
          await workOn(table).run();
          expect([step, when, nth, table.recorded.toSorted()]).toEqual([step, when, nth, names(9)]);
        }
  });
});
