import { afterEach, beforeEach, expect, jest, spyOn, test } from "bun:test";
import { compiledWhenLong, holdBackCompiler, letCompile, letCompileFor } from "../src/runtime/jit_policy.ts";

const policy = spyOn(Bun.unsafe, "setJITPolicy");
const last = () => policy.mock.calls.at(-1)?.[0];

beforeEach(() => {
  policy.mockClear();
  holdBackCompiler();
});
afterEach(letCompile);

test.each(["/livez", "/readyz", "/metrics", "/readyz?verbose"])(
  "a request for %s does not enable the JIT compiler",
  (path) => {
    letCompileFor(`http://localhost:3000${path}`);
    expect(last()).toBeGreaterThan(1);
  },
);

test.each(["/", "/en/login", "/api/associations", "/en/readyz/more"])(
  "a request for %s enables the JIT compiler",
  (path) => {
    letCompileFor(`http://localhost:3000${path}`);
    expect(last()).toBe(1);
  },
);

test("once enabled it stays enabled, which is logged once", () => {
  letCompile();
  letCompile();
  letCompileFor("http://localhost:3000/en/login");
  expect(policy.mock.calls.map(([scale]) => scale > 1)).toEqual([true, false]);
});

test("a job with work is compiled while it runs, a polling one is not", async () => {
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
