import type { Event, EventOf, Subscriber, Subscriptions } from "../../src/events/catalogue.ts";
import { createDispatcher } from "../../src/events/outbox.ts";
import { memoryDatabase } from "../memory/database.ts";
import { memoryEvents, memoryOutbox } from "../memory/events/outbox.ts";
import { testClock } from "../support/clock.ts";

export type Deletion = EventOf<"identity.deleted">;
export const deletion = (accountId: string): Deletion => ({ type: "identity.deleted", accountId });

/** A dispatcher on an in-memory outbox, and its publisher. */
export function eventWorld(subscriptionsOf: (publish: (...events: Event[]) => Promise<void>) => Subscriptions) {
  const clock = testClock();
  const database = memoryDatabase();
  const transaction = database.transactionOf((tables) => ({ events: memoryEvents(tables) }));
  const outbox = memoryOutbox(database);
  const errors: { error: unknown; context: Record<string, unknown> }[] = [];
  const publish = (...events: Event[]) =>
    transaction(async (store) => {
      for (const event of events) await store.events.publish(event);
    });
  const deps = {
    outbox,
    subscriptions: subscriptionsOf(publish),
    now: clock.now,
    sleep: async (ms: number) => clock.pass(ms),
    onError: (error: unknown, context: Record<string, unknown>) => void errors.push({ error, context }),
  };
  return {
    clock,
    outbox,
    publish,
    errors,
    deps,
    dispatcher: createDispatcher(deps),
    waiting: async () => (await outbox.backlog()).waiting,
  };
}

/** Records what it receives; throws each error of `fails`, one per call. */
export function subscriber(fails: unknown[] = []) {
  const got: string[] = [];
  const handle: Subscriber<Deletion> = async ({ accountId }) => {
    got.push(accountId);
    if (fails.length > 0) throw fails.shift();
  };
  return { got, handle };
}
