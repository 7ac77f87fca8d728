import { afterEach, beforeEach, expect, spyOn, test } from "bun:test";
import { holdBackCompiler, letCompile, letCompileFor } from "../src/compiler.ts";

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
