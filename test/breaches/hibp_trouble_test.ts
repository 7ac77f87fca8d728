import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { feedOn, testClock } from "../support/hibp_feed.ts";
import { type HibpFailure, type HibpPeer, startHibpPeer } from "../support/hibp_peer.ts";

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

describe("HIBP's invalid responses", () => {
  const failures: [string, HibpFailure][] = [
    ["12.21", "500"],
    ["12.21", "503 html"],
    ["12.21", "599"],
    ["12.22", "empty"],
    ["12.22", "empty list"],
    ["12.22", "broken json"],
    ["12.22", "wrong rows"],
    ["12.22", "wrong type"],
    ["12.22", "wrong encoding"],
    ["12.22", "truncated"],
    ["12.22", "too large"],
    ["12.23", "reset"],
    ["12.23", "hang up"],
    ["12.25", "redirect"],
  ];
  // Clients retry automatically when a reused connection is closed; the second time they give up.
  const timesOf = (failure: HibpFailure) => (failure === "hang up" ? 2 : 1);

  test.each([...failures, ["12.22", "object"] as const])(
    "%s a look-up with %s is a failure, not 'not found'",
    async (_, failure) => {
      for (const IncludesKAnon of [true, false]) {
        peer.subscription({ IncludesKAnon });
        const feed = feedOn(peer);
        await feed.lookUp(ADDRESS);
        peer.failNext(failure, timesOf(failure), LOOK_UP);
        // A well-formed but invalid response may be specific to this address.
        const isOfAddress = ["empty list", "wrong rows", "object"].includes(failure);
        expect(await feed.lookUp(ADDRESS)).toEqual({ ...LATER, ...(isOfAddress && { isOfAddress }) });
        expect(await feed.lookUp(ADDRESS)).toEqual({ kind: "found", breaches: ["Adobe"] });
      }
    },
  );

  test.each(failures)("%s a catalogue call with %s is a failure", async (_, failure) => {
    const feed = feedOn(peer);
    await feed.latest();
    for (const call of [feed.latest, feed.catalogue, () => feed.breach("Adobe")]) {
      peer.failNext(failure, timesOf(failure));
      expect(await call()).toEqual(LATER);
    }
  });

  test.each(failures)(
    "%s a plan that cannot be read because of %s is a failure, and is requested again after a minute",
    async (_, failure) => {
      const clock = testClock();
      const feed = feedOn(peer, { now: clock.now });
      await feed.latest();
      peer.failNext(failure, timesOf(failure), STATUS);
      expect(await feed.lookUp(ADDRESS)).toEqual(LATER);
      const asked = peer.requests.length;
      expect(await feed.lookUp(ADDRESS)).toEqual(LATER);
      expect(peer.requests).toHaveLength(asked);
      clock.pass(60_000);
      expect(await feed.lookUp(ADDRESS)).toEqual({ kind: "found", breaches: ["Adobe"] });
    },
  );

  test("a 404 means 'not found' only for accounts and names", async () => {
    const feed = feedOn(peer);
    await feed.lookUp(ADDRESS);
    peer.failNext("404 html", 4);
    expect(await feed.latest()).toEqual(LATER);
    expect(await feed.catalogue()).toEqual(LATER);
    expect(await feed.breach("Adobe")).toEqual({ kind: "breach", breach: undefined });
    expect(await feed.lookUp(ADDRESS)).toEqual({ kind: "found", breaches: [] });
  });

  test("another server behind the base URL is named as the cause, and no address counts as checked", async () => {
    const feed = feedOn(peer);
    peer.failNext("404 html", 4);
    for (const ask of [feed.latest, feed.catalogue]) expect(await ask()).toEqual(LATER);
    for (const _ of [1, 2])
      expect(await feed.lookUp(ADDRESS)).toEqual({
        kind: "misconfigured",
        reason: "A web page answers instead of HIBP: correct HIBP_BASE_URL",
      });
  });

  test("12.5 a rejected form of an address is a failure", async () => {
    const feed = feedOn(peer);
    await feed.lookUp(ADDRESS);
    peer.failNext("400");
    expect(await feed.lookUp(ADDRESS)).toMatchObject({ kind: "later", afterMs: 3_600_000 });
  });
});

describe("HIBP out of reach", () => {
  test.each(["hang", "slow"] as const)("12.23 a call that meets %s ends at the time limit", async (failure) => {
    const feed = feedOn(peer, { timeoutMs: 80 });
    peer.failNext(failure, 1, "/latestbreach");
    peer.failNext(failure, 1, STATUS);
    expect(await feed.latest()).toEqual({ ...LATER, reason: "Cannot reach HIBP: it took too long" });
    expect(await feed.lookUp(ADDRESS)).toEqual({ ...LATER, reason: "Cannot reach HIBP: it took too long" });
  });

  test("12.23 a refused connection and a name that does not resolve are failures", async () => {
    const stopped = await startHibpPeer();
    await stopped.stop();
    for (const baseUrl of [stopped.url, `http://${"a".repeat(64)}.localhost`]) {
      const feed = feedOn(peer, { baseUrl });
      expect(await feed.latest()).toEqual(LATER);
      expect(await feed.lookUp(ADDRESS)).toEqual(LATER);
    }
  });
});

test("12.27 12.28 no key, address, hash or other suffix is in any reason or log", async () => {
  const said: unknown[] = [];
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((level) =>
    spyOn(console, level).mockImplementation((...words: unknown[]) => void said.push(words)),
  );
  const kinds: HibpFailure[] = [
    "401",
    "403 plan",
    "400",
    "500",
    "broken json",
    "truncated",
    "reset",
    "wrong type",
    "redirect",
    "object",
  ];
  for (const IncludesKAnon of [true, false]) {
    peer.subscription({ IncludesKAnon });
    for (const kind of kinds) {
      const feed = feedOn(peer);
      said.push(await feed.lookUp(ADDRESS));
      peer.failNext(kind, 1, LOOK_UP);
      said.push(await feed.lookUp(ADDRESS));
      said.push(await feedOn(peer, { baseUrl: "http://127.0.0.1:1" }).lookUp(ADDRESS));
      said.push(await feedOn(peer, { apiKey: `${peer.apiKey}\n` }).lookUp(ADDRESS));
    }
  }
  for (const spy of spies) spy.mockRestore();
  const text = JSON.stringify(said).toLowerCase();
  for (const secret of [peer.apiKey, "ada", "%40", "example.com", "linkedin"]) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/[0-9a-f]{30}/);
});
