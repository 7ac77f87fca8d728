import { expect, jest, test } from "bun:test";
import { runJobs } from "../src/runtime/jobs.ts";

test("a running job receives a nudge, and runs again when it has ended", async () => {
  const ends: (() => void)[] = [];
  let told = 0;
  const run = () => new Promise<void>((resolve) => ends.push(resolve));
  const job = { name: "deliver", everyMs: 60_000, run, lookAgain: () => void told++ };
  const runner = runJobs([job], () => {});
  expect([ends.length, told]).toEqual([1, 0]);
  runner.nudge("deliver");
  expect([ends.length, told]).toEqual([1, 1]);
  ends[0]?.();
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  expect([ends.length, told]).toEqual([2, 1]);
  ends[1]?.();
  await runner.stop();
});

test("a job with a debounce delay starts immediately, and nudges meanwhile cause a single run after it", async () => {
  jest.useFakeTimers();
  try {
    let runs = 0;
    const runner = runJobs([{ name: "events", everyMs: 60_000, pauseMs: 50, run: async () => void runs++ }], () => {});
    const settle = async () => {
      for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    };
    await settle();
    for (let time = 0; time < 5; time++) runner.nudge("events");
    await settle();
    expect(runs).toBe(1);
    jest.advanceTimersByTime(50);
    await settle();
    expect(runs).toBe(2);
    jest.advanceTimersByTime(50);
    await settle();
    expect(runs).toBe(2);
    runner.nudge("events");
    expect(runs).toBe(3);
    jest.advanceTimersByTime(50);
    await runner.stop();
  } finally {
    jest.useRealTimers();
  }
});
