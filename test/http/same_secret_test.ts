import { expect, test } from "bun:test";
import { isSame } from "../../src/http/security.ts";

test.each([
  ["secret", "secret", true],
  ["secret", "secreT", false],
  ["secret", "secre", false],
  ["é", "é", true],
  // As many characters, but not as many bytes.
  ["é", "e", false],
  ["", "", true],
])("isSame(%p, %p) is %p", (one, other, same) => {
  expect(isSame(one, other)).toBe(same);
});
