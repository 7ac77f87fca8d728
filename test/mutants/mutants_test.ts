import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { placesOf, ROOT } from "./mutant.ts";
import { MUTANTS } from "./mutants.ts";

/** Whether the tests kill them, `bun run mutants` tells: it takes some minutes. */
describe("The mutants of the rules that matter", () => {
  test("are forty, each with a name of its own", () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(40);
  });

  test.each(MUTANTS)("still have their place: $name", ({ file, find, replace, tests }) => {
    expect(placesOf({ file, find })).toBe(1);
    const mutated = readFileSync(join(ROOT, file), "utf8").replace(find, () => replace);
    // What cannot be read is noticed by any test, and shows nothing.
    expect(() => new Bun.Transpiler({ loader: "ts" }).transformSync(mutated)).not.toThrow();
    expect(replace).not.toBe(find);
    expect(tests.filter((path) => !existsSync(join(ROOT, "test", path)))).toEqual([]);
  });

  test("would be told apart from a text that is gone, or stands twice", () => {
    const file = "src/http/session.ts";
    expect(placesOf({ file, find: "no such text in it" })).toBe(0);
    expect(placesOf({ file, find: "next()" })).toBeGreaterThan(1);
  });
});
