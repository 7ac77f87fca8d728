import { expect, test } from "bun:test";
import { createBreaches } from "../../src/breaches/mod.ts";
import { breachWorld, later } from "../support/breaches.ts";
import { BOB } from "../support/builders.ts";
import { MINUTE } from "../support/clock.ts";

const PEOPLE = Array.from({ length: 60 }, (_, number) => `person${String(number).padStart(2, "0")}@example.com`);

/** A source that responds once everybody had a chance to query it; records how many requests were concurrent. */
async function crowdedWorld() {
  const widths: number[] = [];
  let open = 0;
  const world = breachWorld({
    feed: (plain) => ({
      ...plain,
      async lookUp(address) {
        widths.push(++open);
        for (let turn = 0; turn < 50; turn++) await null;
        open -= 1;
        return plain.lookUp(address);
      },
    }),
  });
  for (const address of PEOPLE) await world.watch({ accountId: BOB.accountId, address });
  return { ...world, widths };
}

test("scanDue() sends one request at first, more with every response up to sixteen, and in the order of the queue", async () => {
  const { breaches, widths, lookedUp } = await crowdedWorld();
  expect(await breaches.scanDue()).toEqual({ checked: PEOPLE.length, raised: 0, trouble: undefined });
  expect(widths.slice(0, 2)).toEqual([1, 1]);
  expect(Math.max(...widths)).toBe(16);
  expect(lookedUp()).toEqual(PEOPLE);
});

test("scanDue() sends one request at a time again after a failure", async () => {
  const { breaches, widths, feed, clock, lookedUp } = await crowdedWorld();
  await breaches.scanDue();
  clock.pass(8 * 24 * 60 * MINUTE);
  feed.failNext("lookUp", ...Array.from({ length: 20 }, () => later(MINUTE)));
  await breaches.scanDue();
  const asked = lookedUp().length;
  // Only those that were already sent.
  expect(asked).toBeLessThanOrEqual(PEOPLE.length + 16);
  clock.pass(MINUTE);
  widths.length = 0;
  await breaches.scanDue();
  expect(widths[0]).toBe(1);
  expect(lookedUp().length - asked).toBeLessThanOrEqual(PEOPLE.length);
});

test("scanDue() stores the others when one of a batch cannot be stored", async () => {
  const { deps, transaction, clock, checkedAt, reports } = await crowdedWorld();
  const [poison = ""] = PEOPLE.slice(30);
  const breaches = createBreaches({
    ...deps,
    transaction: (work) =>
      transaction((store) =>
        work({
          ...store,
          scans: {
            ...store.scans,
            async finish(scans, ...given) {
              if (scans.some(({ address }) => address === poison)) throw new Error("Cannot store it");
              return store.scans.finish(scans, ...given);
            },
          },
        }),
      ),
  });
  expect(await breaches.scanDue()).toMatchObject({ checked: PEOPLE.length - 1, trouble: undefined });
  expect(reports).toEqual(["Cannot store it"]);
  expect(await checkedAt(poison)).toBeUndefined();
  expect(await checkedAt(PEOPLE[31] ?? "")).toEqual(clock.now());
});

test("scanDue() sends no requests while it yields to users' requests", async () => {
  const { deps, lookedUp } = await crowdedWorld();
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const breaches = createBreaches({
    ...deps,
    yieldToRequests() {
      asked.resolve();
      return gate.promise;
    },
  });
  const scanning = breaches.scanDue();
  await asked.promise;
  expect(lookedUp()).toEqual([]);
  gate.resolve();
  expect(await scanning).toMatchObject({ checked: PEOPLE.length });
  expect(lookedUp()).toEqual(PEOPLE);
});

test("scanDue() requests no more than can be stored soon", async () => {
  const many = Array.from({ length: 2000 }, (_, number) => `person${number}@example.com`);
  const { watch, deps, transaction, lookedUp } = breachWorld();
  for (const address of many) await watch({ accountId: BOB.accountId, address });
  const gate = Promise.withResolvers<void>();
  const breaches = createBreaches({
    ...deps,
    async transaction(work) {
      let isStore = false;
      const result = await transaction((store) => {
        const finish: typeof store.scans.finish = (...given) => {
          isStore = true;
          return store.scans.finish(...given);
        };
        return work({ ...store, scans: { ...store.scans, finish } });
      });
      if (isStore) await gate.promise;
      return result;
    },
  });
  const scanning = breaches.scanDue();
  for (let asked = -1; asked < lookedUp().length; await Bun.sleep(20)) asked = lookedUp().length;
  // Those claimed ahead, and one more, as sources are asked one by one at first.
  expect(lookedUp()).toHaveLength(801);
  gate.resolve();
  expect(await scanning).toMatchObject({ checked: many.length, trouble: undefined });
});
