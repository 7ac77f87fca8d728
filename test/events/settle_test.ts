import { describe, expect, test } from "bun:test";
import type { Event } from "../../src/events/catalogue.ts";
import { createDispatcher } from "../../src/events/outbox.ts";
import { MINUTE, SECOND } from "../support/clock.ts";
import { deletion, eventWorld, subscriber } from "./event_world.ts";

describe("settle()", () => {
  test("delivers what is pending for one account, and what follows from it, and leaves the others in the queue", async () => {
    const tracking = subscriber();
    const { publish, dispatcher, waiting } = eventWorld((publish) => ({
      "identity.registered": { tracking: ({ accountId }) => publish(deletion(accountId)) },
      "identity.deleted": { tracking: tracking.handle },
    }));
    const bob: Event = { type: "identity.registered", accountId: "bob", email: "bob@example.com", language: "de" };
    await publish(deletion("alice"), bob);
    await dispatcher.drainFor("bob");
    expect([tracking.got, await waiting()]).toEqual([["bob"], 1]);
  });

  test("waits for what another worker is processing, but not forever", async () => {
    const { publish, outbox, deps, clock, errors } = eventWorld(() => ({}));
    await publish(deletion("alice"));
    const [held] = await outbox.claim(1, clock.now(), MINUTE);
    const looks: number[] = [];
    const started = clock.now().getTime();
    const settling = (endsAt: number) =>
      createDispatcher({
        ...deps,
        async sleep(ms: number) {
          clock.pass(ms);
          if (looks.push(ms) === endsAt) await outbox.remove(held ? [held] : []);
        },
      }).drainFor("alice");
    await settling(Number.POSITIVE_INFINITY);
    expect(clock.now().getTime() - started).toBe(4 * SECOND);
    looks.length = 0;
    await settling(3);
    expect([looks.length, errors]).toEqual([3, []]);
  });

  test("does not wait for a failed subscriber, whose event is retried automatically", async () => {
    const tracking = subscriber([new Error("Cannot reach the database")]);
    const { publish, dispatcher, clock, waiting, errors } = eventWorld(() => ({
      "identity.deleted": { tracking: tracking.handle },
    }));
    await publish(deletion("alice"));
    const before = clock.now();
    await dispatcher.drainFor("alice");
    expect([clock.now(), errors.length, await waiting()]).toEqual([before, 1, 1]);
    clock.pass(MINUTE);
    await dispatcher.drain();
    expect([tracking.got, await waiting()]).toEqual([["alice", "alice"], 0]);
  });

  test("reports an outbox that cannot be reached, and throws nothing, as the actual work is done", async () => {
    const { deps, outbox, errors } = eventWorld(() => ({}));
    const broken = { ...outbox, claim: () => Promise.reject(new Error("Cannot reach the database")) };
    await createDispatcher({ ...deps, outbox: broken }).drainFor("alice");
    expect(errors).toEqual([{ error: new Error("Cannot reach the database"), context: { orderKey: "alice" } }]);
  });
});
