import { expect, test } from "bun:test";
import { RIGHTS } from "../../src/events/rights.ts";
import { subscriptionsOf } from "../../src/subscription_list.ts";

/** A stub for any module with any subscriber. */
const anything = new Proxy({}, { get: () => async () => {} });
const modules = new Proxy({}, { get: () => anything }) as Parameters<typeof subscriptionsOf>[0];

test.each(Object.entries(RIGHTS))(
  "%s is derived again by events with a subscriber, or needs none",
  (_, { facts, derivedBy, otherwise }) => {
    const subscriptions = subscriptionsOf(modules, { erasures: anything as never });
    expect(facts).not.toEqual([]);
    expect(derivedBy.length > 0 || otherwise !== undefined).toBe(true);
    for (const type of derivedBy) expect(Object.keys(subscriptions), type).toContain(type);
  },
);
