import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { retryAfterMs } from "../../src/breaches/adapters/sources/hibp/hibp_http.ts";
import { memoryRateBudget } from "../memory/breaches/budget.ts";
import { feedOn, testClock } from "../support/hibp_feed.ts";
import { type HibpPeer, startHibpPeer } from "../support/hibp_peer.ts";

const LOOK_UP = "/breachedaccount";
const STATUS = "/subscription/status";
const ADDRESS = "ada@example.com";
const LATER = { kind: "later", afterMs: 60_000, reason: expect.any(String) } as const;

let peer: HibpPeer;

beforeEach(async () => {
  peer = await startHibpPeer();
  peer.addAccount(ADDRESS, ["Adobe"]);
});

afterEach(() => peer.stop());

/** A feed with a real budget, its own clock and a known plan; its next look-up is sent immediately. */
async function readyFeed() {
  const clock = testClock();
  const budget = memoryRateBudget(clock.now);
  const feed = feedOn(peer, { now: clock.now, budget });
  await feed.lookUp(ADDRESS);
  clock.pass(10_000);
  peer.requests.length = 0;
  return { clock, budget, feed };
}

describe("HIBP's rate limit", () => {
  test.each([
    ["429", 2_000],
    ["429 without retry-after", 60_000],
    ["429 with nonsense", 60_000],
    ["429 html", 2_000],
  ] as const)("12.19 lookUp() makes everybody wait after %s, then succeeds", async (failure, afterMs) => {
    const { clock, budget, feed } = await readyFeed();
    const colleague = feedOn(peer, { now: clock.now, budget });
    peer.failNext(failure, 1, LOOK_UP);
    expect(await feed.lookUp(ADDRESS)).toEqual({ ...LATER, afterMs });
    const silent = { ...LATER, afterMs, isRateLimit: true };
    expect(await feed.lookUp(ADDRESS)).toEqual(silent);
    expect(await colleague.lookUp("bob@example.com")).toEqual(silent);
    expect(await colleague.latest()).toEqual(silent);
    expect(peer.requests).toHaveLength(1);
    clock.pass(afterMs);
    expect(await feed.lookUp(ADDRESS)).toEqual({ kind: "found", breaches: ["Adobe"] });
  });

  test("12.19 retryAfterMs() reads seconds and HTTP dates, from a second to an hour, and a minute for the rest", () => {
    const now = new Date("2026-11-20T12:00:00Z");
    const waits: Record<string, number> = {
      "2": 2_000,
      " 7 ": 7_000,
      "0": 1_000,
      "86400": 3_600_000,
      "99999999999999999999999": 3_600_000,
      "Fri, 20 Nov 2026 12:00:30 GMT": 30_000,
      "Fri, 20 Nov 2026 11:00:00 GMT": 1_000,
      "Sat, 21 Nov 2026 12:00:00 GMT": 3_600_000,
      "Fri, 99 Nov 2026 12:00:30 GMT": 60_000,
      "-5": 60_000,
      "1.5": 60_000,
      "in 2 seconds": 60_000,
      "2026-11-20T12:00:30Z": 60_000,
      "": 60_000,
    };
    for (const [header, wait] of Object.entries(waits))
      expect([header, retryAfterMs(header, now)]).toEqual([header, wait]);
    expect(retryAfterMs(null, now)).toBe(60_000);
  });
});

describe("HIBP's refusals", () => {
  test("12.20 a block by Cloudflare is reported to the operator, and pauses all requests for an hour", async () => {
    const { clock, budget, feed } = await readyFeed();
    peer.failNext("403 blocked");
    expect(await feed.lookUp(ADDRESS)).toEqual({
      kind: "misconfigured",
      reason: "HIBP's Cloudflare blocks this server",
    });
    const colleague = feedOn(peer, { now: clock.now, budget });
    expect(await colleague.latest()).toMatchObject({ kind: "later", afterMs: 3_600_000 });
    expect(await colleague.lookUp(ADDRESS)).toMatchObject({ kind: "later", afterMs: 3_600_000 });
    expect(peer.requests).toHaveLength(1);
    clock.pass(3_600_000);
    expect(await feed.latest()).toMatchObject({ kind: "latest" });
  });

  test("12.20 a plan without the call is reported to the operator, and pauses nothing", async () => {
    const { clock, feed } = await readyFeed();
    peer.failNext("403 plan", 1, LOOK_UP);
    expect(await feed.lookUp(ADDRESS)).toMatchObject({ kind: "misconfigured" });
    clock.pass(1_000);
    expect(await feed.latest()).toMatchObject({ kind: "latest" });
  });

  test.each(["401", "401 text", "403 plan"] as const)(
    "12.24 lookUp() reads the plan again after %s",
    async (failure) => {
      const { clock, feed } = await readyFeed();
      peer.failNext(failure, 1, LOOK_UP);
      expect(await feed.lookUp(ADDRESS)).toMatchObject({ kind: "misconfigured" });
      peer.subscription({ IncludesKAnon: false });
      clock.pass(10_000);
      expect(await feed.lookUp(ADDRESS)).toMatchObject({ kind: "later" });
      clock.pass(10_000);
      expect(await feed.lookUp(ADDRESS)).toEqual({ kind: "found", breaches: ["Adobe"] });
      const paths = peer.requests.map(({ path }) => path.replace("/api/v3", ""));
      expect(paths.slice(1)).toEqual([STATUS, "/breachedaccount/ada%40example.com"]);
    },
  );

  test.each([
    ["missing", undefined, 0],
    ["empty", "", 0],
    ["improperly formed", "not-a-key", 1],
    ["invalid", "f".repeat(32), 1],
    ["unspeakable", "abc\ndef", 0],
  ])(
    "12.2 a key that is %s is reported to the operator, and is not retried repeatedly",
    async (_, apiKey, requests) => {
      const feed = feedOn(peer, { apiKey });
      for (let i = 0; i < 5; i++) expect(await feed.lookUp(ADDRESS)).toMatchObject({ kind: "misconfigured" });
      expect(peer.requests).toHaveLength(requests);
      expect(await feed.catalogue()).toMatchObject({ kind: "catalogue" });
    },
  );
});
