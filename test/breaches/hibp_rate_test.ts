import { afterEach, describe, expect, test } from "bun:test";
import { hibpFeed } from "../../src/breaches/adapters/sources/hibp/hibp.ts";
import { memoryRateBudget } from "../memory/breaches/budget.ts";
import { feedOn, freeBudget, testClock } from "../support/hibp_feed.ts";
import { type HibpPeer, type HibpPeerOptions, startHibpPeer } from "../support/hibp_peer.ts";

const STATUS = "/subscription/status";
const peers: HibpPeer[] = [];

async function peerWith(options: HibpPeerOptions = {}): Promise<HibpPeer> {
  const peer = await startHibpPeer(options);
  peers.push(peer);
  return peer;
}
const pathsOf = (peer: HibpPeer) => peer.requests.map(({ path }) => path.replace("/api/v3", ""));

afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.stop();
});

describe("HIBP rate", () => {
  test("12.16 lookUp() reads the plan once, again after a day, and adapts to a changed one", async () => {
    const peer = await peerWith();
    const clock = testClock();
    const feed = feedOn(peer, { now: clock.now });
    await Promise.all([feed.lookUp("a@example.com"), feed.lookUp("b@example.com")]);
    expect(pathsOf(peer).filter((path) => path === STATUS)).toHaveLength(1);
    clock.pass(23 * 3_600_000);
    await feed.lookUp("c@example.com");
    expect(pathsOf(peer).at(-1)).toStartWith("/breachedaccount/range/");
    peer.subscription({ IncludesKAnon: false, SubscriptionName: "Pwned 1", Rpm: 10 });
    clock.pass(3_600_000);
    await feed.lookUp("d@example.com");
    expect(pathsOf(peer).slice(-2)).toEqual([STATUS, "/breachedaccount/d%40example.com"]);
  });

  test("12.16 lookUp() keeps the known plan when reading it again fails", async () => {
    const peer = await peerWith();
    const clock = testClock();
    const feed = feedOn(peer, { now: clock.now });
    await feed.lookUp("a@example.com");
    clock.pass(25 * 3_600_000);
    peer.failNext("500", 1, STATUS);
    expect(await feed.lookUp("a@example.com")).toEqual({ kind: "found", breaches: [] });
  });

  test("12.16 lookUp() discards the known plan when reading it again is refused", async () => {
    const peer = await peerWith();
    const clock = testClock();
    const feed = feedOn(peer, { now: clock.now });
    await feed.lookUp("a@example.com");
    clock.pass(25 * 3_600_000);
    peer.failNext("401", 1, STATUS);
    expect(await feed.lookUp("a@example.com")).toEqual({ kind: "misconfigured", reason: "HIBP refused the API key" });
  });

  test("verify() asks each time within the rate limit, and tells a refused key and an outage", async () => {
    const peer = await peerWith();
    const feed = feedOn(peer);
    await feed.lookUp("a@example.com");
    expect(await feed.verify?.()).toEqual({ kind: "accepted" });
    expect(await feed.verify?.()).toEqual({ kind: "accepted" });
    expect(pathsOf(peer).filter((path) => path === STATUS)).toHaveLength(3);
    peer.failNext("500", 1, STATUS);
    expect(await feed.verify?.()).toMatchObject({ kind: "later" });
    peer.failNext("401", 1, STATUS);
    expect(await feed.verify?.()).toMatchObject({ kind: "misconfigured" });
    expect(await feed.verify?.()).toEqual({ kind: "accepted" });
    const busy = feedOn(peer, { budget: { ...freeBudget, take: async () => 5000 } });
    expect(await busy.verify?.()).toMatchObject({ kind: "later", isRateLimit: true });
  });

  test("12.16 lookUp() reports a misconfiguration when the key has no subscription", async () => {
    const peer = await peerWith();
    peer.subscription(undefined);
    const told: string[] = [];
    const answer = await feedOn(peer).lookUp("a@example.com", (form) => told.push(form));
    expect(answer).toMatchObject({ kind: "misconfigured" });
    expect(told).toEqual([]);
  });

  test.each([10, 500])(
    "12.32 two processes on one key stay under a plan of %p a minute and use nearly all of it",
    async (Rpm) => {
      const clock = testClock("2026-11-20T12:00:00Z");
      const peer = await peerWith({ now: clock.now, subscription: { Rpm } });
      const budget = memoryRateBudget(clock.now);
      const feeds = [feedOn(peer, { now: clock.now, budget }), feedOn(peer, { now: clock.now, budget })];
      const end = clock.now().getTime() + 4 * 60_000;
      const callsAt: number[] = [];
      for (let turn = 0; clock.now().getTime() < end; turn++) {
        const asked = peer.requests.length;
        const lookup = await feeds[turn % 2]?.lookUp(`user${turn}@example.com`);
        for (let i = asked; i < peer.requests.length; i++) callsAt.push(clock.now().getTime());
        if (lookup?.kind === "later") {
          expect(lookup.reason).toBe("HIBP is not to be asked again yet");
          clock.pass(Math.min(lookup.afterMs, 1000));
        }
      }
      for (const [i, start] of callsAt.entries()) {
        expect(callsAt.slice(i).filter((at) => at < start + 60_000).length).toBeLessThanOrEqual(Rpm);
      }
      expect(callsAt.length).toBeGreaterThan(0.85 * 4 * Rpm);
    },
  );

  test("12.32 lookUp() sends nothing while the budget is exhausted", async () => {
    const peer = await peerWith();
    const feed = feedOn(peer, { budget: { ...freeBudget, take: async () => 1234 } });
    const wait = { kind: "later" as const, afterMs: 1234, reason: expect.any(String), isRateLimit: true };
    expect(await feed.lookUp("a@example.com")).toEqual(wait);
    expect(await feed.latest()).toMatchObject({ kind: "later", afterMs: 1234 });
    expect(peer.requests).toEqual([]);
  });

  test("12.25 hibpFeed() rejects a base URL that is not https, except on this machine", () => {
    const at = (baseUrl: string) => () =>
      hibpFeed({ baseUrl, apiKey: undefined, budget: freeBudget, userAgent: "Test/1", now: () => new Date(0) });
    for (const refused of ["http://haveibeenpwned.com/api/v3", "http://127.0.0.1.example.com", "ftp://localhost"]) {
      expect(at(refused)).toThrow("must be https");
    }
    for (const taken of ["https://hibp.example/api", "http://localhost:1", "http://127.1.2.3/x", "http://[::1]:8"]) {
      expect(at(taken)).not.toThrow();
    }
  });
});
