import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundledFeed } from "../../src/breaches/adapters/sources/bundled/bundled.ts";
import { datasetFeed } from "../../src/breaches/adapters/sources/dataset/dataset.ts";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { BreachDeps, BreachFeed } from "../../src/breaches/ports.ts";
import { memoryRateBudget } from "../memory/breaches/budget.ts";
import { breachWorld, later } from "../support/breaches.ts";
import { aBreach } from "../support/builders.ts";
import { DAY, HOUR, MINUTE, SECOND } from "../support/clock.ts";
import { feedOn } from "../support/hibp_feed.ts";
import { type HibpFailure, startHibpPeer } from "../support/hibp_peer.ts";
import type { XposedOrNotFailure } from "../support/xposedornot_failures.ts";
import { startXposedOrNotPeer, xposedOrNotOn } from "../support/xposedornot_peer.ts";

/** A failing source: how it fails and recovers, how often it was queried, and how long it is paused. */
type Source = { feed: BreachFeed; fail(): void; mend(): void; asked(): number; close(): unknown };
type Way = { pauseMs: number; says: RegExp; open: (deps: BreachDeps) => Promise<Source> };

const opened: Source[] = [];
afterEach(async () => {
  for (const source of opened.splice(0)) await source.close();
});

function hibp(failure: HibpFailure, pauseMs: number, says: RegExp): Way {
  return {
    pauseMs,
    says,
    async open({ now }) {
      const peer = await startHibpPeer();
      return {
        feed: feedOn(peer, { now, budget: memoryRateBudget(now) }),
        fail: () => peer.failNext(failure, 1, "/breachedaccount"),
        mend: () => {},
        asked: () => peer.requests.filter(({ path }) => path.includes("/breachedaccount")).length,
        close: () => peer.stop(),
      };
    },
  };
}

function xposedOrNot(failure: XposedOrNotFailure, pauseMs: number, says: RegExp): Way {
  return {
    pauseMs,
    says,
    async open({ now }) {
      const peer = await startXposedOrNotPeer();
      return {
        feed: xposedOrNotOn(peer, { now, budget: memoryRateBudget(now) }),
        fail: () => peer.failNext(failure),
        mend: () => {},
        asked: () => peer.requests.filter(({ path }) => path.includes("/check-email")).length,
        close: () => peer.stop(),
      };
    },
  };
}

/** Counts the queries for an address. */
function counted(feed: BreachFeed): { feed: BreachFeed; asked: () => number } {
  let asked = 0;
  const lookUp = (address: string) => {
    asked += 1;
    return feed.lookUp(address);
  };
  return { feed: { ...feed, lookUp }, asked: () => asked };
}

const bundled: Way = {
  pauseMs: MINUTE,
  says: /Cannot read "published"/,
  async open() {
    const directory = mkdtempSync(join(tmpdir(), "breachbell-pause-"));
    const stateFile = join(directory, "state.json");
    return {
      ...counted(bundledFeed({ stateFile })),
      fail: () => writeFileSync(stateFile, "{"),
      mend: () => rmSync(stateFile),
      close: () => rmSync(directory, { recursive: true }),
    };
  },
};

const dataset: Way = {
  pauseMs: MINUTE,
  says: /Cannot read what was imported/,
  async open({ transaction, now }) {
    let isBroken = false;
    const reading: typeof transaction = (work) => (isBroken ? Promise.reject(new Error("Away")) : transaction(work));
    return {
      ...counted(datasetFeed(reading, now)),
      fail() {
        isBroken = true;
      },
      mend() {
        isBroken = false;
      },
      close: () => {},
    };
  },
};

const WAYS: Record<string, Way> = {
  "hibp, broken": hibp("500", MINUTE, /unexpected status 500/),
  "hibp, away": hibp("503 html", MINUTE, /unavailable/),
  "hibp, blocked": hibp("403 blocked", HOUR, /Cloudflare blocks/),
  "hibp, over its rate": hibp("429 without retry-after", MINUTE, /rate limit/),
  "hibp, key refused": hibp("401", MINUTE, /refused the API key/),
  "xposedornot, broken": xposedOrNot("500", 15 * MINUTE, /unexpected status 500/),
  "xposedornot, blocked": xposedOrNot("403 blocked", DAY, /blocks this server for a day/),
  "xposedornot, over its rate": xposedOrNot("429 dropped", HOUR, /limit is reached/),
  bundled,
  dataset,
};

describe.each(Object.entries(WAYS))("a failing source: %s", (_, { open, pauseMs, says }) => {
  test("is paused by every process, shown with its reason, and queried again when the pause is over", async () => {
    const world = breachWorld();
    const source = await open(world.deps);
    opened.push(source);
    const deps = { ...world.deps, feeds: [source.feed] };
    const [one, other] = [createBreaches(deps), createBreaches(deps)];
    const people = Array.from({ length: 120 }, (_, number) => `person${number}@example.com`);
    // Both have queried it before: a new process is a separate case.
    for (const process of [one, other]) await process.scanDue();
    for (const address of people) {
      const event = { associationId: crypto.randomUUID(), accountId: crypto.randomUUID(), address };
      await one.onMonitoringStarted({
        type: "tracking.monitoringStarted",
        ...event,
        scope: { details: true, sensitive: true },
      });
    }
    const health = async () => (await other.sourcesHealth())[0];

    source.fail();
    await one.scanDue();
    expect((await health())?.lookUpTrouble).toMatch(says);
    const checked = async () =>
      [...(await one.checkTimesOf(people)).values()].filter(({ checkedAt }) => checkedAt !== undefined).length;
    expect(await checked()).toBe(0);
    const asked = source.asked();
    expect(asked).toBeLessThanOrEqual(3);

    for (const share of [0, 0.5, 0.49]) {
      world.clock.pass(Math.floor(pauseMs * share));
      for (const process of [one, other]) await process.scanDue();
    }
    expect(source.asked()).toBe(asked);
    // The reason, not just that it does not respond.
    expect((await health())?.lookUpTrouble).toMatch(says);
    expect(await checked()).toBe(0);

    source.mend();
    world.clock.pass(Math.ceil(pauseMs * 0.01) + SECOND);
    await other.scanDue();
    expect(await checked()).toBeGreaterThan(0);
    // XposedOrNot allows a query every quarter of an hour; meanwhile the rate limit is the reason.
    const trouble = (await health())?.lookUpTrouble;
    if (source.feed.source === "xposedornot") expect(trouble).toMatch(/not to be asked again yet/);
    else expect([trouble, await checked()]).toEqual([null, people.length]);
  }, 30_000);
});

describe("scanDue() with addresses that a source cannot answer for", () => {
  const POISON = ["a1@example.com", "a2@example.com"];

  test("continues with the others, however often those fail, and retries them with increasing delays", async () => {
    const world = breachWorld({
      breaches: [aBreach()],
      feed: (plain) => ({
        ...plain,
        async lookUp(address) {
          const answer = await plain.lookUp(address);
          return POISON.includes(address) ? { ...later(MINUTE), isOfAddress: true } : answer;
        },
      }),
    });
    for (const address of [...POISON, "bob@example.com", "charlie@example.com"])
      await world.watch({ accountId: crypto.randomUUID(), address });
    expect(await world.breaches.scanDue()).toEqual({ checked: 2, raised: 0, trouble: undefined });
    expect((await world.health())?.lookUpTrouble).toBeNull();
    expect(world.reports).toHaveLength(2);
    const askedFor = (address: string) => world.lookedUp().filter((one) => one === address).length;
    for (const [turn, wait] of [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, HOUR].entries()) {
      expect([turn, askedFor("a1@example.com")]).toEqual([turn, turn + 1]);
      world.clock.pass(wait - 1);
      await world.breaches.scanDue();
      expect([turn, askedFor("a1@example.com")]).toEqual([turn, turn + 1]);
      world.clock.pass(1);
      await world.breaches.scanDue();
    }
  });

  test("pauses the source after three in a row", async () => {
    const world = breachWorld({
      feed: (plain) => ({
        ...plain,
        async lookUp(address) {
          await plain.lookUp(address);
          return { ...later(MINUTE), isOfAddress: true };
        },
      }),
    });
    for (let number = 0; number < 60; number++)
      await world.watch({ accountId: crypto.randomUUID(), address: `person${number}@example.com` });
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0, trouble: { reason: "Not now" } });
    expect(world.lookedUp()).toHaveLength(3);
    await world.breaches.scanDue();
    expect(world.lookedUp()).toHaveLength(3);
    expect((await world.health())?.lookUpTrouble).toBe("Not now");
  });

  test("a new process immediately queries a source that a former one had paused", async () => {
    const world = breachWorld({ breaches: [aBreach()] });
    await world.watch({ accountId: crypto.randomUUID(), address: "ada@example.com" });
    world.feed.failNext("lookUp", { kind: "misconfigured", reason: "The key was refused" });
    await world.breaches.scanDue();
    await world.watch({ accountId: crypto.randomUUID(), address: "bob@example.com" });
    expect(await world.breaches.scanDue()).toMatchObject({ checked: 0 });
    expect(await createBreaches(world.deps).scanDue()).toMatchObject({ checked: 1 });
    expect((await world.health())?.lookUpTrouble).toBeNull();
  });
});
