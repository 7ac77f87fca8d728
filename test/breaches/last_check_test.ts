import { expect, test } from "bun:test";
import { adobe, breachWorld } from "../support/breaches.ts";
import { ALICE } from "../support/builders.ts";
import { HOUR } from "../support/clock.ts";

test("the last check of an address is kept while it is paused, until it is checked again", async () => {
  const { breaches, watch, clock } = breachWorld({ breaches: [adobe], exposures: { [ALICE.address]: ["Adobe"] } });
  await breaches.syncCatalogue();
  const about = { associationId: await watch(ALICE), ...ALICE, reason: "paused" } as const;
  await breaches.scanDue();
  const lastCheck = async () => (await breaches.checkTimesOf([ALICE.address])).get(ALICE.address)?.checkedAt;
  const checkedAt = await lastCheck();
  expect(checkedAt).toBeDefined();
  clock.pass(HOUR);
  await breaches.onMonitoringSuspended({ type: "tracking.monitoringSuspended", ...about });
  expect(await lastCheck()).toEqual(checkedAt);
  await breaches.onMonitoringResumed({ type: "tracking.monitoringResumed", ...about });
  expect(await lastCheck()).toEqual(checkedAt);
  await breaches.scanDue();
  expect(await lastCheck()).toEqual(clock.now());
});
