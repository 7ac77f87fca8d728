import { describe, expect, test } from "bun:test";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import type { OpenReceipt } from "../../src/notifications/ports.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { ALICE_ID, delivery, later, NOW } from "../notifications/ledger.ts";
import { eachDatabase } from "../support/postgres.ts";

const open = (receipt: string, lookAt = NOW): OpenReceipt => ({
  receipt,
  channel: "pushover",
  deliveryId: crypto.randomUUID(),
  sentAt: later(-10_000),
  lookAt,
});

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("ReceiptRepository on %s", (_, openStore) => {
  async function stored(...rows: OpenReceipt[]) {
    const { transaction } = await openStore();
    for (const row of rows) await transaction(({ receipts }) => receipts.open(row));
    const claim = (now: Date, until: Date) => transaction(({ receipts }) => receipts.claimDue(now, until));
    return { transaction, claim };
  }

  test("claimDue() returns the longest overdue, to one caller until its lease expires", async () => {
    const [first, second, notYet] = [open("r1", later(-2)), open("r2", later(-1)), open("r3", later(1))];
    const { claim } = await stored(notYet, second, first);
    expect(await claim(NOW, later(60))).toEqual({ ...first, lookAt: later(60) });
    expect(await claim(NOW, later(70))).toEqual({ ...second, lookAt: later(70) });
    expect(await claim(NOW, later(70))).toBeUndefined();
    expect(await claim(later(1), later(70))).toMatchObject({ receipt: "r3" });
    // The previous holder may have died.
    expect(await claim(later(59), later(90))).toBeUndefined();
    expect(await claim(later(60), later(90))).toMatchObject({ receipt: "r1" });
  });

  test("claimDue() gives each receipt to one of many callers", async () => {
    const rows = [open("r1"), open("r2"), open("r3")];
    const { claim } = await stored(...rows);
    const won = await Promise.all([1, 2, 3, 4, 5, 6].map(() => claim(NOW, later(60))));
    // A caller that finds a row locked takes the next one or none; none is returned twice.
    const names = won.flatMap((one) => one?.receipt ?? []);
    expect(names).toHaveLength(new Set(names).size);
    for (let left = await claim(NOW, later(60)); left; left = await claim(NOW, later(60))) names.push(left.receipt);
    expect(names.toSorted()).toEqual(["r1", "r2", "r3"]);
  });

  test("lookAgain() makes it due again for the holder of the lease, and for nobody who lost it", async () => {
    const { transaction, claim } = await stored(open("r1"));
    const lost = await claim(NOW, later(60));
    const claimed = await claim(later(60), later(120));
    if (!lost || !claimed) throw new Error("Nothing was claimed");
    await transaction(({ receipts }) => receipts.lookAgain(lost, later(61)));
    expect(await claim(later(61), later(200))).toBeUndefined();
    await transaction(({ receipts }) => receipts.lookAgain(claimed, later(80)));
    expect(await claim(later(79), later(200))).toBeUndefined();
    expect(await claim(later(80), later(200))).toMatchObject({ receipt: "r1" });
  });

  test("open() keeps the first of a name; close() ends it for good", async () => {
    const row = open("r1");
    const { transaction, claim } = await stored(row, { ...open("r1"), lookAt: later(500) });
    expect(await claim(NOW, later(60))).toEqual({ ...row, lookAt: later(60) });
    await transaction(({ receipts }) => receipts.close("r1"));
    await transaction(({ receipts }) => receipts.close("r1"));
    expect(await claim(later(60), later(120))).toBeUndefined();
    await transaction(({ receipts }) => receipts.lookAgain({ ...row, lookAt: later(60) }, NOW));
    expect(await claim(later(60), later(120))).toBeUndefined();
  });

  test("acknowledge() stores the first time, on that delivery only", async () => {
    const { transaction } = await stored();
    const [row, other] = [delivery("alert:1", { receipt: "r1" }), delivery("alert:2", { receipt: "r2" })];
    await transaction(({ deliveries }) => deliveries.addMissing([row, other]));
    for (const ms of [5, 9]) await transaction(({ receipts }) => receipts.acknowledge(row.id, later(ms)));
    await transaction(({ receipts }) => receipts.acknowledge(crypto.randomUUID(), later(1)));
    const found = await transaction(({ deliveries }) => deliveries.listByAccount(ALICE_ID, 0, 10));
    const times = new Map(found.map(({ id, receipt, acknowledgedAt }) => [id, { receipt, acknowledgedAt }]));
    expect(times.get(row.id)).toEqual({ receipt: "r1", acknowledgedAt: later(5) });
    expect(times.get(other.id)).toEqual({ receipt: "r2", acknowledgedAt: undefined });
  });

  test("an open receipt outlives its delivery", async () => {
    const row = delivery("alert:1", { receipt: "r1" });
    const { transaction, claim } = await stored({ ...open("r1"), deliveryId: row.id });
    await transaction(({ deliveries }) => deliveries.addMissing([row]));
    await transaction(({ deliveries }) => deliveries.removeByAccount(ALICE_ID));
    expect(await claim(NOW, later(60))).toMatchObject({ receipt: "r1", deliveryId: row.id });
  });
});
