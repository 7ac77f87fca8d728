import { expect, test } from "bun:test";
import { outage } from "./faults/outage.ts";

test("after three days without its source nobody was called safe, and all that was published meanwhile is told once", async () => {
  const missed = (await outage(72)).filter(({ pass }) => !pass);
  // Open: what was found at once is told in as many messages.
  expect(missed.map(({ what }) => what)).toEqual([
    "72 hours without the source: most messages to one contact in a minute",
  ]);
});
