import { expect, test } from "bun:test";
import type { Finding } from "./bench.ts";
import { clocks } from "./clocks.ts";
import { hasFaketime } from "./fake_clock.ts";
import { halfOpen } from "./half_open.ts";
import { oneSchedule } from "./one_schedule.ts";
import { restarts } from "./restarts.ts";
import { rolling } from "./rolling.ts";
import { workerEnds } from "./worker_ends.ts";

/** How long things take is for the scripts: here many tests run beside. What is lost, doubled or refused counts anywhere. */
const missed = (findings: Finding[]) => findings.filter(({ pass, what }) => !pass && !/\bseconds\b/.test(what));

/** They wait more than they work: two are under way at a time. */
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

/** The whole forms are what the scripts do by themselves: `bun test/faults/rolling.ts`. */
test.concurrent("processes are replaced under load and no request fails", async () => {
  expect(missed(await inTurn(() => rolling(1, 20)))).toEqual([]);
}, 600_000);

test.concurrent("a half-open and a stopped database are told soon, and all heals by itself", async () => {
  expect(missed(await inTurn(() => halfOpen(1)))).toEqual([]);
}, 600_000);

test.concurrent("a database that is restarted under load loses nothing and hangs nothing", async () => {
  expect(missed(await inTurn(() => restarts(2, 3)))).toEqual([]);
}, 600_000);

test.concurrent("a process that is told to stop gives its work back at once", async () => {
  expect(missed(await inTurn(() => workerEnds(["stop"])))).toEqual([]);
}, 600_000);

test.concurrent("three processes started at once migrate once, and check each address once at the key's rate", async () => {
  expect(missed(await inTurn(() => oneSchedule(60, 1200)))).toEqual([]);
}, 600_000);

test.concurrent.if(hasFaketime)(
  "a clock that jumps lengthens no session and no code, and takes no work away",
  async () => {
    expect(missed(await inTurn(() => clocks(["+1d"])))).toEqual([]);
  },
  600_000,
);
