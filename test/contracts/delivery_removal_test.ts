import { describe, expect, test } from "bun:test";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import type { Delivery } from "../../src/notifications/ports.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { ALICE_ID, BOB_ID, contact, delivery, later, NOW } from "../notifications/ledger.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("NotificationStore on %s", (_, open) => {
  test("listByAccount() returns an account's deliveries, oldest first, each with its attempts, page by page", async () => {
    const { transaction } = await open();
    const rows = [2, 0, 1].map((ms) => delivery(`mail:${ms}`, { createdAt: later(ms) }));
    const tried = (deliveryId: string, ms: number) => ({
      id: crypto.randomUUID(),
      deliveryId,
      startedAt: later(ms),
      endedAt: later(ms + 1),
      outcome: "retry" as const,
      detail: "greylisted",
    });
    const oldest = rows[1]?.id ?? "";
    const tries = [tried(oldest, 0), tried(oldest, 5)];
    await transaction(async ({ deliveries }) => {
      await deliveries.addMissing([...rows, delivery("mail:bob", { accountId: BOB_ID })]);
      for (const attempt of tries) await deliveries.addAttempt(attempt);
      const [last, first, middle] = rows.map((row) => ({ ...row, tries: row.id === oldest ? tries : [] }));
      if (!last || !first || !middle) throw new Error("Cannot happen");
      expect(await deliveries.listByAccount(ALICE_ID, 0, 10)).toEqual([first, middle, last]);
      expect(await deliveries.listByAccount(ALICE_ID, 1, 1)).toEqual([middle]);
      expect(await deliveries.listByAccount(ALICE_ID, 3, 10)).toEqual([]);
    });
  });

  test("removeEnded() removes what ended before, the oldest first, except for the last success of each contact", async () => {
    const { transaction } = await open();
    const [alice, bob] = [contact("alice@home.example"), contact("bob@home.example")];
    const ended = (subject: string, at: number, changes: Partial<Delivery> = {}) =>
      delivery(subject, { state: "sent", endedAt: later(at), ...changes });
    const old = [
      ended("mail:oldest", 1),
      ended("alert:dead", 2, { state: "dead", reason: "refused", contactId: alice.id }),
      ended("alert:first", 3, { contactId: alice.id }),
      ended("mail:unowned", 4, { accountId: undefined }),
    ];
    const kept = [
      ended("alert:last", 5, { contactId: alice.id }),
      ended("alert:only", 6, { contactId: bob.id }),
      ended("mail:new", 1000),
      delivery("mail:due", { createdAt: later(-1000) }),
    ];
    await transaction(async ({ contacts, deliveries }) => {
      for (const one of [alice, bob]) await contacts.add(one);
      await deliveries.addMissing([...old, ...kept]);
    });
    const removeUpTo = (limit: number) => transaction(({ deliveries }) => deliveries.removeEnded(later(1000), limit));
    const left = () =>
      transaction(async ({ deliveries }) => {
        const found = await Promise.all([...old, ...kept].map(({ id }) => deliveries.find(id)));
        return found.flatMap((row) => row?.subject ?? []);
      });
    expect(await removeUpTo(1)).toBe(1);
    expect(await left()).not.toContain("mail:oldest");
    expect(await left()).toContain("alert:dead");
    expect(await removeUpTo(10)).toBe(3);
    expect(await left()).toEqual(kept.map(({ subject }) => subject));
    expect(await removeUpTo(10)).toBe(0);
  });

  test("removeUnowned() removes finished older deliveries without an account, with their attempts, and nothing else", async () => {
    const { transaction } = await open();
    const unowned = (subject: string, changes: Partial<Delivery> = {}) =>
      delivery(subject, { accountId: undefined, ...changes });
    const ended = [
      unowned("mail:sent", { state: "sent", endedAt: NOW }),
      unowned("mail:dead", { state: "dead", reason: "refused", endedAt: NOW }),
      unowned("mail:cancelled", { state: "cancelled", reason: "expired", endedAt: NOW }),
    ];
    const kept = [
      unowned("mail:due"),
      unowned("mail:held", { state: "held", reason: "misconfigured" }),
      unowned("mail:sending", { state: "sending", leaseUntil: later(1) }),
      unowned("mail:recent", { state: "sent", createdAt: later(2), endedAt: later(2) }),
      delivery("mail:owned", { state: "sent", endedAt: NOW }),
    ];
    const attempt = (deliveryId: string) => ({
      id: crypto.randomUUID(),
      deliveryId,
      startedAt: NOW,
      endedAt: later(1),
      outcome: "delivered" as const,
      detail: undefined,
    });
    await transaction(async ({ deliveries }) => {
      await deliveries.addMissing([...ended, ...kept]);
      for (const { id } of [...ended, ...kept]) await deliveries.addAttempt(attempt(id));
    });
    await transaction(({ deliveries }) => deliveries.removeUnowned(later(1)));
    await transaction(async ({ deliveries }) => {
      for (const { id } of ended) {
        expect(await deliveries.find(id)).toBeUndefined();
        expect(await deliveries.listAttempts(id)).toEqual([]);
      }
      for (const row of kept) {
        expect(await deliveries.find(row.id)).toEqual(row);
        expect(await deliveries.listAttempts(row.id)).toHaveLength(1);
      }
    });
  });
});
