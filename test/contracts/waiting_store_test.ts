import { describe, expect, test } from "bun:test";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import type { Delivery } from "../../src/notifications/ports.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { claim, delivery, later, NOW } from "../notifications/ledger.ts";
import { eachDatabase } from "../support/postgres.ts";

const CAROL = crypto.randomUUID();
const [DAVE = "", ERIN = ""] = [crypto.randomUUID(), crypto.randomUUID()].toSorted();

const held = (subject: string, changes: Partial<Delivery> = {}) =>
  delivery(subject, { contactId: CAROL, state: "held", reason: "digest", runAt: NOW, ...changes });

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("WaitingRepository on %s", (_, open) => {
  test("returns the contacts with due messages, and these messages, oldest first", async () => {
    const { transaction } = await open();
    const rows = [
      held("alert:2", { createdAt: later(-1) }),
      held("alert:1", { reason: "quiet", createdAt: later(-2) }),
      held("alert:3", { runAt: later(1) }),
      held("alert:4", { reason: "unconfirmed" }),
      held("alert:5", { state: "due", reason: undefined }),
      held("alert:6", { contactId: ERIN, runAt: later(1) }),
      held("alert:7", { contactId: DAVE, runAt: later(1) }),
    ];
    await transaction(async ({ deliveries, waiting }) => {
      await deliveries.addMissing(rows);
      expect(await waiting.listDue(NOW, undefined, 10)).toEqual([{ id: CAROL, at: NOW }]);
      const [carol, dave, erin] = [
        { id: CAROL, at: NOW },
        { id: DAVE, at: later(1) },
        { id: ERIN, at: later(1) },
      ];
      expect(await waiting.listDue(later(1), undefined, 10)).toEqual([carol, dave, erin]);
      expect(await waiting.listDue(later(1), undefined, 1)).toEqual([carol]);
      expect(await waiting.listDue(later(1), carol, 1)).toEqual([dave]);
      expect(await waiting.listDue(later(1), dave, 10)).toEqual([erin]);
      expect(await waiting.listDue(later(1), erin, 10)).toEqual([]);
      const due = await waiting.lockDue(CAROL, NOW, 10);
      expect(due.map(({ subject }) => subject)).toEqual(["alert:1", "alert:2"]);
      expect(await waiting.lockDue(CAROL, NOW, 1)).toHaveLength(1);
    });
  });

  test("ends what is sent elsewhere, recording where, and releases the rest", async () => {
    const { transaction } = await open();
    const [first, second] = [held("alert:1", { sealed: "secret" }), held("alert:2")];
    const digest = crypto.randomUUID();
    await transaction(async ({ deliveries, waiting }) => {
      await deliveries.addMissing([first, second]);
      await waiting.gather([first.id], digest, later(5));
      await waiting.release([second.id], later(5));
      await waiting.release([], later(5));
      expect(await deliveries.find(first.id)).toEqual({
        ...first,
        state: "cancelled",
        reason: "gathered",
        gatheredIn: digest,
        endedAt: later(5),
        sealed: undefined,
      });
      expect(await deliveries.find(second.id)).toMatchObject({ state: "due", reason: undefined, runAt: later(5) });
      expect(await waiting.listDue(later(9), undefined, 10)).toEqual([]);
    });
    expect(await claim(transaction)).toEqual([]);
  });
});
