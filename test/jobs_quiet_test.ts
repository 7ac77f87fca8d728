import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { runJobs } from "../src/runtime/jobs.ts";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A runner that waits for a quarter of a second after the start, and how often its job has started. */
function quiet() {
  let begun = 0;
  const run = () => Promise.resolve(++begun);
  const runner = runJobs([{ name: "scan", everyMs: 60_000, run }], () => {}, { quietMs: 250 });
  return { runner, begun: () => begun };
}

async function settle() {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

test("jobs start automatically after the start-up delay, and by a nudge at any time", async () => {
  const { runner, begun } = quiet();
  jest.advanceTimersByTime(249);
  expect(begun()).toBe(0);
  runner.nudge("scan");
  expect(begun()).toBe(1);
  await settle();
  jest.advanceTimersByTime(1);
  expect(begun()).toBe(2);
  await runner.stop();
});

test("a runner that was stopped during the start-up delay starts nothing", async () => {
  const { runner, begun } = quiet();
  await runner.stop();
  jest.advanceTimersByTime(5000);
  expect(begun()).toBe(0);
});
