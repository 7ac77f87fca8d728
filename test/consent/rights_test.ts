import { expect, test } from "bun:test";
import { subscriptionsOf } from "../../src/subscription_list.ts";
import { RIGHTS } from "./rights.ts";

/** Any module, with any subscriber. */
const anything = new Proxy({}, { get: () => async () => {} });
const modules = new Proxy({}, { get: () => anything }) as Parameters<typeof subscriptionsOf>[0];

test.each(Object.entries(RIGHTS))(
  "%s is derived again by events that somebody listens to",
  (_, { facts, derivedBy }) => {
    const subscriptions = subscriptionsOf(modules, { erasures: anything as never });
    expect(facts).not.toEqual([]);
    for (const type of derivedBy) expect(Object.keys(subscriptions), type).toContain(type);
  },
);
