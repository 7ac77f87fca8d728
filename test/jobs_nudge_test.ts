import { expect, test } from "bun:test";
import { runJobs } from "../src/jobs.ts";

test("a job that runs is told of a nudge, and runs again when it has ended", async () => {
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
