import { describe, expect, test } from "bun:test";
import * as v from "valibot";
import { text, textOrEmpty } from "../../src/shared/text.ts";
import { trimmed } from "../../src/shared/unicode.ts";

describe("text() and textOrEmpty()", () => {
  test.each([
    ["a half at the end", "Smile \ud83d", "Smile \ufffd"],
    ["the other half", "\ude00 smile", "\ufffd smile"],
    ["a whole pair", "Smile 😀", "Smile 😀"],
  ])("make %s well-formed", (_, typed, stored) => {
    expect(v.parse(text(20), typed)).toBe(stored);
    expect(v.parse(textOrEmpty(20), typed)).toBe(stored);
  });

  test("limit the length as it was typed", () => {
    expect(v.safeParse(text(3, "NAME_INVALID"), "four").issues?.map(({ message }) => message)).toEqual([
      "NAME_INVALID",
    ]);
    expect(v.parse(textOrEmpty(3), "four")).toBe("");
  });
});

test("trimmed() removes spaces and invisible marks from both ends only", () => {
  expect(trimmed(" \u200f\u202aada\u200c@example.org\u202c\u200e\n")).toBe("ada\u200c@example.org");
});
