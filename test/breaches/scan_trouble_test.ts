import { describe, expect, test } from "bun:test";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { SourceTrouble } from "../../src/breaches/ports.ts";
import { later, suno, worldOfAlice } from "../support/breaches.ts";
import { ALICE, BOB, CHARLIE } from "../support/builders.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../support/clock.ts";

const BLOCKED: SourceTrouble = { kind: "misconfigured", reason: "The key was refused" };

describe("scanDue() when a source does not respond", () => {
  test("keeps the last result, publishes nothing, and retries when the source allows it", async () => {
    const world = await worldOfAlice();
    await world.watch(ALICE);
    await world.breaches.scanDue();
    await world.published();
    const checkedAt = world.clock.now();
    world.clock.pass(8 * DAY);
    world.feed.failNext("lookUp", later(MINUTE));
    expect(await world.breaches.scanDue()).toEqual({ checked: 0, raised: 0, trouble: later(MINUTE) });
    expect(await world.checkedAt(ALICE.address)).toEqual(checkedAt);
    expect(await world.published()).toEqual([]);
    world.clock.pass(MINUTE - 1);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0, trouble: undefined });
    expect(world.lookedUp().length).toBe(2);
    world.clock.pass(1);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1 });
    expect(await world.checkedAt(ALICE.address)).toEqual(world.clock.now());
  });

  test("never completes a first check on failure", async () => {
    const world = await worldOfAlice();
    const associationId = await world.watch(ALICE);
    for (const trouble of [later(MINUTE), BLOCKED]) {
      world.feed.failNext("lookUp", trouble);
      await world.breaches.scanDue();
      world.clock.pass(HOUR);
    }
    expect(await world.checkedAt(ALICE.address)).toBeUndefined();
    expect(await world.published()).toEqual([]);
    expect(await world.transaction(({ watches }) => watches.find(associationId))).toMatchObject({
      baselineAt: undefined,
    });
    await world.breaches.scanDue();
    expect(await world.publishedOf("breaches.baselineReady")).toMatchObject([{ associationId }]);
  });

  test("releases the rest of the batch without querying it", async () => {
    const world = await worldOfAlice();
    for (const person of [ALICE, BOB, CHARLIE]) await world.watch(person);
    world.feed.failNext("lookUp", later(20 * SECOND));
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0 });
    expect(world.lookedUp()).toEqual([ALICE.address]);
    world.clock.pass(20 * SECOND);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 3 });
  });

  test("waits for the source's next slot when that is near", async () => {
    const world = await worldOfAlice();
    await world.watch(ALICE);
    await world.watch(BOB);
    world.feed.failNext("lookUp", later(6 * SECOND), later(10 * SECOND));
    const began = world.clock.now().getTime();
    expect(await world.breaches.scanDue()).toEqual({ checked: 2, raised: 2, trouble: undefined });
    expect(world.clock.now().getTime() - began).toBe(16 * SECOND);
  });

  test("does not wait for a distant slot, and claims an address anew when the near ones outlast its claim", async () => {
    const world = await worldOfAlice();
    await world.watch(ALICE);
    world.feed.failNext("lookUp", later(10 * SECOND + 1));
    expect(await world.breaches.scanDue()).toMatchObject({ trouble: later(10 * SECOND + 1) });
    expect(world.waits).toEqual([]);
    world.clock.pass(MINUTE);
    world.feed.failNext("lookUp", ...Array.from({ length: 12 }, () => later(10 * SECOND)));
    const began = world.clock.now().getTime();
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1, trouble: undefined });
    const waited = world.clock.now().getTime() - began;
    expect([waited > MINUTE, waited <= 2 * MINUTE]).toEqual([true, true]);
  });

  test("releases unchanged the addresses that it had not started when it is told to end", async () => {
    const world = await worldOfAlice();
    for (const watched of [ALICE, BOB]) await world.watch(watched);
    expect(await world.breaches.scanDue(undefined, () => true)).toEqual({ checked: 0, raised: 0, trouble: undefined });
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 2 });
  });

  test("reports problems that the operator must fix, and retries with increasing delays", async () => {
    const world = await worldOfAlice();
    await world.watch(ALICE);
    for (const wait of [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, HOUR]) {
      world.feed.failNext("lookUp", BLOCKED);
      expect(await world.breaches.scanDue()).toEqual({ checked: 0, raised: 0, trouble: BLOCKED });
      expect(await world.health())?.toMatchObject({
        trouble: null,
        lookUpTrouble: "The key was refused",
      });
      world.clock.pass(wait - 1);
      expect(await world.breaches.scanDue()).toMatchObject({ trouble: undefined, checked: 0 });
      world.clock.pass(1);
    }
    expect(world.reports).toHaveLength(5);
    // A readable catalogue does not prove that addresses can be checked.
    await world.breaches.syncCatalogue();
    expect((await world.health())?.lookUpTrouble).toBe("The key was refused");
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1 });
    expect((await world.health())?.lookUpTrouble).toBeNull();
  });

  test("continues with the others when one address fails unexpectedly, and retries it later", async () => {
    let isBroken = true;
    const world = await worldOfAlice((plain) => ({
      ...plain,
      async lookUp(address) {
        if (isBroken && address === ALICE.address) throw new Error("Cannot read the answer");
        return plain.lookUp(address);
      },
    }));
    await world.watch(ALICE);
    await world.watch(BOB);
    expect(await world.breaches.scanDue()).toEqual({ checked: 1, raised: 0, trouble: undefined });
    expect(world.reports).toEqual(["Cannot read the answer"]);
    expect(await world.checkedAt(ALICE.address)).toBeUndefined();
    isBroken = false;
    world.clock.pass(MINUTE);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1, raised: 2 });
  });

  test("records nothing when it has lost its lease meanwhile", async () => {
    let late = async () => {};
    const world = await worldOfAlice((plain) => ({
      ...plain,
      async lookUp(address) {
        const answer = await plain.lookUp(address);
        const isLate = plain.requests.filter(({ call }) => call === "lookUp").length === 1;
        if (isLate) await late();
        return isLate && answer.kind === "found" ? { ...answer, breaches: [...answer.breaches, "Suno"] } : answer;
      },
    }));
    await world.watch(ALICE);
    late = async () => {
      world.clock.pass(5 * MINUTE + 1);
      expect(await createBreaches(world.deps).scanDue()).toMatchObject({ checked: 1, raised: 2 });
    };
    expect(await world.breaches.scanDue()).toMatchObject({ raised: 0, trouble: undefined });
    expect((await world.published()).map(({ type }) => type)).toEqual([
      "breaches.baselineReady",
      "breaches.openAlertsChanged",
    ]);
    expect(await world.alertsOf(ALICE.accountId)).toEqual(["Adobe pending", "Canva pending"]);
  });

  test("takes over from a process that died", async () => {
    const world = await worldOfAlice();
    await world.watch(ALICE);
    await world.transaction(({ scans }) => scans.claimDue("memory", 50, world.clock.now(), 5 * MINUTE));
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0 });
    world.clock.pass(5 * MINUTE + 1);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1, raised: 2 });
  });
});

describe("scanDue() with a breach that the stored catalogue lacks", () => {
  test("requests it from the source by name", async () => {
    const world = await worldOfAlice();
    world.feed.publish(suno);
    world.feed.expose(BOB.address, "Suno");
    await world.watch(BOB);
    expect(await world.breaches.scanDue()).toMatchObject({ raised: 1 });
    expect(await world.transaction(({ breaches }) => breaches.find("Suno"))).toEqual(suno);
  });

  test("uses its name as a placeholder if the source does not know it either, until the catalogue lists it", async () => {
    const world = await worldOfAlice();
    world.feed.expose(BOB.address, "Suno");
    await world.watch(BOB);
    expect(await world.breaches.scanDue()).toMatchObject({ raised: 1 });
    expect(await world.transaction(({ breaches }) => breaches.find("Suno"))).toMatchObject({
      title: "Suno",
      breachDate: null,
      dataClasses: [],
      flags: [],
    });
    expect(await world.breaches.syncCatalogue()).toMatchObject({ added: [], removed: [] });
    world.feed.publish(suno);
    expect(await world.breaches.syncCatalogue()).toMatchObject({ added: ["Suno"] });
    expect(await world.transaction(({ breaches }) => breaches.find("Suno"))).toEqual(suno);
  });

  test("does not overwrite what the catalogue has stored meanwhile", async () => {
    const world = await worldOfAlice((plain) => ({
      ...plain,
      async breach(name) {
        const answer = await plain.breach(name);
        world.feed.publish(suno);
        await world.breaches.syncCatalogue();
        return answer;
      },
    }));
    world.feed.expose(BOB.address, "Suno");
    await world.watch(BOB);
    await world.breaches.scanDue();
    expect(await world.transaction(({ breaches }) => breaches.find("Suno"))).toEqual(suno);
  });

  test("records nothing while that request fails", async () => {
    const world = await worldOfAlice();
    world.feed.expose(BOB.address, "Suno");
    world.feed.failNext("breach", later(MINUTE));
    await world.watch(BOB);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0, trouble: later(MINUTE) });
    expect(await world.checkedAt(BOB.address)).toBeUndefined();
    expect(await world.published()).toEqual([]);
  });

  test("counts what can be read of an answer, says what cannot, and repeats the check after an hour", async () => {
    const world = await worldOfAlice((plain) => ({
      ...plain,
      lookUp: async () => ({ kind: "found", breaches: ["Adobe"], leftOut: 2 }),
    }));
    await world.watch(BOB);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1, raised: 1, trouble: undefined });
    expect(world.reports).toEqual(["Left out 2 of the breaches in an answer of memory: their names cannot be read"]);
    world.clock.pass(HOUR - 1);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0 });
    world.clock.pass(1);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1, raised: 0 });
  });

  test("treats a repeated name as one", async () => {
    const world = await worldOfAlice((plain) => ({
      ...plain,
      lookUp: async () => ({ kind: "found", breaches: ["Suno", "Suno"] }),
    }));
    await world.watch(BOB);
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 1, raised: 1 });
    expect(world.feed.requests.filter(({ call }) => call === "breach")).toHaveLength(1);
  });
});
