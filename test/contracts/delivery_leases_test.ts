import { describe, expect, test } from "bun:test";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { ALICE_ID, BOB_ID, claim, delivery, later, NOW } from "../notifications/ledger.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("NotificationStore on %s", (_, open) => {
  test("renewLeases() extends what each token still holds, and nothing else", async () => {
    const { transaction } = await open();
    await transaction(({ deliveries }) => deliveries.addMissing([delivery("alert:1"), delivery("alert:2")]));
    const [held, lost] = await claim(transaction);
    if (!held?.leaseToken || !lost) throw new Error("Not claimed");
    const leases = [
      { id: held.id, leaseToken: held.leaseToken, isSlow: false },
      { id: lost.id, leaseToken: crypto.randomUUID(), isSlow: true },
      { id: crypto.randomUUID(), leaseToken: held.leaseToken, isSlow: false },
    ];
    await transaction(({ deliveries }) => deliveries.renewLeases([], later(90_000)));
    await transaction(({ deliveries }) => deliveries.renewLeases(leases, later(90_000)));
    const find = (id: string) => transaction(({ deliveries }) => deliveries.find(id));
    expect(await find(held.id)).toEqual({ ...held, leaseUntil: later(90_000) });
    expect(await find(lost.id)).toEqual(lost);
    const next = await claim(transaction, 10, later(60_001), later(200_000));
    expect(next.map(({ id }) => id)).toEqual([lost.id]);
    expect((await claim(transaction, 10, later(90_001))).map(({ id }) => id)).toEqual([held.id]);
  });

  test("renewLeases() clears a slow suspect, so that no other waits for it", async () => {
    const { transaction } = await open();
    await transaction(({ deliveries }) => deliveries.addMissing([delivery("alert:1"), delivery("alert:2")]));
    const claimed = async (ms: number) => {
      const all = await claim(transaction, 10, later(ms), later(ms + 50_000));
      return all.map(({ id, leaseToken = "", claims }) => ({ id, leaseToken, claims }));
    };
    // Two workers die.
    for (const ms of [0, 60_000]) expect(await claimed(ms)).toHaveLength(2);
    const [first] = await claimed(120_000);
    if (!first) throw new Error("Not claimed");
    expect(first.claims).toBe(3);
    expect(await claimed(135_000)).toEqual([]);
    const renew = (isSlow: boolean) =>
      transaction(({ deliveries }) => deliveries.renewLeases([{ ...first, isSlow }], later(300_000)));
    await renew(false);
    expect(await claimed(135_000)).toEqual([]);
    await renew(true);
    const [second] = await claimed(136_000);
    expect(second).toMatchObject({ claims: 3 });
    expect(second?.id).not.toBe(first.id);
    const { claims } = (await transaction(({ deliveries }) => deliveries.find(first.id))) ?? {};
    expect(claims).toBe(2);
  });

  test("hasFailing() finds what has failed and waits, of this account and priority only", async () => {
    const { transaction } = await open();
    const failing = { lane: 0, failingSince: NOW };
    const has = (accountId: string, lane = 0) =>
      transaction(({ deliveries }) => deliveries.hasFailing(accountId, lane));
    await transaction(({ deliveries }) =>
      deliveries.addMissing([
        delivery("mail:1", { lane: 0 }),
        delivery("mail:2", { ...failing, state: "sent", endedAt: NOW }),
        delivery("mail:3", { ...failing, accountId: BOB_ID }),
        delivery("mail:4", { ...failing, lane: 2 }),
      ]),
    );
    expect([await has(ALICE_ID), await has(ALICE_ID, 2), await has(BOB_ID)]).toEqual([false, true, true]);
  });
});
