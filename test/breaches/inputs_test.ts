import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { alertChange, alertQuery } from "../../src/breaches/inputs.ts";

describe("alertQuery", () => {
  test("asks for the first page of everything by default", () => {
    expect(v.parse(alertQuery, {})).toEqual({ state: "all", search: "", page: 1 });
    expect(v.parse(alertQuery, { state: "handled", search: " adobe ", page: "12" })).toEqual({
      ...{ state: "handled", search: "adobe", page: 12 },
    });
  });

  test.each([
    ["page 0", { page: "0" }],
    ["a page that is no number", { page: "one" }],
    ["a page beyond all", { page: "9999999" }],
    ["a state that is none", { state: "breached" }],
    ["a search without end", { search: "x".repeat(321) }],
    ["a search with the character 0", { search: "\0adobe" }],
  ])("refuses %s", (_, input) => {
    expect(v.safeParse(alertQuery, input).success).toBe(false);
  });
});

describe("alertChange", () => {
  test("names the version that was seen, and nothing else", () => {
    expect(v.parse(alertChange, { version: 3 })).toEqual({ version: 3 });
    for (const input of [{}, { version: "3" }, { version: 1.5 }, { version: 1, state: "handled" }, null, []]) {
      expect(v.safeParse(alertChange, input).success).toBe(false);
    }
  });
});
