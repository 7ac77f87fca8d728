import { describe, expect, test } from "bun:test";
import type { EventOf } from "../../src/events/catalogue.ts";
import { statusOf } from "../../src/tracking/association.ts";
import { ALICE, anAssociation, BOB } from "../support/builders.ts";
import { trackingWorld } from "../support/tracking.ts";

const at = (second: number) => new Date(Date.UTC(2026, 10, 1, 0, 0, second));
const addressOf = (number: number) => `alice+${number}@example.com`;

/** Alice's five associations, the first being the oldest, and one of Bob's. */
async function worldOfFive() {
  const world = trackingWorld();
  const associations = [0, 1, 2, 3, 4].map((number) =>
    anAssociation({ address: addressOf(number), createdAt: at(number) }),
  );
  await world.store(...associations.toReversed(), anAssociation({ accountId: BOB.accountId, address: BOB.address }));
  return {
    ...world,
    ids: associations.map(({ id }) => id),
    change: (more: Pick<EventOf<"billing.subscriptionChanged">, "active" | "cap" | "changedAt">) =>
      world.tracking.onSubscriptionChanged({
        type: "billing.subscriptionChanged",
        accountId: ALICE.accountId,
        ...more,
      }),
    suspended: async () =>
      (await world.associationsOf(ALICE.accountId)).flatMap(({ suspended }, number) => (suspended ? number : [])),
    told: async () =>
      (await world.published()).map((event) => `${event.type} ${"address" in event ? event.address : ""}`),
  };
}

describe("onSubscriptionChanged()", () => {
  test("suspends the newest first on a smaller plan, and resumes them on a larger one", async () => {
    const { change, suspended, told } = await worldOfFive();
    await change({ active: true, cap: 3, changedAt: at(1).toISOString() });
    expect(await suspended()).toEqual([3, 4]);
    expect(await told()).toEqual([3, 4].map((number) => `tracking.monitoringSuspended ${addressOf(number)}`));
    await change({ active: true, cap: 1, changedAt: at(2).toISOString() });
    expect(await suspended()).toEqual([1, 2, 3, 4]);
    expect(await told()).toEqual([1, 2].map((number) => `tracking.monitoringSuspended ${addressOf(number)}`));
    await change({ active: true, cap: 4, changedAt: at(3).toISOString() });
    expect(await suspended()).toEqual([4]);
    expect(await told()).toEqual([1, 2, 3].map((number) => `tracking.monitoringResumed ${addressOf(number)}`));
    await change({ active: true, cap: null, changedAt: at(4).toISOString() });
    expect(await suspended()).toEqual([]);
    expect(await told()).toEqual([`tracking.monitoringResumed ${addressOf(4)}`]);
  });

  test("suspends everything of this account when the plan has ended", async () => {
    const { change, suspended, associationsOf } = await worldOfFive();
    await change({ active: false, cap: 3, changedAt: at(1).toISOString() });
    expect(await suspended()).toEqual([0, 1, 2, 3, 4]);
    expect(await associationsOf(BOB.accountId)).toMatchObject([{ suspended: false }]);
  });

  test("publishes nothing when nothing changes, or when it is delivered twice", async () => {
    const { change, told } = await worldOfFive();
    await change({ active: true, cap: 5, changedAt: at(1).toISOString() });
    expect(await told()).toEqual([]);
    await change({ active: true, cap: 4, changedAt: at(2).toISOString() });
    await change({ active: true, cap: 4, changedAt: at(2).toISOString() });
    expect(await told()).toHaveLength(1);
  });

  test("ignores a change that is older than the latest one", async () => {
    const { change, suspended, told } = await worldOfFive();
    await change({ active: true, cap: null, changedAt: at(10).toISOString() });
    await change({ active: false, cap: 3, changedAt: at(9).toISOString() });
    expect(await suspended()).toEqual([]);
    expect(await told()).toEqual([]);
  });
});

describe("onOpenAlertsChanged()", () => {
  test("keeps the newest count in any order of delivery", async () => {
    const { tracking, store, associationsOf } = trackingWorld();
    const { id: associationId, ...association } = anAssociation();
    await store({ id: associationId, ...association });
    const status = async (open: number, version: number) => {
      await tracking.onOpenAlertsChanged({
        type: "breaches.openAlertsChanged",
        counts: [{ associationId, open, version }],
      });
      return (await associationsOf(ALICE.accountId)).map(statusOf)[0];
    };
    expect(await status(2, 2)).toBe("breached");
    expect(await status(0, 1)).toBe("breached");
    expect(await status(0, 4)).toBe("safe");
    expect(await status(5, 4)).toBe("safe");
    expect(await status(1, 3)).toBe("safe");
    expect(await status(1, 5)).toBe("breached");
  });

  test("does nothing for a removed association", async () => {
    const { tracking, associationsOf } = trackingWorld();
    const associationId = crypto.randomUUID();
    await tracking.onOpenAlertsChanged({
      type: "breaches.openAlertsChanged",
      counts: [{ associationId, open: 1, version: 1 }],
    });
    expect(await associationsOf(ALICE.accountId)).toEqual([]);
  });
});

describe("onDeleted()", () => {
  test("ends all monitoring of this account only", async () => {
    const { tracking, ids, told, associationsOf, change, published } = await worldOfFive();
    await change({ active: true, cap: 4, changedAt: at(1).toISOString() });
    await published();
    await tracking.onDeleted({ type: "identity.deleted", accountId: ALICE.accountId });
    expect(await told()).toEqual([0, 1, 2, 3, 4].map((number) => `tracking.monitoringStopped ${addressOf(number)}`));
    expect(await associationsOf(ALICE.accountId)).toEqual([]);
    expect(await tracking.routesOf(ids)).toEqual([]);
    expect(await associationsOf(BOB.accountId)).toHaveLength(1);
    await tracking.onDeleted({ type: "identity.deleted", accountId: ALICE.accountId });
    expect(await told()).toEqual([]);
  });

  test("deletes what it stored about the plan", async () => {
    const { tracking, change, transaction } = await worldOfFive();
    await change({ active: true, cap: 4, changedAt: at(10).toISOString() });
    await tracking.onDeleted({ type: "identity.deleted", accountId: ALICE.accountId });
    const isNews = await transaction(({ associations }) => associations.noteEntitlement(ALICE.accountId, at(1)));
    expect(isNews).toBe(true);
  });
});

describe("routesOf()", () => {
  test("returns where alerts go, and omits removed associations", async () => {
    const { tracking, store } = trackingWorld();
    const association = anAssociation({ language: "pt" });
    await store(association);
    expect(await tracking.routesOf([association.id, crypto.randomUUID()])).toEqual([
      {
        associationId: association.id,
        ...ALICE,
        own: true,
        language: "pt",
        contacts: [{ channel: "email", value: ALICE.address }],
      },
    ]);
    expect(await tracking.routesOf([])).toEqual([]);
  });
});
