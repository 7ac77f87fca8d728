import { expect, test } from "bun:test";
import { inBackground, priorityQueue } from "../../src/database/priority_queue.ts";

/** Work that reports when it starts, and ends when told to. */
function works(slots = 1) {
  const { run: enqueue } = priorityQueue(slots);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (name: string) =>
    enqueue(() => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  async function settle(): Promise<void> {
    // A job is followed by a pause.
    for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
  async function end(): Promise<void> {
    ends.shift()?.();
    await settle();
  }
  return { enqueue, begun, ask, end, settle };
}

test("runs one at a time, in the order of the calls", async () => {
  const { begun, ask, end, settle } = works();
  void ask("one");
  void ask("two");
  void ask("three");
  await settle();
  expect(begun).toEqual(["one"]);
  await end();
  expect(begun).toEqual(["one", "two"]);
  await end();
  await end();
  expect(begun).toEqual(["one", "two", "three"]);
  void ask("four");
  await settle();
  expect(begun).toEqual(["one", "two", "three", "four"]);
});

test("runs requests before earlier background work", async () => {
  const { begun, ask, end, settle } = works();
  void inBackground(() => ask("job 1"));
  void inBackground(() => ask("job 2"));
  void ask("request");
  await settle();
  await end();
  expect(begun).toEqual(["job 1", "request"]);
  await end();
  expect(begun).toEqual(["job 1", "request", "job 2"]);
});

test("does not starve background work during many requests", async () => {
  const { begun, ask, end } = works();
  for (let n = 0; n < 40; n++) void ask("request");
  void inBackground(() => ask("job"));
  void inBackground(() => ask("job"));
  for (let n = 0; n < 42; n++) await end();
  expect(begun).toHaveLength(42);
  const places = begun.flatMap((name, place) => (name === "job" ? [place] : []));
  expect(places).toEqual([16, 33]);
});

test("runs a request that arrives while a job ends before the next job", async () => {
  const { enqueue, begun, ask } = works();
  const first = inBackground(() => enqueue(async () => {}));
  void inBackground(() => ask("job"));
  await first;
  void ask("request");
  await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(["request"]);
});

test("reports a failure, and continues with the next", async () => {
  const { enqueue } = works();
  const failing = enqueue(() => Promise.reject(new Error("It broke")));
  const next = enqueue(async () => "done");
  await expect(failing).rejects.toThrow("It broke");
  expect(await next).toBe("done");
});

test("leaves the last of several slots to requests", async () => {
  const { begun, ask, end, settle } = works(3);
  for (const name of ["job 1", "job 2", "job 3"]) void inBackground(() => ask(name));
  await settle();
  expect(begun).toEqual(["job 1", "job 2"]);
  void ask("request 1");
  void ask("request 2");
  await settle();
  expect(begun).toEqual(["job 1", "job 2", "request 1"]);
  await end();
  expect(begun).toEqual(["job 1", "job 2", "request 1", "request 2"]);
  await end();
  expect(begun).toEqual(["job 1", "job 2", "request 1", "request 2", "job 3"]);
});

test("refuses what has waited too long, or waits when it is closed, and runs the rest", async () => {
  const { run, refuse } = priorityQueue();
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = run(() => promise);
  await expect(run(async () => "late", 1)).rejects.toThrow("free within 1 ms");
  const closed = run(async () => "closed", 60_000);
  refuse(new Error("It is closed"));
  await expect(closed).rejects.toThrow("It is closed");
  const next = run(async () => "next");
  resolve();
  await first;
  expect(await next).toBe("next");
});

test("lets the steps of jobs begin one after the other while requests are expected", async () => {
  const { run, yieldToRequests } = priorityQueue();
  expect(yieldToRequests()).toBeUndefined();
  await inBackground(() => run(async () => {}));
  expect(yieldToRequests()).toBeUndefined();
  const from = performance.now();
  await run(async () => {});
  const begun: number[] = [];
  await Promise.all([1, 2, 3].map((step) => Promise.resolve(yieldToRequests()).then(() => begun.push(step))));
  expect(begun).toEqual([1, 2, 3]);
  // Timers may be early by less than a millisecond.
  expect(performance.now() - from).toBeGreaterThan(9);
});
