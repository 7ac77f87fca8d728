import { expect, test } from "bun:test";
import { outage } from "./faults/outage.ts";

test("after three days without its source nobody was called safe, and everything published meanwhile is reported once, in one message", async () => {
  const missed = (await outage(72)).filter(({ pass }) => !pass);
  expect(missed).toEqual([]);
});
