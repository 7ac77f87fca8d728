import { expect, test } from "bun:test";
import type { Finding } from "./bench.ts";
import { clocks } from "./clocks.ts";
import { hasFaketime } from "./fake_clock.ts";
import { halfOpen } from "./half_open.ts";
import { oneSchedule } from "./one_schedule.ts";
import { restarts } from "./restarts.ts";
import { rolling } from "./rolling.ts";
import { workerEnds } from "./worker_ends.ts";

/**
 * Durations are for the scripts, as many tests run in parallel here. What is lost, duplicated or refused always counts.
 */
const missed = (findings: Finding[]) => findings.filter(({ pass, what }) => !pass && !/\bseconds\b/.test(what));

/** They mostly wait, so two run in parallel. */
let free = 2;
const waiting: (() => void)[] = [];
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}

/** The full forms are the scripts' defaults: `bun test/faults/rolling.ts`. */
test.concurrent("processes are replaced under load and no request fails", async () => {
  expect(missed(await inTurn(() => rolling(1, 20)))).toEqual([]);
}, 600_000);

test.concurrent("a half-open and a frozen database are reported soon, and everything recovers automatically", async () => {
  expect(missed(await inTurn(() => halfOpen(1)))).toEqual([]);
}, 600_000);

test.concurrent("a database that is restarted under load loses nothing and blocks nothing", async () => {
  expect(missed(await inTurn(() => restarts(2, 3)))).toEqual([]);
}, 600_000);

test.concurrent("a process that is told to stop releases its work immediately", async () => {
  expect(missed(await inTurn(() => workerEnds(["stop"])))).toEqual([]);
}, 600_000);

test.concurrent("three processes started concurrently migrate once, and check each address once at the key's rate", async () => {
  expect(missed(await inTurn(() => oneSchedule(60, 1200)))).toEqual([]);
}, 600_000);

test.concurrent.if(hasFaketime)(
  "a jumping clock lengthens no session and no code, and takes over no lease",
  async () => {
    expect(missed(await inTurn(() => clocks(["+1d"])))).toEqual([]);
  },
  600_000,
);
