import { describe, expect, test } from "bun:test";
import { postgresTracking } from "../../src/tracking/adapters/postgres/store.ts";
import type { TrackingDeps } from "../../src/tracking/mod.ts";
import { memoryTracking } from "../memory/tracking/store.ts";
import { ALICE, anAssociation } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";
import { trackAsOwner, trackingWorld } from "../support/tracking.ts";

const PARALLEL = 20;
const CAP = 3;

describe.each(eachDatabase(memoryTracking, postgresTracking))("track() called concurrently on %s", (_, open) => {
  async function worldBelowTheCap() {
    const { transaction, outbox } = await open();
    const { deps, store, associationsOf } = trackingWorld({ transaction });
    await store(anAssociation({ address: "one@example.com" }), anAssociation({ address: "two@example.com" }));
    return { deps, associationsOf, outbox };
  }

  async function answersOf(deps: TrackingDeps, addressOf: (number: number) => string): Promise<string[]> {
    const requests = Array.from({ length: PARALLEL }, (_, number) =>
      trackAsOwner(deps, ALICE.accountId, addressOf(number)),
    );
    return (await Promise.all(requests)).map((answer) => (answer.ok ? "tracked" : answer.code)).toSorted();
  }

  test("adds exactly one address when the plan has room for one", async () => {
    const { deps, associationsOf, outbox } = await worldBelowTheCap();
    const answers = await answersOf(deps, (number) => `alice+${number}@example.com`);
    expect(answers).toEqual([...Array(PARALLEL - 1).fill("USER_INSUFFICIENT"), "tracked"]);
    expect(await associationsOf(ALICE.accountId)).toHaveLength(CAP);
    const events = await takePublished(outbox);
    expect(events.map(({ type }) => type)).toEqual(["tracking.contactsChanged", "tracking.monitoringStarted"]);
  });

  test("adds an address once when it is requested many times concurrently", async () => {
    const { deps, associationsOf, outbox } = await worldBelowTheCap();
    const answers = await answersOf(deps, () => ALICE.address);
    expect(answers).toEqual([...Array(PARALLEL - 1).fill("ADDRESS_ALREADY_TRACKED"), "tracked"]);
    expect(await associationsOf(ALICE.accountId)).toHaveLength(CAP);
    expect(await takePublished(outbox)).toHaveLength(2);
  });
});
