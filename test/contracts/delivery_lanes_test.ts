import { describe, expect, test } from "bun:test";
import { memoryNotifications } from "../../src/notifications/adapters/memory.ts";
import { postgresNotifications } from "../../src/notifications/adapters/postgres.ts";
import { claim, delivery, LEASE, later, NOW } from "../notifications/ledger.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("NotificationStore on %s", (_, open) => {
  test("claimDue() takes nothing of a lane behind the last one that is named", async () => {
    const { transaction } = await open();
    const rows = [delivery("alert:1", { lane: 2, runAt: later(-5) }), delivery("mail:1", { lane: 0, runAt: NOW })];
    await transaction(({ deliveries }) => deliveries.addMissing(rows));
    const claimUpTo = (lastLane?: number) =>
      transaction(({ deliveries }) => deliveries.claimDue(["email"], 10, NOW, LEASE, lastLane));
    expect((await claimUpTo(0)).map(({ subject }) => subject)).toEqual(["mail:1"]);
    expect(await claimUpTo(1)).toEqual([]);
    expect((await claimUpTo()).map(({ subject }) => subject)).toEqual(["alert:1"]);
  });

  test("claimDue() takes apart what two workers died with, in the other order each time, as one of it may be what kills", async () => {
    const { transaction } = await open();
    const rows = ["1", "2", "3"].map((subject) => delivery(subject));
    await transaction(({ deliveries }) => deliveries.addMissing(rows));
    const ids = rows.map(({ id }) => id).toSorted();
    /** Which are taken, every five seconds, once their leases have ended. */
    const takenIn = async (minute: number) => {
      const taken: string[][] = [];
      for (let second = 0; second < 20; second += 5) {
        const at = later(minute * 200_000 + second * 1000);
        const claimed = await claim(transaction, 10, at, later(minute * 200_000 + 120_000));
        if (claimed.length > 0) taken.push(claimed.map(({ id }) => id).toSorted());
      }
      return taken;
    };
    expect(await takenIn(0)).toEqual([ids]);
    expect(await takenIn(1)).toEqual([ids]);
    const apart = ids.map((id) => [id]);
    expect(await takenIn(2)).toEqual(apart);
    expect(await takenIn(3)).toEqual(apart.toReversed());
  });
});
