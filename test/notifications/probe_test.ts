import { expect, test } from "bun:test";
import { claimOpen } from "../../src/notifications/delivery/circuit_breaker.ts";
import { newDelivery } from "../../src/notifications/delivery/delivery.ts";
import type { NotificationStore } from "../../src/notifications/ports.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { memoryDatabase } from "../memory/database.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";

const NOW = new Date("2026-03-02T08:00:00.000Z");
const LATER = new Date("2026-03-02T08:01:00.000Z");

test("a failing probe of one channel does not strand what was claimed of the others", async () => {
  const transaction = memoryDatabase().transactionOf(memoryNotifications);
  const due = (["ntfy", "pushover"] as const).map((channel) =>
    newDelivery({
      id: channel,
      host: "breachbell.example",
      subject: `test:${channel}`,
      recipient: { channel, value: "somebody" },
      language: "en",
      about: { kind: "test" },
      now: NOW,
    }),
  );
  await transaction(async ({ deliveries, channels }) => {
    await deliveries.addMissing(due);
    await channels.countFailure("pushover", "503", 5);
    await channels.pause("pushover", NOW);
  });
  let transactions = 0;
  const interrupted: Transaction<NotificationStore> = (work) =>
    ++transactions === 2 ? Promise.reject(new Error("The connection was lost")) : transaction(work);
  const reports: unknown[] = [];
  const claimed = await claimOpen(
    { transaction: interrupted, report: (error) => void reports.push(error) },
    {
      channels: ["ntfy", "pushover"],
      limit: 5,
      now: NOW,
      leaseUntil: LATER,
      lowestPriority: undefined,
      mayProbe: true,
    },
  );
  expect(claimed.map(({ delivery, isProbe }) => [delivery.id, isProbe])).toEqual([["ntfy", false]]);
  expect(reports).toEqual([new Error("The connection was lost")]);
});
