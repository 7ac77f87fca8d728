import { expect, test } from "bun:test";
import * as v from "valibot";
import { orderInput } from "../../src/billing/inputs.ts";

test("an order id must be valid in a database", () => {
  const isTaken = (session: string) => v.safeParse(orderInput, { session }).success;
  expect(isTaken("cs_test_a1B2")).toBe(true);
  // Fails in Postgres itself: "invalid byte sequence".
  expect(isTaken("cs_\0")).toBe(false);
  expect(isTaken("x".repeat(301))).toBe(false);
});
