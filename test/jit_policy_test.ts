import { afterEach, beforeEach, expect, jest, spyOn, test } from "bun:test";
import { compiledWhenLong, holdBackCompiler, letCompile, letCompileFor } from "../src/runtime/jit_policy.ts";

const policy = spyOn(Bun.unsafe, "setJITPolicy");
const last = () => policy.mock.calls.at(-1)?.[0];

beforeEach(() => {
  policy.mockClear();
  holdBackCompiler();
});
afterEach(letCompile);

test.each(["/livez", "/readyz", "/metrics", "/readyz?verbose"])("a probe of %s compiles nothing", (path) => {
  letCompileFor(`http://localhost:3000${path}`);
  expect(last()).toBeGreaterThan(1);
});

test.each(["/", "/en/login", "/api/associations", "/en/readyz/more"])("who asks for %s has it compiled", (path) => {
  letCompileFor(`http://localhost:3000${path}`);
  expect(last()).toBe(1);
});

test("once there is something to do, it stays so, and is said once", () => {
  letCompile();
  letCompile();
  letCompileFor("http://localhost:3000/en/login");
  expect(policy.mock.calls.map(([scale]) => scale > 1)).toEqual([true, false]);
});

test("a job that has something to do is compiled while it runs, one that looks is not", async () => {
  jest.useFakeTimers();
  try {
    await compiledWhenLong(async () => {});
    jest.advanceTimersByTime(10_000);
    expect(last()).toBeGreaterThan(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const run = compiledWhenLong(() => promise);
    jest.advanceTimersByTime(1000);
    expect(last()).toBe(1);
    resolve();
    await run;
  } finally {
    jest.useRealTimers();
  }
});
