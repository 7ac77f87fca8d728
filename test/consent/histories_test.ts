import { expect, test } from "bun:test";
import fc from "fast-check";
import { HISTORIES_MS, histories } from "../support/histories.ts";
import { historiesWorld } from "./histories_world.ts";
import { history, nothingSeen, playOut } from "./history_steps.ts";

test(
  "after any history, once the queues are empty, status, open alerts, monitoring and consent agree",
  async () => {
    const seen = nothingSeen();
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, mishaps }) => {
        const turns = steps.map((step) => [step]);
        await playOut([historiesWorld([...mishaps])], turns, seen);
      }),
      histories(200),
    );
    // The histories must have covered something.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(30);
  },
  HISTORIES_MS,
);
