import { describe, expect, test } from "bun:test";
import type { Event } from "../../src/events/catalogue.ts";
import { createDispatcher } from "../../src/events/outbox.ts";
import { MINUTE, SECOND } from "../support/clock.ts";
import { type Deletion, deletion, eventWorld, subscriber } from "./event_world.ts";

describe("drain()", () => {
  test("of a stopping process finishes the current event and releases the others immediately", async () => {
    let isStopping = false;
    const seen: string[] = [];
    const { deps, publish, waiting } = eventWorld(() => ({
      "identity.deleted": {
        tracking: async ({ accountId }: Deletion) => {
          seen.push(accountId);
          isStopping = true;
        },
      },
    }));
    await publish(deletion("alice"), deletion("bob"), deletion("charlie"));
    expect(await createDispatcher({ ...deps, isStopping: () => isStopping }).drain()).toBe(3);
    expect([seen, await waiting()]).toEqual([["alice"], 2]);
    await createDispatcher(deps).drain();
    expect([seen.toSorted(), await waiting()]).toEqual([["alice", "bob", "charlie"], 0]);
  });

  test("delivers every event to every subscriber, in the order of publishing, and then deletes it", async () => {
    const [tracking, billing] = [subscriber(), subscriber()];
    const { publish, dispatcher, waiting } = eventWorld(() => ({
      "identity.deleted": { tracking: tracking.handle, billing: billing.handle },
    }));
    const accounts = Array.from({ length: 45 }, (_, number) => `account ${number}`);
    await publish(...accounts.map(deletion));
    expect(await dispatcher.drain()).toBe(45);
    expect(tracking.got).toEqual(accounts);
    expect(billing.got).toEqual(accounts);
    expect(await waiting()).toBe(0);
    expect(await dispatcher.drain()).toBe(0);
  });

  test("delivers two concurrently of those without an order key, and sequentially otherwise", async () => {
    const begun: string[] = [];
    const gates = new Map<string, () => void>();
    const wait = (name: string) => {
      begun.push(name);
      return new Promise<void>((resolve) => gates.set(name, resolve));
    };
    const { publish, dispatcher, waiting } = eventWorld(() => ({
      "identity.deleted": { tracking: ({ accountId }) => wait(accountId) },
      "breaches.openAlertsChanged": { tracking: ({ counts }) => wait(counts[0]?.associationId ?? "") },
    }));
    const changed = (associationId: string): Event => ({
      type: "breaches.openAlertsChanged",
      counts: [{ associationId, open: 1, version: 1 }],
    });
    await publish(changed("1"), changed("2"), changed("3"), deletion("alice"), changed("4"));
    const drained = dispatcher.drain();
    for (const [ended, expected] of [
      [[], ["1", "2"]],
      [["2"], ["1", "2", "3"]],
      [["3"], ["1", "2", "3"]],
      [["1"], ["1", "2", "3", "alice"]],
      [["alice"], ["1", "2", "3", "alice", "4"]],
    ] as const) {
      for (const name of ended) gates.get(name)?.();
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(begun).toEqual([...expected]);
    }
    gates.get("4")?.();
    expect(await drained).toBe(5);
    expect(await waiting()).toBe(0);
  });

  test("deletes an event without a subscriber", async () => {
    const { publish, dispatcher, waiting } = eventWorld(() => ({}));
    await publish(deletion("alice"));
    expect(await dispatcher.drain()).toBe(1);
    expect(await waiting()).toBe(0);
  });

  test("continues with what subscribers publish meanwhile", async () => {
    const stopped: string[] = [];
    const { publish, dispatcher, waiting } = eventWorld((announce) => ({
      "identity.deleted": {
        tracking: ({ accountId }) =>
          announce({ type: "tracking.monitoringStopped", associationId: "1", accountId, address: "a@example.com" }),
      },
      "tracking.monitoringStopped": { breaches: async ({ accountId }) => stopped.push(accountId) },
    }));
    await publish(deletion("alice"));
    expect(await dispatcher.drain()).toBe(2);
    expect(stopped).toEqual(["alice"]);
    expect(await waiting()).toBe(0);
  });

  test("retries only the failing subscriber, and reports it", async () => {
    const failure = new Error("Cannot reach the database");
    const [tracking, billing, notifications] = [subscriber(), subscriber([failure]), subscriber()];
    const { clock, publish, dispatcher, errors, waiting } = eventWorld(() => ({
      "identity.deleted": { tracking: tracking.handle, billing: billing.handle, notifications: notifications.handle },
    }));
    await publish(deletion("alice"));
    await dispatcher.drain();
    expect(errors).toEqual([
      {
        error: failure,
        context: { event: "identity.deleted", id: expect.any(String), subscriber: "billing", attempts: 1 },
      },
    ]);
    clock.pass(2 * SECOND);
    await dispatcher.drain();
    expect(tracking.got).toEqual(["alice"]);
    expect(billing.got).toEqual(["alice", "alice"]);
    expect(notifications.got).toEqual(["alice"]);
    expect(await waiting()).toBe(0);
  });

  test("loses nothing whatever a subscriber throws", async () => {
    const thrown = [undefined, null, "", 0, "a word", { an: "object" }, new Error("An error")];
    const tracking = subscriber([...thrown]);
    const { clock, publish, dispatcher, errors, waiting } = eventWorld(() => ({
      "identity.deleted": { tracking: tracking.handle },
    }));
    await publish(deletion("alice"));
    for (const [index] of thrown.entries()) {
      await dispatcher.drain();
      expect(errors).toHaveLength(index + 1);
      expect(await waiting()).toBe(1);
      clock.pass(5 * MINUTE);
    }
    await dispatcher.drain();
    expect(await waiting()).toBe(0);
    expect(tracking.got).toHaveLength(thrown.length + 1);
  });

  test("doubles the delay after each failure, up to five minutes, and never gives up", async () => {
    const tracking = subscriber(Array(15).fill(new Error("Not now")));
    const { clock, publish, dispatcher, waiting } = eventWorld(() => ({
      "identity.deleted": { tracking: tracking.handle },
    }));
    await publish(deletion("alice"));
    await dispatcher.drain();
    for (const seconds of [2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300, 300, 300]) {
      clock.pass(seconds * SECOND - 1);
      expect(await dispatcher.drain()).toBe(0);
      clock.pass(1);
      expect(await dispatcher.drain()).toBe(1);
    }
    expect(tracking.got).toHaveLength(15);
    expect(await waiting()).toBe(1);
  });

  test("does not let a failing event delay others", async () => {
    const got: string[] = [];
    const { publish, dispatcher, waiting } = eventWorld(() => ({
      "identity.deleted": {
        async tracking({ accountId }) {
          if (accountId === "alice") throw new Error("Not her");
          got.push(accountId);
        },
      },
    }));
    await publish(deletion("alice"), deletion("bob"), deletion("charlie"));
    await dispatcher.drain();
    expect(got).toEqual(["bob", "charlie"]);
    expect(await waiting()).toBe(1);
  });

  test("takes over from a process that died, without repeating its completed work", async () => {
    const [tracking, billing] = [subscriber(), subscriber()];
    const { clock, outbox, publish, dispatcher, waiting } = eventWorld(() => ({
      "identity.deleted": { tracking: tracking.handle, billing: billing.handle },
    }));
    await publish(deletion("alice"));
    const [claimed] = await outbox.claim(1, clock.now(), MINUTE);
    await outbox.markDone(claimed?.id ?? "", claimed?.leaseToken ?? "", "tracking");
    expect(await dispatcher.drain()).toBe(0);
    clock.pass(MINUTE + 1);
    expect(await dispatcher.drain()).toBe(1);
    expect(tracking.got).toEqual([]);
    expect(billing.got).toEqual(["alice"]);
    expect(await waiting()).toBe(0);
  });

  test("leaves events whose lease has ended to the process that took them over", async () => {
    const got: string[] = [];
    const world = eventWorld(() => ({
      "identity.deleted": {
        async accounts({ accountId }) {
          got.push(accountId);
          // The first process is suspended for a minute; meanwhile another one handles what follows.
          if (got.length > 1) return;
          world.clock.pass(60_000);
          await createDispatcher(world.deps).drain();
        },
      },
    }));
    await world.publish(deletion("first"), deletion("second"), deletion("third"));
    await world.dispatcher.drain();
    expect(got).toEqual(["first", "first", "second", "third"]);
    expect(await world.waiting()).toBe(0);
  });

  test("shares the events with another process, each being delivered once", async () => {
    const tracking = subscriber();
    const { publish, deps } = eventWorld(() => ({ "identity.deleted": { tracking: tracking.handle } }));
    const accounts = Array.from({ length: 100 }, (_, number) => `account ${number}`);
    await publish(...accounts.map(deletion));
    const taken = await Promise.all([createDispatcher(deps).drain(), createDispatcher(deps).drain()]);
    expect(taken[0] + taken[1]).toBe(100);
    expect(tracking.got.toSorted()).toEqual(accounts.toSorted());
  });
});
