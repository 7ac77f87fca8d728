import { describe, expect, test } from "bun:test";
import { coveredBy } from "../../src/tracking/association.ts";
import { createTracking } from "../../src/tracking/mod.ts";
import { ALICE, accepted, anAssociation, aTrackInput } from "../support/builders.ts";
import { trackingWorld } from "../support/tracking.ts";

const { accountId } = ALICE;
const friend = (number: number) =>
  anAssociation({ address: `friend${number}@example.org`, consent: "granted", createdAt: new Date(number) });

/** Alice tracks three friends, of whom her plan covers the first `cap`. */
async function watchingThree(cap: number) {
  const world = trackingWorld();
  const friends = [friend(1), friend(2), friend(3)];
  await world.store(...friends.map((one, index) => ({ ...one, suspended: index >= cap })));
  world.plan.cap = cap;
  const suspended = async () =>
    (await world.associationsOf(accountId)).filter((one) => one.suspended).map(({ address }) => address);
  return { ...world, friends, suspended };
}

/**
 * Like `watchingThree(2)`, but the plan shrinks to one right after it was read, and tracking receives that event first.
 */
async function shrinkingMeanwhile() {
  const world = await watchingThree(2);
  const { deps, plan } = world;
  let isFirst = true;
  const tracking = createTracking({
    ...deps,
    planGate: {
      async of() {
        const answer = { ...plan };
        if (isFirst) {
          isFirst = false;
          plan.cap = 1;
          const changedAt = deps.now().toISOString();
          await world.tracking.onSubscriptionChanged({
            ...plan,
            type: "billing.subscriptionChanged",
            accountId,
            changedAt,
          });
        }
        return answer;
      },
    },
  });
  const asCovered = async () => {
    const all = await world.associationsOf(accountId);
    const covered = coveredBy(all, plan);
    return all.every(({ id, suspended }) => suspended !== covered.has(id));
  };
  return { ...world, tracking, asCovered };
}

describe("What the plan covers", () => {
  test("has room again when an owner withdraws", async () => {
    const { tracking, friends, suspended, published } = await watchingThree(2);
    const [{ id, address } = friend(0), , third] = friends;
    const about = { invitationId: id, associationId: id, accountId, address };
    await tracking.onConsentEnded({ type: "invitations.ended", ...about, how: "withdrawn" });
    expect(await suspended()).toEqual([]);
    expect(await published()).toMatchObject([
      { type: "tracking.monitoringStopped", associationId: id },
      { type: "tracking.monitoringResumed", associationId: third?.id, reason: "plan" },
    ]);
    await tracking.onConsentEnded({ type: "invitations.ended", ...about, how: "withdrawn" });
    expect(await published()).toEqual([]);
  });

  test("extends to the next one when an owner is asked again and moves to the end", async () => {
    const { tracking, friends, suspended } = await watchingThree(2);
    const { address: _address, ...settings } = aTrackInput({ owner: false });
    accepted(await tracking.updateAssociation(accountId, friends[0]?.id ?? "", { ...settings, paused: false }));
    expect(await suspended()).toEqual(["friend1@example.org"]);
  });

  test("is current even if it shrinks while associations are removed, kept, lost or asked again", async () => {
    for (const act of ["remove", "keep", "end", "ask"] as const) {
      const { tracking, friends, asCovered } = await shrinkingMeanwhile();
      const [{ id, address } = friend(0), { id: second } = friend(0)] = friends;
      const { address: _address, ...settings } = aTrackInput({ owner: false });
      const about = { invitationId: id, associationId: id, accountId, address };
      if (act === "remove") accepted(await tracking.removeAssociation(accountId, id));
      if (act === "keep") accepted(await tracking.keepAssociations(accountId, [second]));
      if (act === "end") await tracking.onConsentEnded({ type: "invitations.ended", ...about, how: "withdrawn" });
      if (act === "ask") accepted(await tracking.updateAssociation(accountId, id, { ...settings, paused: false }));
      expect([act, await asCovered()]).toEqual([act, true]);
    }
  });

  test("is current even if it shrinks while an association is added", async () => {
    const { tracking, asCovered, plan } = await shrinkingMeanwhile();
    plan.cap = 4;
    accepted(await tracking.track(accountId, aTrackInput()));
    expect(await asCovered()).toBe(true);
  });
});
