import { expect, test } from "bun:test";
import { subscriptionsOf } from "../../src/subscription_list.ts";
import { FACTS, RIGHTS } from "./rights.ts";

/** A stub for any module with any subscriber. */
const anything = new Proxy({}, { get: () => async () => {} });
const modules = new Proxy({}, { get: () => anything }) as Parameters<typeof subscriptionsOf>[0];
const subscriptions: object = subscriptionsOf(modules, { erasures: anything as never });

const PAIRS = Object.entries(RIGHTS).flatMap(([right, facts]) =>
  Object.entries(facts).map(([fact, derivedBy]) => [right, fact, derivedBy] as const),
);

test.each(PAIRS)(
  "%s is derived again from %s by events with a subscriber, or needs none",
  (_right, _fact, derivedBy) => {
    expect(derivedBy.length).toBeGreaterThan(0);
    if (typeof derivedBy === "string") return;
    expect(derivedBy.filter((type) => !Object.hasOwn(subscriptions, type))).toEqual([]);
  },
);

test("every right depends on a fact, and every fact has a right that depends on it", () => {
  expect(Object.entries(RIGHTS).filter(([, facts]) => Object.keys(facts).length === 0)).toEqual([]);
  expect(FACTS.filter((fact) => !PAIRS.some(([, other]) => other === fact))).toEqual([]);
});
