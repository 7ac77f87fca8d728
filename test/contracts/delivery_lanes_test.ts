import { describe, expect, test } from "bun:test";
import { memoryNotifications } from "../../src/notifications/adapters/memory.ts";
import { postgresNotifications } from "../../src/notifications/adapters/postgres.ts";
import { delivery, LEASE, later, NOW } from "../notifications/ledger.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("NotificationStore on %s", (_, open) => {
  test("claimDue() takes nothing of a lane behind the last one that is named", async () => {
    const { transaction } = await open();
    const rows = [delivery("alert:1", { lane: 2, runAt: later(-5) }), delivery("mail:1", { lane: 0, runAt: NOW })];
    await transaction(({ deliveries }) => deliveries.addMissing(rows));
    const claim = (lastLane?: number) =>
      transaction(({ deliveries }) => deliveries.claimDue(["email"], 10, NOW, LEASE, lastLane));
    expect((await claim(0)).map(({ subject }) => subject)).toEqual(["mail:1"]);
    expect(await claim(1)).toEqual([]);
    expect((await claim()).map(({ subject }) => subject)).toEqual(["alert:1"]);
  });
});
