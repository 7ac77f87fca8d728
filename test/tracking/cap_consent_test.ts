import { describe, expect, test } from "bun:test";
import type { Event } from "../../src/events/catalogue.ts";
import { NO_SCOPE } from "../../src/shared/consent.ts";
import { postgresTracking } from "../../src/tracking/adapters/postgres/store.ts";
import { coveredBy, isWatched } from "../../src/tracking/association.ts";
import { memoryTracking } from "../memory/tracking/store.ts";
import { ALICE, anAssociation, aTrackInput } from "../support/builders.ts";
import { eachDatabase } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";
import { trackingWorld } from "../support/tracking.ts";

const PARALLEL = 20;
const CAP = 3;
const FULL = "USER_INSUFFICIENT";
const asked = { consent: "pending", scope: NO_SCOPE } as const;
const friend = (number: number) => `friend${number}@example.org`;

describe.each(eachDatabase(memoryTracking, postgresTracking))("the cap and consent on %s", (_, open) => {
  /** Takes so many of the plan's three places, one of them by an unanswered request. */
  async function worldWith(taken: number) {
    const { transaction, outbox } = await open();
    const world = trackingWorld({ transaction });
    const addresses = Array.from({ length: taken }, (_unused, number) => `taken${number}@example.org`);
    await world.store(
      ...addresses.map((address, number) =>
        anAssociation({ address, ...(number === 0 && asked), createdAt: new Date(number) }),
      ),
    );
    const single = (number: number) => world.tracking.track(ALICE.accountId, aTrackInput({ address: friend(number) }));
    const many = (...numbers: number[]) => {
      const { address: _address, ...settings } = aTrackInput();
      return world.tracking.trackAll(ALICE.accountId, { ...settings, addresses: numbers.map(friend) });
    };
    return { ...world, single, many, outbox, events: () => takePublished(outbox) };
  }

  const codes = (answers: { ok: boolean; code?: string }[]) =>
    answers.map((answer) => (answer.ok ? "added" : (answer.code ?? ""))).toSorted();
  const numbers = Array.from({ length: PARALLEL }, (_unused, number) => number);

  test("one free place admits exactly one of twenty invitations, and asks one owner", async () => {
    const { single, associationsOf, events } = await worldWith(CAP - 1);
    const answers = await Promise.all(numbers.map(single));
    expect(codes(answers)).toEqual([...Array(PARALLEL - 1).fill(FULL), "added"]);
    expect(await associationsOf(ALICE.accountId)).toHaveLength(CAP);
    expect((await events()).map(({ type }) => type)).toEqual(["tracking.consentRequested"]);
  });

  test("one free place admits one of concurrent single and bulk requests, and nothing partially", async () => {
    const { single, many, associationsOf, events } = await worldWith(CAP - 1);
    const answers = await Promise.all(
      numbers.map((number) =>
        number % 3 === 0 ? single(number) : number % 3 === 1 ? many(number) : many(number, number + 100),
      ),
    );
    expect(codes(answers)).toEqual([...Array(PARALLEL - 1).fill(FULL), "added"]);
    expect(await associationsOf(ALICE.accountId)).toHaveLength(CAP);
    expect(await events()).toHaveLength(1);
  });

  test("two free places are taken by one bulk of two or by two single ones, never more and never half of a bulk", async () => {
    const { single, many, associationsOf } = await worldWith(CAP - 2);
    await Promise.all(numbers.map((number) => (number % 2 === 0 ? single(number) : many(number, number + 100))));
    const added = (await associationsOf(ALICE.accountId))
      .map(({ address }) => address)
      .filter((address) => address.startsWith("friend"));
    expect(added).toHaveLength(2);
    const bulk = added.filter((address) => Number(address.match(/\d+/)?.[0]) % 2 === 1);
    expect(bulk.length).not.toBe(1);
  });

  /** Whether the association is monitored according to the events, in the order its subscribers receive them. */
  function isToldWatched(events: Event[], id: string): boolean {
    const said = events.filter((event) => "associationId" in event && event.associationId === id);
    return said.reduce((watched, { type }) => {
      if (type === "tracking.monitoringStarted" || type === "tracking.monitoringResumed") return true;
      return type === "tracking.monitoringSuspended" || type === "tracking.monitoringStopped" ? false : watched;
    }, false);
  }

  test.each(Array.from({ length: 8 }, (_unused, round) => round))(
    "owners who consent while the plan shrinks are monitored exactly as far as it covers (%p)",
    async (round) => {
      const { tracking, store, associationsOf, events } = await worldWith(0);
      const waiting = numbers
        .slice(0, 6)
        .map((number) => anAssociation({ ...asked, address: friend(number), createdAt: new Date(number) }));
      await store(...waiting);
      const scope = { details: true, sensitive: false };
      const shrunk = {
        type: "billing.subscriptionChanged",
        accountId: ALICE.accountId,
        active: true,
        cap: 2,
        changedAt: "2026-11-20T12:00:00.000Z",
      } as const;
      const steps = waiting.map(
        ({ id, accountId, address }) =>
          () =>
            tracking.onGranted({
              type: "invitations.granted",
              invitationId: id,
              associationId: id,
              accountId,
              address,
              scope,
              version: 2,
            }),
      );
      steps.splice(round % 7, 0, () => tracking.onSubscriptionChanged(shrunk));
      await Promise.all(steps.map((step) => step()));
      const all = await associationsOf(ALICE.accountId);
      const covered = coveredBy(all, shrunk);
      const heard = await events();
      for (const association of all) {
        expect(association).toMatchObject({ consent: "granted", scope, suspended: !covered.has(association.id) });
        expect(isToldWatched(heard, association.id)).toBe(isWatched(association));
      }
    },
  );
});
