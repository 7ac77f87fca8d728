import { expect, test } from "bun:test";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach, BOB } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";

const MANY = Array.from({ length: 201 }, (_, number) => aBreach({ name: `Breach${number}` }));

test("recordsOf() returns all alerts of an account in pages, including those that are no longer in the table", async () => {
  const exposures = { [ALICE.address]: MANY.map(({ name }) => name), [BOB.address]: ["Breach0"] };
  const world = breachWorld({ breaches: MANY, exposures });
  await world.breaches.syncCatalogue();
  for (const who of [ALICE, BOB]) await world.watch(who);
  await world.breaches.scanDue();
  const { alerts } = await world.breaches.recordsOf(ALICE.accountId);
  for (const { id, version } of alerts.slice(0, 2)) await world.breaches.handleAlert(ALICE.accountId, id, version);
  world.clock.pass(31 * DAY);

  const records = await world.breaches.recordsOf(ALICE.accountId);
  expect(new Set(records.alerts.map(({ breach }) => breach?.name))).toEqual(new Set(MANY.map(({ name }) => name)));
  expect(records.alerts).toHaveLength(201);
  expect(records.alerts.filter(({ state }) => state === "handled")).toHaveLength(2);
  expect(new Set(records.alerts.map(({ address }) => address))).toEqual(new Set([ALICE.address]));
  expect(records.checks).toEqual([
    {
      address: ALICE.address,
      suspended: false,
      firstCheckedAt: new Date("2026-11-20T12:00:00Z"),
      lastCheckedAt: new Date("2026-11-20T12:00:00Z"),
      nextCheckAt: new Date("2026-11-27T12:00:00Z"),
    },
  ]);
  expect(await world.breaches.countOf(ALICE.accountId)).toBe(201);
  expect(await world.breaches.countOf(BOB.accountId)).toBe(1);
});
