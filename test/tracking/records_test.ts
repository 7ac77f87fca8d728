import { expect, test } from "bun:test";
import { ALICE, anAssociation, BOB } from "../support/builders.ts";
import { worldOnDatabase } from "../support/marked_account.ts";
import { emptyDatabase } from "../support/postgres.ts";
import { tablesWith } from "../support/stored_values.ts";
import { trackingWorld } from "../support/tracking.ts";

test("recordsOf() returns all associations of an account with their status, and countOf() their number", async () => {
  const world = trackingWorld();
  const own = [
    anAssociation(),
    anAssociation({ address: "alice@work.example", openVersion: 1, openAlerts: 2 }),
    anAssociation({ address: "alice@old.example", suspended: true }),
  ];
  await world.store(...own, anAssociation({ accountId: BOB.accountId, address: BOB.address }));
  const { associations } = await world.tracking.recordsOf(ALICE.accountId);
  const byAddress = Object.fromEntries(associations.map((association) => [association.address, association]));
  expect(byAddress).toEqual({
    "alice@example.com": { ...own[0], status: "active" },
    "alice@work.example": { ...own[1], status: "breached" },
    "alice@old.example": { ...own[2], status: "inactive" },
  } as never);
  expect(await world.tracking.countOf(ALICE.accountId)).toBe(3);
  expect(await world.tracking.countOf(crypto.randomUUID())).toBe(0);
});

test("onSubscriptionChanged() stores nothing for an account that was deleted before the event arrived", async () => {
  const world = await worldOnDatabase(await emptyDatabase());
  const changed = { type: "billing.subscriptionChanged", accountId: ALICE.accountId, active: false, cap: 3 } as const;
  await world.tracking.onDeleted({ type: "identity.deleted", accountId: ALICE.accountId });
  await world.tracking.onSubscriptionChanged({ ...changed, changedAt: "2026-11-20T12:00:00.000Z" });
  expect(await tablesWith(world, ALICE.accountId)).toEqual([]);
});
