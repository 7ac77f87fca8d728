import { expect, test } from "bun:test";
import { ALICE, anAssociation } from "../support/builders.ts";
import { trackingWorld } from "../support/tracking.ts";

test("askUnproven() checks a few own addresses per run, all of them in rotation, and asks about each unverified one once", async () => {
  const wrong = Array.from({ length: 45 }, (_, at) =>
    anAssociation({ accountId: ALICE.accountId, address: `former${at}@example.org`, consent: "own" }),
  );
  const right = anAssociation({ accountId: ALICE.accountId, address: ALICE.address, consent: "own" });
  const { tracking, store, associationsOf } = trackingWorld();
  await store(...wrong, right);
  const asked: number[] = [];
  for (let run = 0; run < 5; run++) asked.push(await tracking.askUnproven());
  expect(Math.max(...asked)).toBeLessThanOrEqual(20);
  expect(asked.reduce((sum, count) => sum + count, 0)).toBe(45);
  const left = await associationsOf(ALICE.accountId);
  expect(left.filter(({ consent }) => consent === "own").map(({ id }) => id)).toEqual([right.id]);
  expect(left.filter(({ consent }) => consent === "pending")).toHaveLength(45);
});
