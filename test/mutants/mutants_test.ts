import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { placesOf, ROOT } from "./mutant.ts";
import { MUTANTS } from "./mutants.ts";

/** Whether the tests kill them is checked by `bun run mutants`, which takes some minutes. */
describe("The mutants of the important rules", () => {
  test("are forty-five, each with a unique name", () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(45);
  });

  test.each(MUTANTS)("can still be applied: $name", ({ file, find, replace, tests }) => {
    expect(placesOf({ file, find })).toBe(1);
    const mutated = readFileSync(join(ROOT, file), "utf8").replace(find, () => replace);
    // A mutant that does not parse fails any test, and shows nothing.
    expect(() => new Bun.Transpiler({ loader: "ts" }).transformSync(mutated)).not.toThrow();
    expect(replace).not.toBe(find);
    expect(tests.filter((path) => !existsSync(join(ROOT, "test", path)))).toEqual([]);
  });

  test("are reported if their text is missing, or occurs twice", () => {
    const file = "src/http/session.ts";
    expect(placesOf({ file, find: "no such text in it" })).toBe(0);
    expect(placesOf({ file, find: "next()" })).toBeGreaterThan(1);
  });
});
