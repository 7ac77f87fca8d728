import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { RateBudget, TraceSource } from "../../src/breaches/ports.ts";
import { feedOn, freeBudget } from "../support/hibp_feed.ts";
import { HIBP_TEST_KEY, type HibpFailure, type HibpPeer, startHibpPeer } from "../support/hibp_peer.ts";

const ADA = "ada@example.com";
const DOMAIN = "hibp-integration-tests.com";
const PASTE = { Source: "Pastebin", Id: "8Q0BvKD8", Title: "syslog", Date: "2014-03-04T19:14:54Z", EmailCount: 139 };
const READ = { source: "Pastebin", id: "8Q0BvKD8", title: "syslog", date: "2014-03-04T19:14:54Z", addresses: 139 };
const LATER = { kind: "later", afterMs: 60_000, reason: expect.any(String) } as const;
const NO_SITES = { kind: "found" as const, entries: [], leftOut: 0 };
const NO_PASTES = { kind: "found" as const, entries: [], leftOut: 0 };

let peer: HibpPeer;
beforeEach(async () => {
  peer = await startHibpPeer();
});
afterEach(() => peer.stop());

function tracesOn(options: Parameters<typeof feedOn>[1] = {}): TraceSource {
  const { traces } = feedOn(peer, options);
  if (traces === undefined) throw new Error("HIBP knows of pastes");
  return traces;
}
const pathsOf = () => peer.requests.map(({ path }) => path.replace("/api/v3", ""));

describe("HIBP's pastes and stealer logs", () => {
  test("are found for the official test accounts", async () => {
    peer.verifyDomain(DOMAIN);
    const traces = tracesOn();
    const found: Record<string, [pastes: number, sites: string[]]> = {
      "account-exists": [1, []],
      "paste-sensitive-breach": [1, []],
      "stealer-log": [0, ["example.com"]],
      "opt-out": [0, []],
      "permanent-opt-out": [0, []],
      "multiple-breaches": [0, []],
    };
    for (const [name, [count, sites]] of Object.entries(found)) {
      const address = `${name}@${DOMAIN}`;
      expect(await traces.pastesOf(address)).toEqual({ kind: "found", entries: Array(count).fill(READ), leftOut: 0 });
      expect(await traces.sitesOf(address)).toEqual({ kind: "found", entries: sites, leftOut: 0 });
    }
  });

  test("cost one request each, with the key, after one for the subscription", async () => {
    peer.verifyDomain("example.com");
    const traces = tracesOn();
    expect(await traces.pastesOf("Ada+Tag@example.com")).toEqual(NO_PASTES);
    expect(await traces.sitesOf("Ada+Tag@example.com")).toEqual(NO_SITES);
    const address = "ada%2Btag%40example.com";
    expect(pathsOf()).toEqual(["/subscription/status", `/pasteaccount/${address}`, `/stealerlogsbyemail/${address}`]);
    expect(new Set(peer.requests.map(({ headers }) => headers["hibp-api-key"]))).toEqual(new Set([peer.apiKey]));
  });

  test("come under the same rate limit as look-ups", async () => {
    const taken: [string, number][] = [];
    const budget: RateBudget = {
      ...freeBudget,
      take: async (source, intervalMs) => {
        taken.push([source, Math.round(intervalMs)]);
        return taken.length > 1 ? 700 : 0;
      },
    };
    const traces = tracesOn({ budget });
    await traces.subscription();
    const wait = { kind: "later" as const, afterMs: 700, reason: expect.any(String), isRateLimit: true };
    expect(await traces.pastesOf(ADA)).toEqual(wait);
    expect(await traces.sitesOf(ADA)).toEqual(wait);
    expect(taken.map(([source]) => source)).toEqual(["hibp", "hibp", "hibp"]);
    expect(taken.slice(1).map(([, intervalMs]) => intervalMs)).toEqual([126, 126]);
    expect(pathsOf()).toEqual(["/subscription/status"]);
  });

  test("keep only what is shown, and leave out what cannot be read", async () => {
    const untitled = { Source: "AdHocUrl", Id: "https://paste.example/1", Date: null, EmailCount: 0, Extra: "secret" };
    const bad = [{ ...PASTE, Id: 7 }, { ...PASTE, EmailCount: -1 }, { ...PASTE, Id: "x".repeat(2001) }, null];
    const undated = { ...PASTE, Date: "in spring", Title: "  " };
    peer.verifyDomain("example.com");
    peer.addAccount(ADA, [], {
      pastes: [PASTE, untitled, undated, ...bad] as never,
      websites: ["b.example", "A.example ", "a.example", "münchen.example", "<b>", "x".repeat(254), 7 as never],
    });
    const traces = tracesOn();
    const link = { source: "AdHocUrl", id: "https://paste.example/1", addresses: 0 };
    expect(await traces.pastesOf(ADA)).toEqual({
      kind: "found",
      entries: [READ, { ...link, title: undefined, date: undefined }, { ...READ, title: undefined, date: undefined }],
      leftOut: 4,
    });
    const sites = await traces.sitesOf(ADA);
    expect(sites).toEqual({ kind: "found", entries: expect.any(Array), leftOut: 3 });
    expect(sites.kind === "found" && sites.entries.toSorted()).toEqual(["a.example", "b.example", "münchen.example"]);
  });

  test("of which nothing can be read are a failure, not 'none'", async () => {
    peer.verifyDomain("example.com");
    peer.addAccount(ADA, [], { pastes: [{}] as never, websites: ["<b>"] });
    const traces = tracesOn();
    for (const answer of [await traces.pastesOf(ADA), await traces.sitesOf(ADA)])
      expect(answer).toEqual({ ...LATER, isOfAddress: true });
  });

  const failures: HibpFailure[] = [
    ...([
      "500",
      "503 html",
      "429",
      "empty",
      "empty list",
      "broken json",
      "object",
      "wrong rows",
      "wrong type",
    ] as const),
    ...(["wrong encoding", "truncated", "too large", "reset", "redirect"] as const),
  ];
  test.each(failures)("that meet %s are a failure, not 'none'", async (failure) => {
    peer.verifyDomain("example.com");
    peer.addAccount(ADA, [], { pastes: [PASTE], websites: ["a.example"] });
    const traces = tracesOn();
    await traces.subscription();
    for (const ask of [() => traces.pastesOf(ADA), () => traces.sitesOf(ADA)]) {
      peer.failNext(failure);
      expect(await ask()).toMatchObject({ kind: "later", afterMs: failure === "429" ? 2000 : 60_000 });
    }
    expect(await traces.pastesOf(ADA)).toEqual({ kind: "found", entries: [READ], leftOut: 0 });
    expect(await traces.sitesOf(ADA)).toEqual({ kind: "found", entries: ["a.example"], leftOut: 0 });
  });
});

describe("HIBP's refusals", () => {
  test("of an address at a domain that is not verified concern this address alone", async () => {
    peer.addAccount(ADA, ["Adobe"], { websites: ["a.example"] });
    const feed = feedOn(peer);
    expect(await feed.traces?.sitesOf(ADA)).toEqual({ kind: "refused" });
    expect(await feed.traces?.pastesOf(ADA)).toEqual(NO_PASTES);
    expect(await feed.lookUp(ADA)).toEqual({ kind: "found", breaches: ["Adobe"] });
    expect(pathsOf().filter((path) => path === "/subscription/status")).toHaveLength(1);
  });

  test("of a plan that lacks a call are the same", async () => {
    const traces = tracesOn();
    await traces.subscription();
    peer.failNext("403 plan", 2);
    expect([await traces.pastesOf(ADA), await traces.sitesOf(ADA)]).toEqual([{ kind: "refused" }, { kind: "refused" }]);
  });

  test("of the key or this server concern the operator", async () => {
    const traces = tracesOn();
    await traces.subscription();
    for (const failure of ["401", "403 blocked"] as const) {
      peer.failNext(failure, 1, "/pasteaccount");
      peer.failNext(failure, 1, "/stealerlogsbyemail");
      for (const answer of [await traces.pastesOf(ADA), await traces.sitesOf(ADA)])
        expect(answer).toEqual({ kind: "misconfigured", reason: expect.not.stringContaining("ada") });
    }
  });

  test("without a key nothing is asked", async () => {
    const traces = tracesOn({ apiKey: undefined });
    for (const answer of [await traces.subscription(), await traces.pastesOf(ADA), await traces.sitesOf(ADA)])
      expect(answer).toMatchObject({ kind: "misconfigured" });
    expect(peer.requests).toEqual([]);
  });
});

describe("HIBP's subscription", () => {
  test("is told with its facts", async () => {
    const traces = tracesOn();
    const facts = { name: "Pro 1", until: "2030-01-01T00:00:00Z", perMinute: 500, kAnonymity: true, stealerLogs: true };
    expect(traces.lastSubscription()).toBeUndefined();
    expect(await traces.subscription()).toEqual({ kind: "subscription", subscription: facts });
    expect(traces.lastSubscription()).toEqual(facts);
  });

  test("may lack the facts that look-ups do without", async () => {
    const unknown = { SubscriptionName: 7, SubscribedUntil: "soon", IncludesStealerLogs: "yes" } as never;
    peer.subscription(unknown);
    expect(await tracesOn().subscription()).toEqual({
      kind: "subscription",
      subscription: { name: undefined, until: undefined, perMinute: 500, kAnonymity: true, stealerLogs: false },
    });
  });

  test("is needed even with the test key", async () => {
    expect(await tracesOn({ apiKey: HIBP_TEST_KEY }).pastesOf(ADA)).toMatchObject({ kind: "misconfigured" });
  });
});
