import { describe, expect, test } from "bun:test";
import { postgresBilling } from "../../src/billing/adapters/postgres/store.ts";
import type { Event } from "../../src/events/catalogue.ts";
import type { ClaimedEvent } from "../../src/events/outbox.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryBilling } from "../memory/billing/store.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { HOUR, MINUTE } from "../support/clock.ts";
import { eachDatabase } from "../support/postgres.ts";
import { LATER } from "../support/published.ts";

const after = (ms: number) => new Date(LATER.getTime() + ms);
const deletion = (accountId: string): Event => ({ type: "identity.deleted", accountId });
const eventsOf = (claimed: ClaimedEvent[]) => claimed.map(({ event }) => event);

describe.each(eachDatabase(memoryBilling, postgresBilling))("Outbox on %s", (_, open) => {
  async function outboxOf(...published: Event[]) {
    const { transaction, outbox } = await open();
    const publish = (...events: Event[]) =>
      transaction(async (store) => {
        for (const event of events) await store.events.publish(event);
      });
    await publish(...published);
    return {
      transaction,
      outbox,
      publish,
      claim: (ms = 0, limit = 100) => outbox.claim(limit, after(ms), MINUTE),
      async claimOne(ms = 0) {
        const [claimed] = await outbox.claim(1, after(ms), MINUTE);
        if (claimed === undefined) throw new Error("Cannot claim anything");
        return claimed;
      },
    };
  }

  test("claim() respects its limit, however much was added since its statement was first used", async () => {
    const { transaction, claim } = await outboxOf();
    for (let use = 0; use < 12; use++) expect(await claim(0, 20)).toEqual([]);
    const many = Array.from({ length: 2000 }, (_, number) => deletion(`account-${number}`));
    await transaction((store) => store.events.publish(...many));
    expect(eventsOf(await claim(0, 20))).toEqual(many.slice(0, 20));
    expect(eventsOf(await claim(0, 20))).toEqual(many.slice(20, 40));
  });

  test("claim() returns what was published", async () => {
    const events: Event[] = [
      {
        type: "billing.subscriptionChanged",
        accountId: ALICE.accountId,
        active: true,
        cap: null,
        changedAt: "2026-11-20T12:00:00.000Z",
      },
      {
        type: "mail.requested",
        to: ALICE.address,
        language: "de",
        template: "login_code",
        params: { name: 'Ælice “\\" {json}' },
        sealed: "c2VjcmV0",
      },
      { type: "breaches.alertsRaised", alerts: [{ alertId: "1", associationId: "2", accountId: "3" }] },
      { type: "breaches.baselineReady", associationId: "2", accountId: "3", alertIds: [] },
    ];
    const { claim } = await outboxOf(...events);
    const claimed = await claim();
    expect(eventsOf(claimed)).toEqual(events);
    for (const { doneBy, attempts } of claimed) expect({ doneBy, attempts }).toEqual({ doneBy: [], attempts: 1 });
    expect(new Set(claimed.map(({ id }) => id)).size).toBe(4);
  });

  test("claim() returns events about one association sequentially, even if the first is retried", async () => {
    const about = { associationId: "home", accountId: ALICE.accountId, address: ALICE.address };
    const started: Event = { type: "tracking.monitoringStarted", ...about, scope: FULL_SCOPE };
    const stopped: Event = { type: "tracking.monitoringStopped", ...about };
    const other: Event = { type: "tracking.monitoringStarted", ...about, scope: FULL_SCOPE, associationId: "work" };
    const { claim, outbox } = await outboxOf(started, stopped, other);
    const [first, ...others] = await claim();
    expect(first?.event).toEqual(started);
    expect(eventsOf(others)).toEqual([other]);
    // While the first is in progress or waits for a retry, the second waits.
    expect(await claim()).toEqual([]);
    await outbox.retryAt(first?.id ?? "", first?.leaseToken ?? "", after(MINUTE), "not yet");
    expect(await claim()).toEqual([]);
    const [again] = await claim(2 * HOUR);
    expect(again?.event).toEqual(started);
    await outbox.remove(again ? [again] : []);
    expect(eventsOf(await claim(2 * HOUR))).toContainEqual(stopped);
  });

  test("claim() keeps the order of publishing, within a transaction and across transactions", async () => {
    const events = Array.from({ length: 60 }, (_, number) => deletion(`account ${number}`));
    const { claim, publish } = await outboxOf(...events.slice(0, 50));
    for (const event of events.slice(50)) await publish(event);
    expect(eventsOf(await claim(0, 20))).toEqual(events.slice(0, 20));
    expect(eventsOf(await claim(0, 20))).toEqual(events.slice(20, 40));
    expect(eventsOf(await claim(0, 100))).toEqual(events.slice(40));
    expect(await claim()).toEqual([]);
  });

  test("claim() keeps the order of publishing also among retried events", async () => {
    const events = ["alice", "bob", "charlie"].map(deletion);
    const { outbox, claim } = await outboxOf(...events);
    for (const { id, leaseToken } of (await claim()).toReversed())
      await outbox.retryAt(id, leaseToken, after(5), "Not now");
    expect(eventsOf(await claim(5))).toEqual(events);
  });

  test("claim() gives each event to one of ten concurrent claimers, none more than requested", async () => {
    const events = Array.from({ length: 45 }, (_, number) => deletion(`account ${number}`));
    const { claim } = await outboxOf(...events);
    const claimed = await Promise.all(Array.from({ length: 10 }, () => claim(0, 5)));
    for (const batch of claimed) expect(batch.length).toBeLessThanOrEqual(5);
    const all = eventsOf([...claimed.flat(), ...(await claim())]);
    expect(all).toHaveLength(45);
    expect(all).toEqual(expect.arrayContaining(events));
  });

  test("an event whose claimer died is returned when the lease expires, with its former holder", async () => {
    const { outbox, claim, claimOne } = await outboxOf(deletion(ALICE.accountId));
    const first = await claimOne();
    expect(await outbox.markDone(first.id, first.leaseToken, "tracking")).toBe(true);
    expect(await outbox.markDone(first.id, first.leaseToken, "billing")).toBe(true);
    expect(await claim(MINUTE)).toEqual([]);
    const [second] = await claim(MINUTE + 1);
    expect(second).toMatchObject({ id: first.id, doneBy: ["tracking", "billing"], attempts: 2 });
    expect(second?.leaseToken).not.toBe(first.leaseToken);
  });

  test("calls without the lease change nothing", async () => {
    const { outbox, claimOne, claim } = await outboxOf(deletion(ALICE.accountId));
    const lost = await claimOne();
    const held = await claimOne(MINUTE + 1);
    expect(await outbox.markDone(lost.id, lost.leaseToken, "tracking")).toBe(false);
    await outbox.retryAt(lost.id, lost.leaseToken, after(0), "Too late");
    await outbox.remove([lost]);
    expect(await claim(MINUTE + 2)).toEqual([]);
    expect(await outbox.markDone(held.id, held.leaseToken, "billing")).toBe(true);
    expect((await claimOne(HOUR)).doneBy).toEqual(["billing"]);
  });

  test("remove() deletes the events whose lease is still held", async () => {
    const events = [deletion(ALICE.accountId), deletion("charlie"), deletion(BOB.accountId)];
    const { outbox, claim, claimOne } = await outboxOf(...events);
    const { id, leaseToken } = await claimOne();
    const other = await claimOne();
    await outbox.remove([{ id, leaseToken }, other, { id: crypto.randomUUID(), leaseToken }]);
    await outbox.remove([{ id, leaseToken }]);
    await outbox.remove([]);
    expect(await outbox.markDone(id, leaseToken, "tracking")).toBe(false);
    expect(eventsOf(await claim(HOUR))).toEqual([deletion(BOB.accountId)]);
  });

  test("retryAt() returns the event to the queue for its time, with its progress", async () => {
    const { outbox, claim, claimOne } = await outboxOf(deletion(ALICE.accountId));
    const { id, leaseToken } = await claimOne();
    await outbox.markDone(id, leaseToken, "tracking");
    await outbox.retryAt(id, leaseToken, after(5000), "Cannot\0 reach the database ".repeat(100));
    expect(await claim(4999)).toEqual([]);
    expect(await claim(5000)).toMatchObject([{ id, doneBy: ["tracking"], attempts: 2 }]);
  });

  test("backlog() counts what is pending, claimed or not, and returns the oldest", async () => {
    const { outbox, claim, publish } = await outboxOf();
    expect(await outbox.backlog()).toEqual({ waiting: 0, oldest: undefined });
    await publish(deletion(ALICE.accountId), deletion(BOB.accountId));
    const claimed = await claim();
    expect(await outbox.backlog()).toMatchObject({ waiting: 2, oldest: expect.any(Date) });
    for (const [index, { id, leaseToken }] of claimed.entries()) {
      await outbox.retryAt(id, leaseToken, after(HOUR * (2 - index)), "Not now");
    }
    expect(await outbox.backlog()).toEqual({ waiting: 2, oldest: after(HOUR) });
  });

  test("claim() returns only events of the given type; the others keep their position", async () => {
    const mail: Event = {
      type: "mail.requested",
      to: ALICE.address,
      language: "de",
      template: "login_code",
      params: {},
    };
    const { outbox, claim } = await outboxOf(deletion(ALICE.accountId), mail, deletion(BOB.accountId));
    const only = await outbox.claim(100, after(0), MINUTE, { type: "mail.requested" });
    expect(eventsOf(only)).toEqual([mail]);
    expect(await outbox.claim(100, after(0), MINUTE, { type: "mail.requested" })).toEqual([]);
    expect(eventsOf(await claim())).toEqual([deletion(ALICE.accountId), deletion(BOB.accountId)]);
  });

  test("claim() returns only events of the given key, sequentially; waits() returns whether any is left", async () => {
    const { outbox, claim } = await outboxOf(
      ...[deletion(ALICE.accountId), deletion(BOB.accountId), deletion(BOB.accountId)],
    );
    const next = () => outbox.claim(100, after(0), MINUTE, { orderKey: BOB.accountId });
    const [first] = await next();
    expect(first?.event).toEqual(deletion(BOB.accountId));
    // The next one waits until it is done.
    expect(await next()).toEqual([]);
    await outbox.remove(first ? [first] : []);
    const [second] = await next();
    expect(await outbox.waits(BOB.accountId)).toBe(true);
    await outbox.remove(second ? [second] : []);
    expect(await outbox.waits(BOB.accountId)).toBe(false);
    expect(eventsOf(await claim())).toEqual([deletion(ALICE.accountId)]);
  });

  test("hasOlderThan() returns true until every older event is finished", async () => {
    const { outbox, claim, publish } = await outboxOf();
    expect(await outbox.hasOlderThan(LATER)).toBe(false);
    await publish(deletion("alice"));
    expect(await outbox.hasOlderThan(LATER)).toBe(true);
    const claimed = await claim();
    expect(await outbox.hasOlderThan(LATER)).toBe(true);
    await outbox.remove(claimed);
    expect(await outbox.hasOlderThan(LATER)).toBe(false);
  });

  test("what was published in a rolled back transaction does not exist", async () => {
    const { transaction, outbox } = await outboxOf();
    const failing = transaction(async ({ events }) => {
      await events.publish(deletion(ALICE.accountId));
      throw new Error("Cannot go on");
    });
    await expect(failing).rejects.toThrow("Cannot go on");
    expect((await outbox.backlog()).waiting).toBe(0);
  });

  test("a published event is a copy", async () => {
    const event: Event = { type: "breaches.baselineReady", associationId: "2", accountId: "3", alertIds: ["1"] };
    const { transaction, claim } = await outboxOf();
    await transaction(async ({ events }) => {
      await events.publish(event);
      event.alertIds.push("later");
    });
    expect(await claim()).toMatchObject([{ event: { alertIds: ["1"] } }]);
  });
});
