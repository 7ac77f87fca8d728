import { afterEach, beforeEach, describe, expect, jest, test } from "bun:test";
import { priorityQueue } from "../src/database/priority_queue.ts";
import type { Job } from "../src/runtime/job_list.ts";
import { type Runner, runJobs } from "../src/runtime/jobs.ts";

type Run = { finish(): void; fail(error: unknown): void };

/** A job whose runs last until the test ends them. */
function jobOf(name: string, everyMs = 60_000) {
  const runs: Run[] = [];
  const job: Job = {
    name,
    everyMs,
    run() {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      runs.push({ finish: resolve, fail: reject });
      return promise;
    },
  };
  return { job, runs, end: (index: number) => runs[index]?.finish() };
}

let runner: Runner;
let errors: [error: unknown, context: Record<string, unknown>][];
function start(...jobs: Job[]): Runner {
  runner = runJobs(jobs, (error, context) => errors.push([error, context]));
  return runner;
}

/** Runs all pending microtasks. */
async function settle() {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

beforeEach(() => {
  // The schedule's timers only advance when the test says so.
  jest.useFakeTimers();
  errors = [];
});
afterEach(() => {
  void runner.stop();
  jest.useRealTimers();
});

test("a job's queries on the embedded database queue behind those of requests", async () => {
  const { run: enqueue } = priorityQueue();
  const order: string[] = [];
  const { promise: isTaken, resolve: free } = Promise.withResolvers<void>();
  const taken = enqueue(() => isTaken);
  start({ name: "scan", everyMs: 60_000, run: () => enqueue(async () => order.push("job")) });
  await settle();
  const request = enqueue(async () => order.push("request"));
  free();
  await Promise.all([taken, request]);
  await settle();
  expect(order).toEqual(["request", "job"]);
});

describe("runJobs()", () => {
  test("starts every job immediately", () => {
    const [scan, deliver] = [jobOf("scan"), jobOf("deliver")];
    start(scan.job, deliver.job);
    expect([scan.runs.length, deliver.runs.length]).toEqual([1, 1]);
  });

  test("runs a job again at its interval", async () => {
    const started = Date.now();
    const times: number[] = [];
    start({ name: "scan", everyMs: 2000, run: async () => void times.push(Date.now() - started) });
    for (let second = 0; second < 9; second++, await settle()) jest.advanceTimersByTime(1000);
    // The first run immediately, the others by the schedule, which starts at the next full second.
    const [first, second = 0] = times;
    expect([first, ...times.slice(1)]).toEqual([0, second, second + 2000, second + 4000, second + 6000]);
  });

  test("keeps its interval when the clock is put back", async () => {
    const { job, runs, end } = jobOf("scan", 2000);
    start(job);
    end(0);
    jest.setSystemTime(Date.now() - 3_600_000);
    for (let second = 0; second < 5; second++, await settle()) jest.advanceTimersByTime(1000);
    expect(runs).toHaveLength(2);
  });

  test("never runs a job concurrently with itself, however long it takes", async () => {
    const { job, runs, end } = jobOf("scan", 1000);
    start(job);
    jest.advanceTimersByTime(30_000);
    await settle();
    expect(runs).toHaveLength(1);
    end(0);
    await settle();
    expect(runs).toHaveLength(2);
    end(1);
    await settle();
    expect(runs).toHaveLength(2);
  });

  test("does not let one job wait for another", async () => {
    const [slow, quick] = [jobOf("slow"), jobOf("quick")];
    start(slow.job, quick.job);
    quick.end(0);
    await settle();
    runner.nudge("quick");
    expect([slow.runs.length, quick.runs.length]).toEqual([1, 2]);
  });

  test("reports an error with the job's name, and the job continues", async () => {
    const { job, runs } = jobOf("scan");
    const error = new Error("The source is down");
    start(job);
    runs[0]?.fail(error);
    await settle();
    expect(errors).toEqual([[error, { job: "scan" }]]);
    runner.nudge("scan");
    expect(runs).toHaveLength(2);
  });

  test("reports a job that throws synchronously", async () => {
    const error = new Error("A bug");
    const other = jobOf("other");
    const broken: Job = {
      name: "broken",
      everyMs: 60_000,
      run() {
        throw error;
      },
    };
    start(broken, other.job);
    await settle();
    expect(errors).toEqual([[error, { job: "broken" }]]);
    expect(other.runs).toHaveLength(1);
  });
});

describe("nudge()", () => {
  test("runs an idle job immediately", async () => {
    const { job, runs, end } = jobOf("deliver");
    start(job);
    end(0);
    await settle();
    runner.nudge("deliver");
    expect(runs).toHaveLength(2);
  });

  test("during a run causes one more run, however often it is called", async () => {
    const { job, runs, end } = jobOf("deliver");
    start(job);
    for (let time = 0; time < 5; time++) runner.nudge("deliver");
    expect(runs).toHaveLength(1);
    end(0);
    await settle();
    expect(runs).toHaveLength(2);
    end(1);
    await settle();
    expect(runs).toHaveLength(2);
  });

  test("during a run that fails is not lost", async () => {
    const { job, runs } = jobOf("deliver");
    start(job);
    runner.nudge("deliver");
    runs[0]?.fail(new Error("The mail server is down"));
    await settle();
    expect(runs).toHaveLength(2);
  });

  test("of an unknown job does nothing", () => {
    const { job, runs } = jobOf("deliver");
    start(job);
    runner.nudge("nothing");
    expect(runs).toHaveLength(1);
  });
});

describe("stop()", () => {
  test("waits for the runs in progress", async () => {
    const [scan, deliver] = [jobOf("scan"), jobOf("deliver")];
    start(scan.job, deliver.job);
    let stopped = false;
    const stopping = runner.stop().then(() => {
      stopped = true;
    });
    scan.end(0);
    await settle();
    expect(stopped).toBe(false);
    deliver.end(0);
    await stopping;
    expect(stopped).toBe(true);
  });

  test("starts no further run: neither by a nudge, nor a pending one, nor by the schedule", async () => {
    const { job, runs, end } = jobOf("deliver", 1000);
    start(job);
    runner.nudge("deliver");
    const stopping = runner.stop();
    end(0);
    await stopping;
    runner.nudge("deliver");
    jest.advanceTimersByTime(10_000);
    await settle();
    expect(runs).toHaveLength(1);
    expect(jest.getTimerCount()).toBe(0);
  });

  test("does not fail when a last run does", async () => {
    const { job, runs } = jobOf("deliver");
    start(job);
    const stopping = runner.stop();
    runs[0]?.fail(new Error("Too late"));
    await stopping;
    expect(errors).toHaveLength(1);
  });
});

describe("in maintenance mode", () => {
  test("no job starts except those that always run, and all do when it ends", async () => {
    const [one, always] = [jobOf("deliver"), jobOf("clock")];
    let isPaused = true;
    runner = runJobs([one.job, { ...always.job, always: true }], (error) => errors.push([error, {}]), {
      isPaused: async () => isPaused,
    });
    await settle();
    expect([one.runs.length, always.runs.length]).toEqual([0, 1]);
    isPaused = false;
    runner.nudge("deliver");
    await settle();
    expect(one.runs.length).toBe(1);
    one.end(0);
    always.end(0);
  });

  test("the end of each run is reported, with whether it failed; a run that did not start has no end", async () => {
    const [one, other, resting] = [jobOf("one"), jobOf("other"), jobOf("resting")];
    const ends: [string, boolean][] = [];
    let asked = 0;
    runner = runJobs([one.job, other.job, resting.job], () => {}, {
      isPaused: async () => ++asked === 3,
      onEnd: (name, failed) => ends.push([name, failed]),
    });
    await settle();
    one.end(0);
    other.runs[0]?.fail(new Error("no"));
    await settle();
    expect(ends).toEqual([
      ["one", false],
      ["other", true],
    ]);
  });
});
