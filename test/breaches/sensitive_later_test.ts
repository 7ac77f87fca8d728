import { describe, expect, test } from "bun:test";
import { adobe, breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach, accepted, BOB } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";

const affairs = aBreach({ name: "Affairs", addedDate: "2020-01-01T00:00:00Z" });
const secret = { ...affairs, flags: ["sensitive" as const] };

/**
 * Bob tracks Alice's address without sensitive breaches; both of its breaches are found as the catalogue lists them.
 */
async function bobWatches(listed: typeof affairs) {
  const exposures = { [ALICE.address]: ["Adobe", "Affairs"] };
  const world = breachWorld({ breaches: [adobe, listed], exposures });
  await world.breaches.syncCatalogue();
  const scope = { details: true, sensitive: false };
  const associationId = await world.watch({ accountId: BOB.accountId, address: ALICE.address, scope });
  const own = await world.watch(ALICE);
  await world.breaches.scanDue();
  await world.published();
  return { ...world, associationId, own };
}

describe("A catalogue that reclassifies a breach as sensitive", () => {
  test("hides the alert immediately, and the count follows with the check that becomes due", async () => {
    const { feed, breaches, clock, associationId, alertsOf, publishedOf } = await bobWatches(affairs);
    expect(await alertsOf(BOB.accountId)).toEqual(["Adobe pending", "Affairs pending"]);
    feed.publish(secret);
    clock.pass(DAY);
    await breaches.pollCatalogue();
    expect(await alertsOf(BOB.accountId)).toEqual(["Adobe pending"]);
    expect(await breaches.scanDue()).toMatchObject({ checked: 1, raised: 0 });
    expect(await publishedOf("breaches.openAlertsChanged")).toMatchObject([{ counts: [{ associationId, open: 1 }] }]);
    expect(await alertsOf(ALICE.accountId)).toEqual(["Adobe pending", "Affairs pending"]);
  });

  test("raises the alert once it is no longer sensitive, for those who could not see it", async () => {
    const { feed, breaches, clock, associationId, alertsOf, published } = await bobWatches(secret);
    expect(await alertsOf(BOB.accountId)).toEqual(["Adobe pending"]);
    feed.publish(affairs);
    clock.pass(DAY);
    await breaches.pollCatalogue();
    expect(await breaches.scanDue()).toMatchObject({ checked: 1, raised: 1 });
    expect(await alertsOf(BOB.accountId)).toEqual(["Adobe pending", "Affairs pending"]);
    const events = await published();
    expect(events).toMatchObject([
      { type: "breaches.openAlertsChanged", counts: [{ associationId, open: 2 }] },
      { type: "breaches.alertsRaised", alerts: [{ associationId }] },
    ]);
  });

  test("makes nothing due when an entry changes in any other way", async () => {
    const { feed, breaches, clock } = await bobWatches(affairs);
    feed.publish({ ...affairs, title: "Affairs & Co" });
    clock.pass(DAY);
    expect(accepted({ ok: true, value: await breaches.pollCatalogue() })).toMatchObject({ changed: ["Affairs"] });
    expect(await breaches.scanDue()).toMatchObject({ checked: 0 });
  });
});
