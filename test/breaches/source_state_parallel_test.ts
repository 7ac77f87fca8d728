import { describe, expect, test } from "bun:test";
import { type SQL, sql } from "drizzle-orm";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { Database } from "../../src/database/postgres.ts";
import { postgresOutbox } from "../../src/events/adapters/postgres/outbox.ts";
import { type MemoryFeed, memoryFeed } from "../memory/breaches/feed.ts";
import { doneOrBlocked } from "../support/blocked.ts";
import { adobe, breachWorld, later } from "../support/breaches.ts";
import { ALICE } from "../support/builders.ts";
import { MINUTE } from "../support/clock.ts";
import { emptyServer } from "../support/postgres.ts";
import { takePublished } from "../support/published.ts";

type Call = "latest" | "lookUp";

/** Two sources on a real server, of which the first one's state can be changed while it is called. */
async function worldOnServer() {
  const database = await emptyServer();
  const plain = database.transactionOf((tx: Database) => tx);
  const interruptions = new Map<Call, () => Promise<void>>();
  const feed = (plainFeed: MemoryFeed): MemoryFeed => {
    const interrupted = async (call: Call) => interruptions.get(call)?.();
    return {
      ...plainFeed,
      latest: () => interrupted("latest").then(plainFeed.latest),
      lookUp: (address) => interrupted("lookUp").then(() => plainFeed.lookUp(address)),
    };
  };
  const others = [memoryFeed({ source: "other", naming: "own" })];
  const transaction = database.transactionOf(postgresBreaches);
  const world = breachWorld({ breaches: [adobe], others, feed, asks: { transaction } });
  await world.breaches.pollCatalogue();
  world.clock.pass(MINUTE);

  const change = (set: SQL) =>
    plain((tx) => tx.execute(sql`update breaches.source set ${set} where source = 'memory'`));

  /** Changes the state, uncommitted until `release()`. */
  async function hold(set: SQL) {
    const [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const ended = plain(async (tx) => {
      await tx.execute(sql`update breaches.source set ${set} where source = 'memory'`);
      reached.resolve();
      await released.promise;
    });
    await Promise.race([reached.promise, ended]);
    return async () => {
      released.resolve();
      await ended;
    };
  }

  return {
    ...world,
    change,

    /** Changes the state before `work`, and commits that once the work is done or blocked. */
    async holding(set: SQL, work: () => Promise<unknown>): Promise<void> {
      const release = await hold(set);
      const working = work();
      await doneOrBlocked(plain, working);
      await release();
      await working;
    },

    /** Changes the state when `work` calls the source, and commits that once the work is done or blocked. */
    async during(call: Call, set: SQL, work: () => Promise<unknown>): Promise<void> {
      const called = Promise.withResolvers<() => Promise<void>>();
      interruptions.set(call, async () => called.resolve(await hold(set)));
      const working = work();
      const release = await called.promise;
      await doneOrBlocked(plain, working);
      await release();
      await working;
    },

    generation: () => transaction(async ({ sources }) => (await sources.find("memory")).generation),

    firstReports: async () =>
      (await takePublished(postgresOutbox(plain))).filter(({ type }) => type === "breaches.baselineReady").length,
  };
}

describe("while a catalogue is being polled", () => {
  test("a source that stops answering about addresses is still known to be silent", async () => {
    const world = await worldOnServer();
    await world.during("latest", sql`look_up_trouble = 'HIBP answers 503'`, () => world.breaches.pollCatalogue());
    expect(await world.health()).toMatchObject({ lookUpTrouble: "HIBP answers 503", trouble: null });
  });

  test("a source that answers about addresses again is waited for by first reports", async () => {
    const world = await worldOnServer();
    await world.change(sql`look_up_trouble = 'HIBP answers 503'`);
    await world.during("latest", sql`look_up_trouble = null`, () => world.breaches.pollCatalogue());
    expect((await world.health())?.lookUpTrouble).toBeNull();
    await world.watch(ALICE);
    await world.breaches.scanDue("other");
    expect(await world.firstReports()).toBe(0);
    await world.breaches.scanDue("memory");
    expect(await world.firstReports()).toBe(1);
  });

  test("a catalogue that cannot be read leaves the state of look-ups alone", async () => {
    const world = await worldOnServer();
    world.feed.failNext("latest", later(30 * MINUTE));
    await world.during("latest", sql`look_up_trouble = 'HIBP answers 503'`, () => world.breaches.pollCatalogue());
    expect(await world.health()).toMatchObject({ lookUpTrouble: "HIBP answers 503", trouble: "Not now" });
  });

  test("the cause of a pause is kept, even if it is recorded at the same moment", async () => {
    const world = await worldOnServer();
    world.feed.failNext("latest", { kind: "later", afterMs: MINUTE, reason: "Slow down", isRateLimit: true });
    await world.during("latest", sql`trouble = 'Blocked'`, () => world.breaches.pollCatalogue());
    expect((await world.health())?.trouble).toBe("Blocked");
  });
});

describe("while addresses are being checked", () => {
  test("a catalogue that can be read again stays so when the checks succeed", async () => {
    const world = await worldOnServer();
    await world.change(sql`trouble = 'Away', look_up_trouble = 'HIBP answers 503'`);
    await world.watch(ALICE);
    await world.during("lookUp", sql`trouble = null, latest_name = 'Suno'`, () => world.breaches.scanDue("memory"));
    expect(await world.health()).toMatchObject({ trouble: null, lookUpTrouble: null });
    expect(world.notes).toContainEqual({ says: "Addresses can be checked again", source: "memory" });
  });
});

describe("makeAllDue()", () => {
  test("raises the generation once more when the catalogue has grown at the same moment", async () => {
    const world = await worldOnServer();
    const before = await world.generation();
    await world.holding(sql`generation = generation + 1`, () => world.breaches.makeAllDue());
    expect(await world.generation()).toBe(before + 2);
  });

  test("leaves a trouble alone that is recorded at the same moment", async () => {
    const world = await worldOnServer();
    await world.holding(sql`look_up_trouble = 'HIBP answers 503'`, () => world.breaches.makeAllDue());
    expect((await world.health())?.lookUpTrouble).toBe("HIBP answers 503");
  });
});
