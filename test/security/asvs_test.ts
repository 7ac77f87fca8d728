import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deviations, ROWS, SHEET, sheet } from "./asvs.ts";
import { demanded, LEVELS } from "./asvs_levels.ts";
import type { Proof } from "./asvs_row.ts";

const TESTS = join(import.meta.dirname, "..");
const ROOT = join(TESTS, "..");

const texts = new Map<string, string>();
/** Undefined if there is no such file. */
function textOf(file: string): string | undefined {
  const path = join(TESTS, file);
  if (!texts.has(file) && existsSync(path)) texts.set(file, readFileSync(path, "utf8"));
  return texts.get(file);
}

/** The titles in a test file: the first string of each test, or table of tests. */
function titlesIn(text: string): string[] {
  return [...text.matchAll(/(?:\btest(?:\.\w+)?|\))\(\s*(?:"((?:\\.|[^"\\])*)"|'([^']*)'|`([^`]*)`)/g)].map(
    ([, double, single, template]) => double ?? single ?? template ?? "",
  );
}

function isThere([file, title]: Proof): boolean {
  const text = textOf(file);
  return file.endsWith("_test.ts") && text !== undefined && titlesIn(text).some((one) => one.includes(title));
}

/** The list below a heading of docs/security/asvs.md. */
function listed(heading: string): string[] {
  const [, below = ""] = readFileSync(join(ROOT, "docs/security/asvs.md"), "utf8").split(`\n### ${heading}\n`);
  return (below.split("\n#")[0] ?? "").split("\n").filter((line) => line.startsWith("- "));
}

const tests = ROWS.flatMap(({ id, verdict }) =>
  verdict.kind === "proof" ? verdict.tests.map((one) => ({ id, one })) : [],
);

describe("the sheet of OWASP ASVS 5.0.0", () => {
  test("contains each requirement of levels 1 and 2 once, in order, with its level", () => {
    expect(ROWS.map(({ id, level }): [string, number] => [id, level])).toEqual(demanded());
    const all = Object.values(LEVELS).join("");
    const of = (level: string) => [...all].filter((one) => one === level).length;
    expect([of("1"), of("2"), of("3")]).toEqual([70, 183, 92]);
  });

  test("refers to existing tests only", () => {
    expect(tests.length).toBeGreaterThan(200);
    expect(tests.filter(({ one }) => !isThere(one))).toEqual([]);
  });

  test("detects a missing file or title", () => {
    expect(isThere(["crypto_test.ts", "decrypts what it encrypted"])).toBe(true);
    expect(isThere(["crypto_test.ts", "decrypts what nobody encrypted"])).toBe(false);
    expect(isThere(["no_such_test.ts", "decrypts what it encrypted"])).toBe(false);
    expect(isThere(["support/world.ts", "memoryGround"])).toBe(false);
  });

  test("leaves no row without a summary or a verdict", () => {
    const silent = ROWS.filter(
      ({ about, verdict }) =>
        about.trim() === "" || (verdict.kind === "proof" ? verdict.tests.length === 0 : verdict.says.trim().length < 6),
    );
    expect(silent).toEqual([]);
    expect(tests.filter(({ one: [, title] }) => title.length < 5)).toEqual([]);
  });

  test("deviates exactly where docs/security/asvs.md says so", () => {
    expect(listed("Deviations")).toEqual(deviations());
  });

  test("is current as a document: bun run asvs", () => {
    expect(readFileSync(SHEET, "utf8")).toBe(sheet());
  });
});
