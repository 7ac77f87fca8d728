import { describe, expect, test } from "bun:test";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import { newDelivery } from "../../src/notifications/delivery/delivery.ts";
import type { About, Delivery, NotificationStore } from "../../src/notifications/ports.ts";
import type { Transaction } from "../../src/shared/transaction.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { eachDatabase } from "../support/postgres.ts";

const NOW = new Date("2026-03-02T08:00:00.000Z");
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
const ALICE = crypto.randomUUID();
const MALLORY = crypto.randomUUID();

type Changes = Partial<Delivery> & { about: About };

function deliveryOf(subject: string, { about, ...changes }: Changes): Delivery {
  const recipient = { channel: "email" as const, value: `${crypto.randomUUID()}@breachbell.example` };
  const parts = { id: crypto.randomUUID(), host: "breachbell.example", subject, recipient, language: "en" as const };
  return { ...newDelivery({ ...parts, about, accountId: ALICE, now: NOW }), ...changes };
}

const alert = (alertId: string, changes: Partial<Delivery> = {}) =>
  deliveryOf(`alert:${alertId}`, { about: { kind: "alert", associationId: "home", alertId }, ...changes });

async function tried(
  transaction: Transaction<NotificationStore>,
  deliveryId: string,
  end: { at: Date; outcome: "delivered" | "retry" | "dead"; detail?: string },
) {
  const id = crypto.randomUUID();
  const { at, outcome, detail } = end;
  const attempt = { id, deliveryId, startedAt: at, endedAt: at, outcome, detail };
  await transaction(({ deliveries }) => deliveries.addAttempt(attempt));
}

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("LedgerRepository on %s", (_, open) => {
  test("an alert's messages include its own, those of its worsening, and its report; for its account only", async () => {
    const { transaction } = await open();
    const own = alert("a1");
    const worse = deliveryOf("alert:a1:c1", {
      about: { kind: "worse", associationId: "home", alertId: "a1", changeId: "c1" },
      createdAt: later(3),
    });
    const report = deliveryOf("report:home", {
      about: { kind: "report", associationId: "home", alertIds: ["a0", "a1"] },
      createdAt: later(1),
    });
    const others = [
      alert("a2"),
      deliveryOf("report:work", { about: { kind: "report", associationId: "work", alertIds: ["a1"] } }),
      { ...alert("a1"), subject: "alert:a1:stolen", accountId: MALLORY },
    ];
    await transaction(({ deliveries }) => deliveries.addMissing([worse, own, report, ...others]));
    await tried(transaction, own.id, { at: later(1), outcome: "retry", detail: "451 later" });
    const rows = await transaction(({ deliveryLog }) =>
      deliveryLog.listOfAlert(ALICE, { alertId: "a1", associationId: "home" }),
    );
    expect(rows.map(({ id }) => id)).toEqual([own.id, report.id, worse.id]);
    expect(rows[0]?.tries).toMatchObject([{ outcome: "retry", detail: "451 later" }]);
  });

  test("a contact's health consists of its last delivery, the failure after it, and what is pending", async () => {
    const { transaction } = await open();
    const [well, ill, mended, fresh] = Array.from({ length: 4 }, () => crypto.randomUUID());
    const sent = (contactId: string | undefined, minutes: number) =>
      alert(crypto.randomUUID(), { contactId, state: "sent", endedAt: later(minutes) });
    const rows = {
      well: sent(well, 5),
      before: sent(ill, 1),
      waiting: alert("w1", { contactId: ill, state: "held", reason: "unconfirmed" }),
      failing: alert("w2", { contactId: ill }),
      failed: sent(mended, 9),
    };
    await transaction(({ deliveries }) => deliveries.addMissing(Object.values(rows)));
    await tried(transaction, rows.well.id, { at: later(5), outcome: "delivered" });
    await tried(transaction, rows.failing.id, { at: later(2), outcome: "retry", detail: "first" });
    await tried(transaction, rows.failing.id, { at: later(3), outcome: "dead", detail: "550 no such user" });
    await tried(transaction, rows.failed.id, { at: later(8), outcome: "retry" });
    await tried(transaction, rows.failed.id, { at: later(9), outcome: "delivered" });
    const ids = [well, ill, mended, fresh].flatMap((id) => id ?? []);
    const health = await transaction(({ deliveryLog }) => deliveryLog.healthOf(ids));
    expect(health.get(well ?? "")).toEqual({ lastSentAt: later(5), lastFailure: undefined, waiting: 0 });
    expect(health.get(ill ?? "")).toEqual({
      lastSentAt: later(1),
      waiting: 2,
      lastFailure: { at: later(3), detail: "550 no such user" },
    });
    expect(health.get(mended ?? "")).toEqual({ lastSentAt: later(9), lastFailure: undefined, waiting: 0 });
    expect(health.has(fresh ?? "")).toBe(false);
    expect(await transaction(({ deliveryLog }) => deliveryLog.healthOf([]))).toEqual(new Map());
  });

  test("another account's messages cannot be read by id", async () => {
    const { transaction } = await open();
    const [mine, theirs] = [alert("a1"), alert("a2", { accountId: MALLORY })];
    await transaction(({ deliveries }) => deliveries.addMissing([mine, theirs]));
    const found = await transaction(({ deliveryLog }) => deliveryLog.listByIds(ALICE, [mine.id, theirs.id]));
    expect(found.map(({ id }) => id)).toEqual([mine.id]);
  });

  test("undelivered messages are listed for the operator, latest first, page by page", async () => {
    const { transaction } = await open();
    const dead = Array.from({ length: 5 }, (_, minute) =>
      alert(`d${minute}`, { state: "dead", reason: "gave_up", endedAt: later(minute) }),
    );
    await transaction(({ deliveries }) => deliveries.addMissing([...dead, alert("a1")]));
    const { deliveries, total } = await transaction(({ deliveryAdmin }) => deliveryAdmin.listDead(1, 2));
    expect(total).toBe(5);
    expect(deliveries.map(({ subject }) => subject)).toEqual(["alert:d3", "alert:d2"]);
  });

  test("returns the position of the last pending message by account and lane", async () => {
    const { transaction } = await open();
    await transaction(({ deliveries }) =>
      deliveries.addMissing([
        alert("a1", { turn: later(1) }),
        alert("a2", { turn: later(7) }),
        alert("a3", { turn: later(9), state: "sent", endedAt: NOW }),
        alert("a4", { turn: later(9), lane: 3 }),
        alert("a5", { turn: later(9), accountId: MALLORY }),
      ]),
    );
    const turns = await transaction(({ deliveries }) =>
      deliveries.lastQueuePositions([ALICE, MALLORY, crypto.randomUUID()], 2),
    );
    expect(turns).toEqual(
      new Map([
        [ALICE, later(7)],
        [MALLORY, later(9)],
      ]),
    );
    expect(await transaction(({ deliveries }) => deliveries.lastQueuePositions([ALICE], 3))).toEqual(
      new Map([[ALICE, later(9)]]),
    );
  });
});
