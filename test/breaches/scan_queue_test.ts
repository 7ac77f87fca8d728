import { describe, expect, test } from "bun:test";
import { createBreaches } from "../../src/breaches/mod.ts";
import { suno, worldOfAlice } from "../support/breaches.ts";
import { ALICE, BOB, CHARLIE } from "../support/builders.ts";
import { DAY, HOUR, MINUTE } from "../support/clock.ts";

describe("scanDue() with more than one address", () => {
  test("takes new addresses first, then those whose last check is the oldest", async () => {
    const world = await worldOfAlice();
    for (const person of [BOB, ALICE]) {
      await world.watch(person);
      await world.breaches.scanDue();
      world.clock.pass(HOUR);
    }
    world.feed.publish(suno);
    await world.breaches.syncCatalogue();
    await world.watch(CHARLIE);
    const before = world.lookedUp().length;
    await world.breaches.scanDue();
    expect(world.lookedUp().slice(before)).toEqual([CHARLIE.address, BOB.address, ALICE.address]);
  });

  test("takes those checked under an older catalogue before those that are due by time", async () => {
    const world = await worldOfAlice();
    await world.watch(ALICE);
    await world.breaches.scanDue();
    world.feed.publish(suno);
    await world.breaches.syncCatalogue();
    world.clock.pass(MINUTE);
    world.feed.failNext("lookUp", { kind: "later", afterMs: 8 * DAY, reason: "Not this one", isOfAddress: true });
    await world.breaches.scanDue();
    await world.watch(BOB);
    await world.breaches.scanDue();
    world.clock.pass(8 * DAY);
    const before = world.lookedUp().length;
    await world.breaches.scanDue();
    expect(world.lookedUp().slice(before)).toEqual([ALICE.address, BOB.address]);
  });

  test("continues until nothing is due", async () => {
    const world = await worldOfAlice();
    for (let number = 0; number < 120; number++) {
      await world.watch({ accountId: BOB.accountId, address: `bob+${number}@example.net` });
    }
    expect(await world.breaches.scanDue()).toEqual({ checked: 120, raised: 0, trouble: undefined });
    expect(new Set(world.lookedUp()).size).toBe(120);
    expect(await world.health()).toMatchObject({ due: 0 });
  });

  test("shares the work with another process without duplicates", async () => {
    const world = await worldOfAlice();
    for (let number = 0; number < 120; number++) {
      await world.watch({ accountId: BOB.accountId, address: `bob+${number}@example.net` });
    }
    const reports = await Promise.all([world.breaches.scanDue(), createBreaches(world.deps).scanDue()]);
    expect(reports.reduce((sum, { checked }) => sum + checked, 0)).toBe(120);
    expect(world.lookedUp()).toHaveLength(120);
    expect(await world.publishedOf("breaches.baselineReady")).toHaveLength(120);
  });
});
