import { expect, test } from "bun:test";
import fc from "fast-check";
import { HISTORIES_MS, histories } from "../support/histories.ts";
import { historiesWorld } from "./histories_world.ts";
import { history, nothingSeen, playOut } from "./history_steps.ts";

test(
  "once everything has drained, status, open alerts, watches and consent agree, whatever has happened",
  async () => {
    const seen = nothingSeen();
    await fc.assert(
      fc.asyncProperty(history, async ({ steps, mishaps }) => {
        const turns = steps.map((step) => [step]);
        await playOut([historiesWorld([...mishaps])], turns, seen);
      }),
      histories(200),
    );
    // It was not about nothing.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(30);
  },
  HISTORIES_MS,
);
