import { describe, expect, test } from "bun:test";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import type { Delivery } from "../../src/notifications/ports.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { claim, delivery, later, NOW } from "../notifications/ledger.ts";
import { eachDatabase } from "../support/postgres.ts";

const SENT: Partial<Delivery> = { state: "sent", providerId: "p1", attempts: 1, inDoubt: true, endedAt: NOW };

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("NotificationStore on %s", (_, open) => {
  async function stored(...rows: Delivery[]) {
    const { transaction } = await open();
    await transaction(({ deliveries }) => deliveries.addMissing(rows));
    const back = (id: string, state: "dead" | "due", at = later(5)) =>
      transaction(({ deliveries }) => deliveries.returnSent(id, state, at));
    const find = (id: string) => transaction(({ deliveries }) => deliveries.find(id));
    return { transaction, back, find };
  }

  test("resume() makes due what a channel's failures hold or have put off, and nothing else", async () => {
    const later72 = { state: "held", reason: "misconfigured", failingSince: later(-9) } as const;
    const put = { reason: "retry", runAt: later(3_600_000), failingSince: later(-9) } as const;
    const telegram = { recipient: { channel: "telegram", value: "alice_bell" } } as const;
    const changed = [delivery("alert:1", later72), delivery("alert:2", put)];
    const others = [
      delivery("alert:3", { ...put, reason: "refused" }),
      delivery("alert:4", { state: "held", reason: "quiet", runAt: later(9) }),
      delivery("alert:5", { ...later72, ...telegram }),
      delivery("alert:6", SENT),
    ];
    const { transaction, find } = await stored(...changed, ...others);
    expect(await transaction(({ deliveries }) => deliveries.resume("email", later(5)))).toBe(2);
    for (const row of changed)
      expect(await find(row.id)).toEqual({
        ...row,
        ...{ state: "due", reason: undefined, runAt: later(5), turn: later(5), failingSince: undefined },
      });
    for (const row of others) expect(await find(row.id)).toEqual(row);
  });

  test("returnSent() ends a sent message as rejected, and keeps all other columns", async () => {
    const [row, other] = [delivery("alert:1", SENT), delivery("alert:2", SENT)];
    const { back, find, transaction } = await stored(row, other);
    expect(await back(row.id, "dead")).toBe(true);
    const ended = { ...row, state: "dead", reason: "refused", runAt: later(5), turn: later(5), endedAt: later(5) };
    expect(await find(row.id)).toEqual(ended as Delivery);
    expect(await find(other.id)).toEqual(other);
    expect(await claim(transaction, 10, later(9))).toEqual([]);
  });

  test("returnSent() puts a sent message back into the queue", async () => {
    const row = delivery("alert:1", SENT);
    const { back, find, transaction } = await stored(row);
    expect(await back(row.id, "due")).toBe(true);
    expect(await find(row.id)).toMatchObject({ state: "due", reason: "refused", endedAt: undefined, inDoubt: true });
    expect(await claim(transaction, 10, later(4))).toEqual([]);
    expect((await claim(transaction, 10, later(5))).map(({ id }) => id)).toEqual([row.id]);
  });

  test("returnSent() only accepts sent messages, and each once", async () => {
    const states = ["due", "sending", "held", "dead", "cancelled"] as const;
    const rows = states.map((state) => delivery(`alert:${state}`, { state }));
    const row = delivery("alert:sent", SENT);
    const { back, find } = await stored(...rows, row);
    for (const each of rows) {
      expect(await back(each.id, "due")).toBe(false);
      expect(await find(each.id)).toEqual(each);
    }
    expect(await back(crypto.randomUUID(), "dead")).toBe(false);
    const won = await Promise.all([1, 2, 3, 4].map((n) => back(row.id, n % 2 ? "dead" : "due")));
    expect(won.filter((one) => one)).toHaveLength(1);
  });
});
