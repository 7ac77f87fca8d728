import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Event } from "../../src/events/catalogue.ts";
import { createDispatcher } from "../../src/events/outbox.ts";
import { coveredBy, statusOf } from "../../src/tracking/association.ts";
import { ALICE, anAssociation } from "../support/builders.ts";
import { HOUR } from "../support/clock.ts";
import { trackingWorld } from "../support/tracking.ts";

/** The events: per association its counts of open alerts, and the account's plans, each in publishing order. */
const history = fc.record({
  counts: fc.array(fc.array(fc.nat({ max: 2 }), { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
  paused: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  plans: fc.array(fc.record({ active: fc.boolean(), cap: fc.option(fc.nat({ max: 4 })) }), { maxLength: 4 }),
  /** How they are delivered: in which order, how often, and with which failures. */
  order: fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
  copies: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 20, maxLength: 20 }),
  mishaps: fc.array(fc.constantFrom("none", "before", "after"), { maxLength: 40 }),
});

test("the status of an association follows the rule once all events are processed, in any order and number", async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ counts, paused, plans, order, copies, mishaps }) => {
      const { clock, tracking, outbox, transaction, store, associationsOf } = trackingWorld();
      const associations = counts.map((_, index) =>
        anAssociation({
          address: `alice+${index}@example.com`,
          paused: paused[index] ?? false,
          createdAt: new Date(index),
        }),
      );
      await store(...associations);

      const happened: Event[] = [
        ...counts.flatMap((opens, index) =>
          opens.map((open, version) => {
            const associationId = associations[index]?.id ?? "";
            const count = { associationId, open, version: version + 1 };
            return { type: "breaches.openAlertsChanged" as const, counts: [count] };
          }),
        ),
        ...plans.map((plan, index) => {
          const changedAt = new Date(1000 + index).toISOString();
          return { type: "billing.subscriptionChanged" as const, accountId: ALICE.accountId, ...plan, changedAt };
        }),
      ];
      const delivered = happened
        .flatMap((event, index) => Array.from({ length: copies[index] ?? 1 }, () => event))
        .map((event, index) => ({ event, place: order[index % order.length] ?? 0 }))
        .toSorted((one, other) => one.place - other.place);
      await transaction(async ({ events }) => {
        for (const { event } of delivered) await events.publish(event);
      });

      let calls = 0;
      const told = new Map<string, boolean>();
      const flaky =
        <E>(handle: (event: E) => Promise<void>) =>
        async (event: E) => {
          const mishap = mishaps[calls++] ?? "none";
          if (mishap === "before") throw new Error("Cannot reach the database");
          await handle(event);
          if (mishap === "after") throw new Error("Cannot say that it is done");
        };
      const dispatcher = createDispatcher({
        outbox,
        now: clock.now,
        sleep: async () => {},
        onError: () => {},
        subscriptions: {
          "breaches.openAlertsChanged": { tracking: flaky(tracking.onOpenAlertsChanged) },
          "billing.subscriptionChanged": { tracking: flaky(tracking.onSubscriptionChanged) },
          "tracking.monitoringSuspended": { breaches: async ({ associationId }) => void told.set(associationId, true) },
          "tracking.monitoringResumed": { breaches: async ({ associationId }) => void told.set(associationId, false) },
        },
      });
      while ((await outbox.backlog()).waiting > 0) {
        await dispatcher.drain();
        clock.pass(HOUR);
      }

      const plan = plans.at(-1) ?? { active: true, cap: null };
      const covered = coveredBy(associations, plan);
      for (const association of await associationsOf(ALICE.accountId)) {
        const opens = counts[associations.findIndex(({ id }) => id === association.id)] ?? [];
        const suspended = !covered.has(association.id);
        const facts = {
          paused: association.paused,
          suspended,
          openAlerts: opens.at(-1) ?? 0,
          openVersion: opens.length,
        };
        expect(association).toMatchObject(facts);
        expect(statusOf(association)).toBe(statusOf(facts));
        // A paused association is not shown as suspended.
        expect(told.get(association.id) ?? false).toBe(suspended && !association.paused);
      }
    }),
    { numRuns: 300 },
  );
});
