import { describe, expect, test } from "bun:test";
import { postgresNotifications } from "../../src/notifications/adapters/postgres/store.ts";
import type { Delivery } from "../../src/notifications/ports.ts";
import { memoryNotifications } from "../memory/notifications/store.ts";
import { ALICE_ID, BOB_ID, claim, contact, delivery, LEASE, later, NOW } from "../notifications/ledger.ts";
import { eachDatabase } from "../support/postgres.ts";

describe.each(eachDatabase(memoryNotifications, postgresNotifications))("NotificationStore on %s", (_, open) => {
  describe("deliveries", () => {
    test("find() returns what addMissing() stored", async () => {
      const { transaction } = await open();
      const bare = delivery("mail:1", { accountId: undefined });
      const full = delivery(
        "alert:1",
        {
          contactId: BOB_ID,
          sealed: "s",
          notAfter: later(1),
          reason: "retry",
          endedAt: later(2),
          claims: 3,
          attempts: 2,
          failingSince: later(3),
          inDoubt: true,
          providerId: "p",
          leaseToken: crypto.randomUUID(),
          leaseUntil: later(4),
        },
        { kind: "alert", associationId: ALICE_ID, alertId: BOB_ID },
      );
      await transaction(({ deliveries }) => deliveries.addMissing([bare, full]));
      await transaction(async ({ deliveries }) => {
        expect(await deliveries.find(bare.id)).toEqual(bare);
        expect(await deliveries.find(full.id)).toEqual(full);
        expect(await deliveries.listBySubject("alert:1")).toEqual([full]);
        expect(await deliveries.find(crypto.randomUUID())).toBeUndefined();
        expect(await deliveries.listBySubject("alert:2")).toEqual([]);
        expect(await deliveries.listKnownSubjects(["alert:1", "alert:2", "mail:1"])).toEqual(
          expect.arrayContaining(["alert:1", "mail:1"]),
        );
        expect(await deliveries.listKnownSubjects(["alert:2"])).toEqual([]);
        expect(await deliveries.listKnownSubjects([])).toEqual([]);
      });
    });

    test("addMissing() adds each (subject, recipient) once, within a call and across concurrent calls", async () => {
      const { transaction } = await open();
      const other = delivery("alert:1", { recipient: { channel: "email", value: "bob@home.example" } });
      const batches = await Promise.all(
        Array.from({ length: 6 }, () =>
          transaction(({ deliveries }) =>
            deliveries.addMissing([delivery("alert:1"), delivery("alert:1"), delivery("alert:2")]),
          ),
        ),
      );
      expect(batches.flat()).toHaveLength(2);
      expect(await transaction(({ deliveries }) => deliveries.addMissing([other]))).toEqual([other.id]);
      expect(await transaction(({ deliveries }) => deliveries.addMissing([]))).toEqual([]);
    });

    test("addMissing() accepts large batches", async () => {
      const { transaction } = await open();
      const many = Array.from({ length: 250 }, (_, n) => delivery(`alert:${n}`));
      expect(await transaction(({ deliveries }) => deliveries.addMissing(many))).toEqual(many.map(({ id }) => id));
    });

    test("claimDue() claims lower lanes first, then in order, and nothing that is not due", async () => {
      const { transaction } = await open();
      const rows = [
        delivery("alert:late", { lane: 2, runAt: later(-5), turn: later(-1) }),
        delivery("alert:early", { lane: 2, runAt: later(-1), turn: later(-5) }),
        delivery("mail:1", { lane: 0, runAt: NOW }),
        delivery("report:1", { lane: 3, runAt: later(-9) }),
        delivery("alert:future", { lane: 0, runAt: later(1) }),
        delivery("alert:held", { lane: 0, state: "held" }),
        delivery("alert:dead", { lane: 0, state: "dead" }),
        delivery("alert:telegram", { lane: 0, recipient: { channel: "telegram", value: "alice" } }),
      ];
      await transaction(({ deliveries }) => deliveries.addMissing(rows));
      const first = await claim(transaction, 3);
      expect(first.map(({ subject }) => subject)).toEqual(["mail:1", "alert:early", "alert:late"]);
      expect(first[0]).toEqual({
        ...(rows[2] as Delivery),
        state: "sending",
        claims: 1,
        leaseToken: expect.any(String),
        leaseUntil: LEASE,
      });
      expect((await claim(transaction)).map(({ subject }) => subject)).toEqual(["report:1"]);
      expect(await claim(transaction)).toEqual([]);
    });

    test("claimDue() gives each delivery to one of several concurrent callers", async () => {
      const { transaction } = await open();
      await transaction(({ deliveries }) =>
        deliveries.addMissing(Array.from({ length: 20 }, (_, n) => delivery(`alert:${n}`))),
      );
      const claims = await Promise.all(Array.from({ length: 10 }, () => claim(transaction, 4)));
      const ids = claims.flat().map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (let rest = await claim(transaction, 4); rest.length > 0; rest = await claim(transaction, 4))
        ids.push(...rest.map(({ id }) => id));
      expect(new Set(ids).size).toBe(20);
    });

    test("claimDue() takes over from a dead worker, as in doubt, and fences that worker off", async () => {
      const { transaction } = await open();
      await transaction(({ deliveries }) => deliveries.addMissing([delivery("alert:1")]));
      const [first] = await claim(transaction);
      expect(await claim(transaction, 10, LEASE)).toEqual([]);
      const [second] = await claim(transaction, 10, later(60_001), later(120_000));
      expect(second).toMatchObject({ id: first?.id, state: "sending", claims: 2, inDoubt: true });
      if (!first?.leaseToken || !second?.leaseToken) throw new Error("Not claimed");

      const record = (token: string, state: Delivery["state"]) =>
        transaction(({ deliveries }) =>
          deliveries.replaceClaimed(token, { ...second, state, leaseToken: undefined, leaseUntil: undefined }),
        );
      expect(await record(first.leaseToken, "dead")).toBe(false);
      expect((await transaction(({ deliveries }) => deliveries.find(second.id)))?.state).toBe("sending");
      expect(await record(second.leaseToken, "sent")).toBe(true);
      expect(await record(second.leaseToken, "dead")).toBe(false);
      expect((await transaction(({ deliveries }) => deliveries.find(second.id)))?.state).toBe("sent");
    });

    test("expire() cancels what is past its time, erases its secrets and leaves the rest", async () => {
      const { transaction } = await open();
      const rows = [
        delivery("mail:due", { sealed: "s", notAfter: NOW }),
        delivery("mail:held", { sealed: "s", notAfter: NOW, state: "held", reason: "misconfigured" }),
        delivery("mail:sending", { sealed: "s", notAfter: NOW, state: "sending", leaseUntil: LEASE }),
        delivery("mail:open", { sealed: "s", notAfter: later(1) }),
        delivery("mail:always", { sealed: "s" }),
      ];
      await transaction(({ deliveries }) => deliveries.addMissing(rows));
      expect(await transaction(({ deliveries }) => deliveries.expire(NOW))).toHaveLength(2);
      const [due, held, ...rest] = await transaction(({ deliveries }) =>
        Promise.all(rows.map(({ id }) => deliveries.find(id))),
      );
      for (const row of [due, held])
        expect(row).toMatchObject({ state: "cancelled", reason: "expired", sealed: undefined, endedAt: NOW });
      expect(rest).toEqual(rows.slice(2));
    });

    test("releaseHeld() makes due what was held for that reason, for one contact or for all", async () => {
      const { transaction } = await open();
      const rows = [
        delivery("alert:1", { state: "held", reason: "unconfirmed", contactId: BOB_ID }),
        delivery("alert:2", { state: "held", reason: "unconfirmed", contactId: ALICE_ID }),
        delivery("alert:3", { state: "held", reason: "misconfigured", contactId: BOB_ID }),
      ];
      await transaction(({ deliveries }) => deliveries.addMissing(rows));
      expect(await transaction(({ deliveries }) => deliveries.releaseHeld("unconfirmed", BOB_ID, later(5)))).toBe(1);
      expect(await transaction(({ deliveries }) => deliveries.find(rows[0]?.id ?? ""))).toMatchObject({
        state: "due",
        reason: undefined,
        runAt: later(5),
      });
      expect(await transaction(({ deliveries }) => deliveries.releaseHeld("unconfirmed", undefined, NOW))).toBe(1);
      expect(await transaction(({ deliveries }) => deliveries.releaseHeld("crash_loop", undefined, NOW))).toBe(0);
    });

    test("releaseHeldByChannel() makes due what the channel's failure holds, the longest waiting first", async () => {
      const { transaction } = await open();
      const held = { state: "held", reason: "misconfigured" } as const;
      const rows = [
        delivery("alert:1", { ...held, turn: later(2) }),
        delivery("alert:2", { ...held, turn: later(1) }),
        delivery("alert:3", { ...held, failingSince: NOW }),
        delivery("alert:4", { ...held, reason: "unconfirmed" }),
        delivery("alert:5", { ...held, recipient: { channel: "telegram", value: "alice_bell" } }),
      ];
      await transaction(({ deliveries }) => deliveries.addMissing(rows));
      const release = (most?: number) =>
        transaction(({ deliveries }) => deliveries.releaseHeldByChannel("email", later(5), most));
      const due = async () => {
        const found = await Promise.all(rows.map(({ id }) => transaction(({ deliveries }) => deliveries.find(id))));
        return found.flatMap((row) => (row?.state === "due" ? row.subject : []));
      };
      expect(await release(1)).toBe(1);
      expect(await due()).toEqual(["alert:2"]);
      expect(await release()).toBe(1);
      expect(await due()).toEqual(["alert:1", "alert:2"]);
      expect(await release()).toBe(0);
      expect(await transaction(({ deliveries }) => deliveries.find(rows[0]?.id ?? ""))).toMatchObject({
        reason: undefined,
        runAt: later(5),
        turn: later(5),
      });
    });

    test("attempts are listed in order, and deleted with their account", async () => {
      const { transaction } = await open();
      const row = delivery("alert:1");
      const kept = delivery("alert:1", {
        accountId: BOB_ID,
        recipient: { channel: "email", value: "bob@home.example" },
      });
      const attempt = (id: string, startedAt: Date) => ({
        id,
        deliveryId: row.id,
        startedAt,
        endedAt: undefined,
        outcome: undefined,
        detail: undefined,
      });
      const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
      await transaction(async ({ deliveries }) => {
        await deliveries.addMissing([row, kept]);
        await deliveries.addAttempt(attempt(one, NOW));
        await deliveries.addAttempt(attempt(two, later(10)));
        await deliveries.endAttempts([{ id: one, endedAt: later(5), outcome: "retry", detail: "451" }]);
      });
      expect(await transaction(({ deliveries }) => deliveries.listAttempts(row.id))).toEqual([
        { ...attempt(one, NOW), endedAt: later(5), outcome: "retry", detail: "451" },
        attempt(two, later(10)),
      ]);
      await transaction(({ deliveries }) => deliveries.removeByAccount(ALICE_ID));
      await transaction(async ({ deliveries }) => {
        expect(await deliveries.listAttempts(row.id)).toEqual([]);
        expect(await deliveries.find(row.id)).toBeUndefined();
        expect(await deliveries.find(kept.id)).toEqual(kept);
      });
    });

    test("backlog() counts pending and failed deliveries", async () => {
      const { transaction } = await open();
      const empty = { due: 0, retrying: 0, oldestDueAt: undefined, held: 0, dead: 0, inDoubt: 0 };
      expect(await transaction(({ deliveries }) => deliveries.backlog(NOW))).toEqual(empty);
      const rows = [
        delivery("1", { runAt: later(-7) }),
        delivery("2", { runAt: later(-3), inDoubt: true }),
        delivery("3", { runAt: later(3), reason: "retry" }),
        delivery("4", { state: "held", reason: "crash_loop" }),
        delivery("5", { state: "dead", inDoubt: true }),
      ];
      await transaction(({ deliveries }) => deliveries.addMissing(rows));
      const backlog = await transaction(({ deliveries }) => deliveries.backlog(NOW));
      expect(backlog).toEqual({ due: 2, retrying: 1, oldestDueAt: later(-7), held: 1, dead: 1, inDoubt: 2 });
    });
  });

  test("a rolled back transaction leaves nothing, events included", async () => {
    const { transaction, outbox } = await open();
    const row = delivery("alert:1");
    const work = transaction(async ({ contacts, deliveries, channels, events }) => {
      await contacts.add(contact("a@x.example"));
      await deliveries.addMissing([row]);
      await channels.countFailure("email", "535");
      await events.publish({ type: "identity.deleted", accountId: ALICE_ID });
      throw new Error("no");
    });
    await expect(work).rejects.toThrow("no");
    await transaction(async ({ contacts, deliveries, channels }) => {
      expect(await contacts.list(ALICE_ID)).toEqual([]);
      expect(await deliveries.find(row.id)).toBeUndefined();
      expect(await channels.listFailing()).toEqual([]);
    });
    expect((await outbox.backlog()).waiting).toBe(0);
  });

  test("a nested transaction is refused", async () => {
    const { transaction } = await open();
    await expect(transaction(() => transaction(async () => 1))).rejects.toThrow("inside a transaction");
  });

  test("a stored delivery is a copy", async () => {
    const { transaction } = await open();
    const row = delivery("alert:1");
    await transaction(({ deliveries }) => deliveries.addMissing([row]));
    row.about = { kind: "confirmation" };
    expect((await transaction(({ deliveries }) => deliveries.find(row.id)))?.about.kind).toBe("login_code");
  });
});
