import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { DomainLookups, FoundByAlias } from "../../src/breaches/ports.ts";
import { memoryRateBudget } from "../memory/breaches/budget.ts";
import { testClock } from "../support/clock.ts";
import { freeBudget } from "../support/hibp_feed.ts";
import type { XposedOrNotFailure } from "../support/xposedornot_failures.ts";
import {
  startXposedOrNotPeer,
  XPOSEDORNOT_KEY,
  type XposedOrNotPeer,
  xposedOrNotOn,
} from "../support/xposedornot_peer.ts";

const DOMAIN = "example.org";
const HALF_HOUR = 30 * 60_000;
const HOUR = 2 * HALF_HOUR;
const found = (byAlias: Record<string, string[]>, leftOut = 0): FoundByAlias => ({
  kind: "found",
  byAlias: new Map(Object.entries(byAlias)),
  leftOut,
});
const row = (email: unknown, breach: unknown = "Adobe") => ({ email, breach, domain: DOMAIN, more: "secret" });
const answerOf = (rows: unknown, summary: unknown = { [DOMAIN]: 1 }, status: unknown = "success") => ({
  status,
  metrics: { Breaches_Details: rows, Domain_Summary: summary },
});

let peer: XposedOrNotPeer;
beforeEach(async () => {
  peer = await startXposedOrNotPeer();
  peer.addAccount("ada@example.org", ["Adobe", "AshleyMadison"]);
  peer.addAccount("info@example.org", ["Canva"]);
  peer.addAccount("eve@example.net", ["Canva"]);
  peer.addAccount("eve@other.example", ["Canva"]);
  for (const domain of [DOMAIN, "example.net", "clean.example"]) peer.verifyDomain(domain);
});
afterEach(() => peer.stop());

function domainsOn(options: Parameters<typeof xposedOrNotOn>[1] = {}): DomainLookups {
  const { domains } = xposedOrNotOn(peer, { apiKey: XPOSEDORNOT_KEY, ...options });
  if (domains === undefined) throw new Error("With a key, XposedOrNot answers for domains");
  return domains;
}

/** Without a rate limit, and with a clock that stands still unless told to pass. */
function held() {
  const clock = testClock();
  return { clock, domains: domainsOn({ now: clock.now, budget: freeBudget }) };
}

describe("XposedOrNot's breaches of domains", () => {
  test("are asked for all at once, with the key and no body, and kept for half an hour", async () => {
    const { clock, domains } = held();
    const asked = ["example.org", "example.net", "clean.example", "other.example"];
    const answers = [
      found({ ada: ["Adobe", "AshleyMadison"], info: ["Canva"] }),
      found({ eve: ["Canva"] }),
      found({}),
      { kind: "unverified" as const },
    ];
    expect(await Promise.all(asked.map((domain) => domains.breachesOf(domain)))).toEqual(answers);
    clock.pass(HALF_HOUR - 1);
    for (const [place, domain] of asked.entries())
      expect(await domains.breachesOf(domain)).toEqual(answers[place] as never);
    expect(peer.requests).toHaveLength(1);
    const [{ method, path, headers } = { method: "", path: "", headers: {} as Record<string, string> }] = peer.requests;
    expect([method, path, headers["x-api-key"]]).toEqual(["POST", "/v1/domain-breaches/", XPOSEDORNOT_KEY]);
    expect(headers["content-length"] ?? "0").toBe("0");
    peer.addAccount("new@example.net", ["Adobe"]);
    clock.pass(1);
    expect(await domains.breachesOf("example.net")).toEqual(found({ eve: ["Canva"], new: ["Adobe"] }));
    expect(peer.requests).toHaveLength(2);
  });

  test("are copies: changing them does not change later ones", async () => {
    const { domains } = held();
    const first = await domains.breachesOf(DOMAIN);
    if (first.kind === "found") first.byAlias.clear();
    expect(await domains.breachesOf(DOMAIN)).toEqual(found({ ada: ["Adobe", "AshleyMadison"], info: ["Canva"] }));
  });

  test("are not asked for without a key, which is sent with no other call", async () => {
    expect(xposedOrNotOn(peer).domains).toBeUndefined();
    const feed = xposedOrNotOn(peer, { apiKey: XPOSEDORNOT_KEY });
    await feed.lookUp("ada@example.org");
    await feed.catalogue();
    expect(peer.requests.map(({ headers }) => headers["x-api-key"])).toEqual([undefined, undefined]);
  });

  test("are read row by row, each once, and what cannot be read is counted where it may belong", async () => {
    const rows = [
      ...[
        row("Ada@Example.org"),
        row("ada@example.org"),
        row("ada@example.org", " Canva "),
        row("o'hara+x@example.org"),
      ],
      ...[row("two words@example.org"), row("a@b@example.org"), row("x@example.org", 7), row("y@example.org", "")],
      ...[
        row("eve@example.net"),
        row("eve@unverified.example"),
        row(7),
        row("no address"),
        "text",
        { breach: "Adobe" },
      ],
    ];
    peer.answerForDomains(answerOf(rows, { [DOMAIN]: 8, "Example.NET": 1, "clean.example": 0 }));
    const { domains } = held();
    expect(await domains.breachesOf(DOMAIN)).toEqual(found({ ada: ["Adobe", "Canva"], "o'hara+x": ["Adobe"] }, 8));
    expect(await domains.breachesOf("example.net")).toEqual(found({ eve: ["Adobe"] }, 2));
    expect(await domains.breachesOf("unverified.example")).toEqual({ kind: "unverified" });
    // It may have rows that cannot be read, so it must not seem clean.
    expect(await domains.breachesOf("clean.example")).toMatchObject({ kind: "later", isOfAddress: true });
  });

  test("that are counted, but not listed, are a failure of this domain", async () => {
    peer.answerForDomains(answerOf([row("eve@example.net")], { [DOMAIN]: 3, "example.net": 1 }));
    const { domains } = held();
    expect(await domains.breachesOf(DOMAIN)).toMatchObject({ kind: "later", isOfAddress: true });
    expect(await domains.breachesOf("example.net")).toEqual(found({ eve: ["Adobe"] }));
  });

  const bodies: [string, unknown][] = [
    ["an error", answerOf([], { [DOMAIN]: 0 }, "failed")],
    ["no metrics", { status: "success" }],
    ["no rows", answerOf(undefined)],
    ["rows that are no list", answerOf({ [DOMAIN]: "Adobe" })],
    ["no summary", answerOf([], null)],
    ["a summary without numbers", answerOf([], { [DOMAIN]: "many" })],
    ["a list", []],
  ];
  test.each(bodies)("are a failure, and never 'none', when the answer has %s", async (_, body) => {
    peer.answerForDomains(body);
    const { domains } = held();
    expect(await domains.breachesOf(DOMAIN)).toEqual({ kind: "later", afterMs: 60_000, reason: expect.any(String) });
    peer.answerForDomains(undefined);
    expect(await domains.breachesOf(DOMAIN)).toMatchObject({ kind: "found" });
  });

  const odd: XposedOrNotFailure[] = [
    ...(["200 challenge", "404 detail", "404 html", "404 processing", "422", "500", "502 html", "429"] as const),
    ...(["null", "broken json", "empty", "redirect", "304 unasked", "reset"] as const),
  ];
  test.each(odd)("are a failure, and never 'none', when the answer is: %s", async (failure) => {
    const { domains } = held();
    peer.failNext(failure);
    const answer = await domains.breachesOf(DOMAIN);
    expect(answer).toMatchObject({ kind: "later", reason: expect.not.stringMatching(/ada|example|Adobe/) });
    expect(await domains.breachesOf(DOMAIN)).toMatchObject({ kind: "found" });
  });
});

describe("XposedOrNot's rate limit for domains", () => {
  test("allows one request per half hour over all processes, and is kept to", async () => {
    const clock = testClock();
    const budget = memoryRateBudget(clock.now);
    const strict = await startXposedOrNotPeer({ now: clock.now });
    strict.verifyDomain(DOMAIN);
    const feeds = [0, 1].map(() => xposedOrNotOn(strict, { now: clock.now, budget, apiKey: XPOSEDORNOT_KEY }));
    const end = clock.now().getTime() + 48 * HOUR;
    for (let turn = 0; clock.now().getTime() < end; turn++) {
      const answer = await feeds[turn % 2]?.domains?.breachesOf(DOMAIN);
      if (answer?.kind === "later") expect(answer).toMatchObject({ isRateLimit: true });
      else expect(answer).toEqual(found({}));
      clock.pass(5 * 60_000);
    }
    expect(strict.requests.length).toBeGreaterThan(90);
    await strict.stop();
  });

  test.each(["429", "403 blocked"] as const)("is paused by %s of another call", async (failure) => {
    const clock = testClock();
    const feed = xposedOrNotOn(peer, { now: clock.now, budget: memoryRateBudget(clock.now), apiKey: XPOSEDORNOT_KEY });
    peer.failNext(failure);
    await feed.lookUp("ada@example.org");
    expect(await feed.domains?.breachesOf(DOMAIN)).toMatchObject({ kind: "later", isRateLimit: true });
    expect(peer.requests).toHaveLength(1);
  });

  test.each([
    ["a key that is refused", undefined, HOUR],
    ["a refusal that may be of the server", "403 blocked", 24 * HOUR],
  ] as const)("pauses for %s, without a word to other calls", async (_, failure, ms) => {
    const clock = testClock();
    const apiKey = failure ? XPOSEDORNOT_KEY : "another-key";
    const feed = xposedOrNotOn(peer, { now: clock.now, budget: memoryRateBudget(clock.now), apiKey });
    if (failure) peer.failNext(failure);
    const refused = { kind: "misconfigured", reason: "XposedOrNot refused the API key" };
    expect(await feed.domains?.breachesOf(DOMAIN)).toEqual(refused as never);
    clock.pass(ms - 1);
    expect(await feed.domains?.breachesOf(DOMAIN)).toMatchObject({ kind: "later", isRateLimit: true });
    expect(await feed.lookUp("ada@example.org")).toMatchObject({ kind: "found" });
  });
});
