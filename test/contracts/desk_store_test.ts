import { describe, expect, test } from "bun:test";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import type { About, Delivery } from "../../src/notifications/ports.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { delivery, later, NOW } from "../notifications/ledger.ts";
import { eachDatabase } from "../support/postgres.ts";

const ALERT: About = { kind: "alert", associationId: "home", alertId: "a1" };
const alert = (subject: string, changes: Partial<Delivery> = {}) => delivery(subject, changes, ALERT);

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("DeskRepository on %s", (_, open) => {
  async function opened(...rows: Delivery[]) {
    const { transaction } = await open();
    await transaction(({ deliveries }) => deliveries.addMissing(rows));
    const stateOf = async (id: string) => {
      const found = await transaction(({ deliveryAdmin }) => deliveryAdmin.find(id));
      return found && [found.state, found.reason];
    };
    return { transaction, stateOf };
  }

  test("groups undelivered messages by state, reason and channel, with the oldest; no finished ones", async () => {
    const held = { state: "held", reason: "misconfigured" } as const;
    const { transaction } = await opened(
      alert("1", { createdAt: later(2000) }),
      alert("2", { createdAt: later(1000) }),
      alert("3", held),
      alert("4", { state: "dead", reason: "gave_up", endedAt: NOW }),
      alert("5", { state: "sent", endedAt: NOW }),
      alert("6", { state: "cancelled", reason: "expired", endedAt: NOW }),
    );
    const piles = await transaction(({ deliveryAdmin }) => deliveryAdmin.countStates());
    expect(piles).toEqual([
      { state: "dead", reason: "gave_up", channel: "email", count: 1, oldest: NOW },
      { state: "due", reason: undefined, channel: "email", count: 2, oldest: later(1000) },
      { state: "held", reason: "misconfigured", channel: "email", count: 1, oldest: NOW },
    ]);
  });

  test("lists pending messages, next one first, page by page", async () => {
    const rows = [alert("1", { runAt: later(3) }), alert("2", { runAt: later(1) }), alert("3", { runAt: later(2) })];
    const { transaction } = await opened(...rows, alert("4", { state: "sent", endedAt: NOW }));
    const { deliveries, total } = await transaction(({ deliveryAdmin }) => deliveryAdmin.listWaiting(1, 2));
    expect([deliveries.map(({ subject }) => subject), total]).toEqual([["3", "1"], 3]);
  });

  test("lists an account's messages in any state, the newest first, page by page, and nobody else's", async () => {
    const { transaction } = await opened(
      alert("1", { createdAt: later(1) }),
      alert("2", { createdAt: later(3), state: "sent", endedAt: NOW }),
      alert("3", { createdAt: later(2), state: "dead", reason: "gave_up", endedAt: NOW }),
      alert("4", { accountId: crypto.randomUUID() }),
    );
    const { accountId = "" } = alert("1");
    const page = (offset: number) =>
      transaction(({ deliveryAdmin }) => deliveryAdmin.listOfAccount(accountId, offset, 2));
    const subjects = (await page(0)).deliveries.map(({ subject }) => subject);
    expect([subjects, (await page(0)).total]).toEqual([["2", "3"], 3]);
    expect((await page(2)).deliveries.map(({ subject }) => subject)).toEqual(["1"]);
  });

  test("hold and release: only what is due is held, only what is held for that reason is released", async () => {
    const [due, busy, quiet] = [
      alert("1"),
      alert("2", { state: "sending", leaseToken: crypto.randomUUID(), leaseUntil: later(9) }),
      alert("3", { state: "held", reason: "quiet", runAt: later(9) }),
    ];
    const { transaction, stateOf } = await opened(due, busy, quiet);
    expect(await transaction(({ deliveryAdmin }) => deliveryAdmin.hold([due.id, busy.id, quiet.id]))).toEqual([due.id]);
    expect(await stateOf(due.id)).toEqual(["held", "operator"]);
    const everything = [due.id, quiet.id];
    expect(await transaction(({ deliveryAdmin }) => deliveryAdmin.release(everything, ["operator"], later(5)))).toEqual(
      [due.id],
    );
    expect(await transaction(({ deliveryAdmin }) => deliveryAdmin.find(due.id))).toMatchObject({
      state: "due",
      runAt: later(5),
    });
    expect(await stateOf(quiet.id)).toEqual(["held", "quiet"]);
  });

  test("holds all except those that a user has just requested", async () => {
    const [one, code] = [alert("1"), delivery("2")];
    const { transaction, stateOf } = await opened(one, code);
    expect(await transaction(({ deliveryAdmin }) => deliveryAdmin.hold(undefined))).toEqual([one.id]);
    expect(await stateOf(code.id)).toEqual(["due", undefined]);
    expect(await transaction(({ deliveryAdmin }) => deliveryAdmin.hold([code.id]))).toEqual([code.id]);
  });

  test("makes everything dead that may be retried due again, as if it were new", async () => {
    const dead = { state: "dead", reason: "gave_up", endedAt: NOW, attempts: 9, failingSince: NOW } as const;
    const [one, code] = [alert("1", dead), delivery("2", dead)];
    const { transaction, stateOf } = await opened(one, code);
    expect(await transaction(({ deliveryAdmin }) => deliveryAdmin.reviveAll(later(7)))).toEqual([one.id]);
    const found = await transaction(({ deliveryAdmin }) => deliveryAdmin.find(one.id));
    expect(found).toMatchObject({
      state: "due",
      attempts: 0,
      runAt: later(7),
      endedAt: undefined,
      failingSince: undefined,
    });
    expect(await stateOf(code.id)).toEqual(["dead", "gave_up"]);
    expect(await stateOf(crypto.randomUUID())).toBeUndefined();
  });
});
