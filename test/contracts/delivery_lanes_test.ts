import { describe, expect, test } from "bun:test";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import type { Delivery } from "../../src/notifications/ports.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { claim, delivery, LEASE, later, NOW } from "../notifications/ledger.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("NotificationStore on %s", (_, open) => {
  test("claimDue() claims nothing of a lane behind the last one that is named", async () => {
    const { transaction } = await open();
    const rows = [delivery("alert:1", { lane: 2, runAt: later(-5) }), delivery("mail:1", { lane: 0, runAt: NOW })];
    await transaction(({ deliveries }) => deliveries.addMissing(rows));
    const claimUpTo = (lowestPriority?: number) =>
      transaction(({ deliveries }) => deliveries.claimDue(["email"], 10, NOW, LEASE, lowestPriority));
    expect((await claimUpTo(0)).map(({ subject }) => subject)).toEqual(["mail:1"]);
    expect(await claimUpTo(1)).toEqual([]);
    expect((await claimUpTo()).map(({ subject }) => subject)).toEqual(["alert:1"]);
  });

  test("claimDue() claims one at a time of those with which two workers died, as one may be the cause", async () => {
    const { transaction } = await open();
    const rows = ["1", "2", "3"].map((subject) => delivery(subject));
    await transaction(({ deliveries }) => deliveries.addMissing(rows));
    const ids = rows.map(({ id }) => id).toSorted();
    let seconds = 0;
    /** A worker claims what is due for a minute, and dies or not. */
    const taken = async (afterSeconds: number) => {
      seconds += afterSeconds;
      const claimed = await claim(transaction, 10, later(seconds * 1000), later((seconds + 60) * 1000));
      return claimed.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    };
    const idsTaken = async (afterSeconds: number) => (await taken(afterSeconds)).map(({ id }) => id);
    expect(await idsTaken(0)).toEqual(ids);
    expect(await idsTaken(61)).toEqual(ids);
    const [first] = await taken(61);
    expect(first).toMatchObject({ id: ids[0], claims: 3, inDoubt: true });
    expect(await idsTaken(1)).toEqual([]);
    const sent: Delivery = { ...delivery("1"), ...first, state: "sent", leaseToken: undefined, leaseUntil: undefined };
    await transaction(({ deliveries }) => deliveries.replaceClaimed(first?.leaseToken ?? "", sent));
    expect(await idsTaken(1)).toEqual(ids.slice(1, 2));
    // The second worker dies again; those that have waited longer come first.
    expect(await idsTaken(61)).toEqual(ids.slice(2));
    expect(await idsTaken(61)).toEqual(ids.slice(1, 2));
  });
});
