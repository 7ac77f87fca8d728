import { describe, expect, test } from "bun:test";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { SourceTrouble } from "../../src/breaches/ports.ts";
import { adobe, breachWorld, canva, suno } from "../support/breaches.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { DAY, MINUTE } from "../support/clock.ts";

const OUTAGE: SourceTrouble = { kind: "later", afterMs: 30 * MINUTE, reason: "The source is down" };

describe("pollCatalogue()", () => {
  const called = (world: ReturnType<typeof breachWorld>) => world.feed.requests.map(({ call }) => call);

  test("reads the whole catalogue the first time, and sends no request before the next poll is due", async () => {
    const world = breachWorld({ breaches: [adobe], pollEveryMs: MINUTE });
    expect(await world.breaches.pollCatalogue()).toMatchObject({ added: ["Adobe"] });
    world.clock.pass(MINUTE - 1);
    expect(await world.breaches.pollCatalogue()).toBeUndefined();
    expect(called(world)).toEqual(["catalogue"]);
  });

  test("requests only the newest entry, as long as it is a known one", async () => {
    const world = breachWorld({ breaches: [adobe], pollEveryMs: MINUTE });
    await world.breaches.pollCatalogue();
    const synced = await world.stateOf();
    world.clock.pass(MINUTE);
    expect(await world.breaches.pollCatalogue()).toBeUndefined();
    expect(called(world)).toEqual(["catalogue", "latest"]);
    expect(await world.stateOf()).toEqual({ ...synced, checkedAt: world.clock.now() });
  });

  test("reads the whole catalogue when the newest entry has changed, and finds everything added since", async () => {
    const world = breachWorld({ breaches: [adobe], pollEveryMs: MINUTE });
    await world.breaches.pollCatalogue();
    world.clock.pass(MINUTE);
    world.feed.publish(canva, suno);
    expect(await world.breaches.pollCatalogue()).toMatchObject({ added: ["Canva", "Suno"] });
    expect(called(world)).toEqual(["catalogue", "latest", "catalogue"]);
  });

  test("reads the whole catalogue when the newest entry was added again", async () => {
    const world = breachWorld({ breaches: [adobe], pollEveryMs: MINUTE });
    await world.breaches.pollCatalogue();
    world.clock.pass(MINUTE);
    world.feed.publish({ ...adobe, addedDate: "2014-01-01T00:00:00Z" });
    expect(await world.breaches.pollCatalogue()).toMatchObject({ changed: ["Adobe"] });
  });

  test("compares everything once a day, so that corrections of old entries are found", async () => {
    const world = breachWorld({ breaches: [adobe, canva], pollEveryMs: MINUTE });
    await world.breaches.pollCatalogue();
    world.feed.publish({ ...adobe, flags: ["retired"] });
    world.clock.pass(DAY - 1);
    expect(await world.breaches.pollCatalogue()).toBeUndefined();
    world.clock.pass(MINUTE);
    expect(await world.breaches.pollCatalogue()).toMatchObject({ changed: ["Adobe"] });
    world.clock.pass(MINUTE);
    expect(await world.breaches.pollCatalogue()).toBeUndefined();
  });

  test("records a failure to read the newest entry, and clears it after the next success", async () => {
    const world = breachWorld({ breaches: [adobe], pollEveryMs: MINUTE });
    await world.breaches.pollCatalogue();
    const synced = await world.stateOf();
    world.clock.pass(MINUTE);
    world.feed.failNext("latest", OUTAGE);
    expect(await world.breaches.pollCatalogue()).toEqual(OUTAGE);
    expect(await world.stateOf()).toEqual({ ...synced, trouble: "The source is down" });
    expect((await world.health())?.trouble).toBe("The source is down");
    world.clock.pass(MINUTE);
    await world.breaches.pollCatalogue();
    expect(await world.stateOf()).toEqual({ ...synced, checkedAt: world.clock.now() });
    expect(world.notes).toEqual([{ says: "The catalogue can be read again", source: "memory" }]);
  });

  test("retries the whole catalogue after a failure", async () => {
    const world = breachWorld({ breaches: [adobe], pollEveryMs: MINUTE });
    world.feed.failNext("catalogue", OUTAGE);
    expect(await world.breaches.pollCatalogue()).toEqual(OUTAGE);
    expect((await world.health())?.syncedAt).toBeNull();
    world.clock.pass(MINUTE);
    expect(await world.breaches.pollCatalogue()).toMatchObject({ added: ["Adobe"] });
  });

  test("runs in one of two concurrent processes", async () => {
    const world = breachWorld({ breaches: [adobe], pollEveryMs: MINUTE });
    const other = createBreaches(world.deps);
    const reports = await Promise.all([world.breaches.pollCatalogue(), other.pollCatalogue()]);
    expect(reports.filter((report) => report !== undefined)).toHaveLength(1);
    expect(called(world)).toEqual(["catalogue"]);
  });
});

describe("sourceHealth()", () => {
  test("returns the age of the catalogue and the length of the queue of checks", async () => {
    const world = breachWorld({ breaches: [adobe, canva] });
    expect(await world.health())?.toEqual({
      source: "memory",
      breaches: 0,
      syncedAt: null,
      trouble: null,
      lookUpTrouble: null,
      leftOut: [],
      due: 0,
      retrying: 0,
      oldestDue: null,
      pausedUntil: null,
    });
    await world.breaches.pollCatalogue();
    await world.watch(ALICE);
    world.clock.pass(MINUTE);
    await world.watch(BOB);
    expect(await world.health())?.toEqual({
      source: "memory",
      breaches: 2,
      syncedAt: "2026-11-20T12:00:00.000Z",
      trouble: null,
      lookUpTrouble: null,
      leftOut: [],
      pausedUntil: null,
      due: 2,
      retrying: 0,
      oldestDue: "2026-11-20T12:00:00.000Z",
    });
    await world.breaches.scanDue();
    expect(await world.health())?.toMatchObject({ due: 0, oldestDue: null });
  });
});
