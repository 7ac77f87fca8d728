import { describe, expect, test } from "bun:test";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import type { Delivery } from "../../src/notifications/ports.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { claim, delivery, later, NOW } from "../notifications/ledger.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("DeliveryRepository on %s", (_, open) => {
  test("replaceAllClaimed() writes those whose lease is still held, and returns their ids", async () => {
    const { transaction } = await open();
    await transaction(({ deliveries }) => deliveries.addMissing(["1", "2", "3"].map((n) => delivery(`alert:${n}`))));
    const claimed = await claim(transaction);
    const sent = claimed.map(
      (row): Delivery => ({
        ...row,
        state: "sent",
        sealed: undefined,
        endedAt: later(7),
        providerId: "p",
        attempts: 1,
        claims: 0,
        leaseToken: undefined,
        leaseUntil: undefined,
      }),
    );
    const tokens = claimed.map(({ leaseToken }) => leaseToken ?? "");
    const [one, two, lost] = sent;
    if (!one || !two || !lost) throw new Error("Not claimed");
    const claims = sent.map((row, index) => ({
      delivery: row,
      leaseToken: row === lost ? crypto.randomUUID() : (tokens[index] ?? ""),
    }));
    const replace = (list: typeof claims) => transaction(({ deliveries }) => deliveries.replaceAllClaimed(list));
    expect((await replace(claims)).toSorted()).toEqual([one.id, two.id].toSorted());
    expect(await replace(claims)).toEqual([]);
    expect(await replace([])).toEqual([]);
    await transaction(async ({ deliveries }) => {
      expect(await deliveries.find(one.id)).toEqual(one);
      expect(await deliveries.find(two.id)).toEqual(two);
      expect((await deliveries.find(lost.id))?.state).toBe("sending");
    });
  });

  test("startHeldAttempts() starts those whose lease is held, endAttempts() records each outcome", async () => {
    const { transaction } = await open();
    await transaction(({ deliveries }) => deliveries.addMissing(["1", "2", "3"].map((n) => delivery(`alert:${n}`))));
    const open_ = { startedAt: NOW, endedAt: undefined, outcome: undefined, detail: undefined };
    const attempts = (await claim(transaction)).map(({ id, leaseToken }, index) => ({
      ...open_,
      id: crypto.randomUUID(),
      deliveryId: id,
      leaseToken: index === 2 ? crypto.randomUUID() : (leaseToken ?? ""),
    }));
    const [one, two] = attempts;
    if (!one || !two) throw new Error("Not claimed");
    const started = await transaction(({ deliveries }) => deliveries.startHeldAttempts(attempts));
    expect(started.toSorted()).toEqual([one.id, two.id].toSorted());
    expect(await transaction(({ deliveries }) => deliveries.startHeldAttempts([]))).toEqual([]);
    await transaction(async ({ deliveries }) => {
      await deliveries.endAttempts([
        { id: one.id, endedAt: later(5), outcome: "delivered", detail: undefined },
        { id: two.id, endedAt: later(6), outcome: "retry", detail: "451" },
      ]);
      await deliveries.endAttempts([]);
    });
    const tries = await transaction(({ deliveries }) =>
      Promise.all(attempts.map(({ deliveryId }) => deliveries.listAttempts(deliveryId))),
    );
    expect(tries.flat()).toMatchObject([
      { id: one.id, startedAt: NOW, endedAt: later(5), outcome: "delivered", detail: undefined },
      { id: two.id, startedAt: NOW, endedAt: later(6), outcome: "retry", detail: "451" },
    ]);
    expect(tries[2]).toEqual([]);
  });
});
