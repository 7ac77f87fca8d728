import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { DomainLookups, FoundByAlias, RateBudget } from "../../src/breaches/ports.ts";
import { memoryRateBudget } from "../memory/breaches/budget.ts";
import { testClock } from "../support/clock.ts";
import { feedOn, freeBudget } from "../support/hibp_feed.ts";
import { type HibpFailure, type HibpPeer, startHibpPeer } from "../support/hibp_peer.ts";

const DOMAIN = "example.org";
const SITES = "/stealerlogsbyemaildomain";
const LATER = { kind: "later" as const, afterMs: 60_000, reason: expect.any(String) };
const found = (byAlias: Record<string, string[]>, leftOut = 0): FoundByAlias => ({
  kind: "found",
  byAlias: new Map(Object.entries(byAlias)),
  leftOut,
});

let peer: HibpPeer;
beforeEach(async () => {
  peer = await startHibpPeer();
  peer.addAccount("Ada@example.org", ["Adobe", "AshleyMadison"], { websites: ["shop.example", "a.example"] });
  peer.addAccount("info@example.org", ["LinkedIn"]);
  peer.addAccount("eve@other.example", ["Canva"], { websites: ["b.example"] });
  peer.addAccount("eve@sub.example.org", ["Canva"]);
  peer.verifyDomain(DOMAIN);
});
afterEach(() => peer.stop());

function domainsOn(options: Parameters<typeof feedOn>[1] = {}): Required<DomainLookups> {
  const { domains } = feedOn(peer, options);
  if (!domains?.sitesOf || !domains.startVerification || !domains.finishVerification)
    throw new Error("HIBP answers for domains");
  return domains as Required<DomainLookups>;
}
const pathsOf = () => peer.requests.map(({ method, path }) => `${method} ${path.replace("/api/v3", "")}`);

describe("HIBP's breaches of a domain", () => {
  test("are found by alias, sensitive ones included, for one request with the key", async () => {
    expect(await domainsOn().breachesOf(DOMAIN)).toEqual(
      found({ ada: ["Adobe", "AshleyMadison"], info: ["LinkedIn"] }),
    );
    expect(pathsOf()).toEqual(["GET /subscription/status", `GET /breacheddomain/${DOMAIN}`]);
    expect(peer.requests[1]?.headers["hibp-api-key"]).toBe(peer.apiKey);
  });

  test("and the websites in its stealer logs may be none", async () => {
    peer.verifyDomain("clean.example");
    expect(await domainsOn().breachesOf("clean.example")).toEqual(found({}));
    expect(await domainsOn().sitesOf("clean.example")).toEqual(found({}));
    expect(await domainsOn().sitesOf(DOMAIN)).toEqual(found({ ada: ["shop.example", "a.example"] }));
  });

  test("are not told of a domain that is not verified for the key", async () => {
    expect(await domainsOn().breachesOf("other.example")).toEqual({ kind: "unverified" });
    expect(await domainsOn().sitesOf("other.example")).toEqual({ kind: "unverified" });
  });

  test("are not confused with an unverified domain where the subscription is too small", async () => {
    peer.subscription({ DomainSearchMaxBreachedAccounts: 1 });
    const hour = { kind: "later", afterMs: 3_600_000, isOfAddress: true, reason: expect.stringContaining("size") };
    expect(await domainsOn().breachesOf(DOMAIN)).toMatchObject(hour);
    expect(pathsOf().slice(1)).toEqual([`GET /breacheddomain/${DOMAIN}`, "GET /subscribeddomains"]);
  });

  test("are not told while the list of verified domains cannot be read", async () => {
    for (const failure of ["500", "empty", "broken json", "wrong type"] as const) {
      peer.failNext(failure, 1, "/subscribeddomains");
      expect(await domainsOn().breachesOf("other.example")).toMatchObject({ kind: "later" });
    }
  });

  test("are not asked for in stealer logs where the subscription has none", async () => {
    peer.subscription({ IncludesStealerLogs: false });
    expect(await domainsOn().sitesOf(DOMAIN)).toEqual({ kind: "refused" });
    expect(pathsOf()).toEqual(["GET /subscription/status"]);
  });

  test("are read one by one: aliases in lower case, each once, and what cannot be read is counted", async () => {
    const long = "x".repeat(64);
    const bad = ["two words", "a\u202eb", "a\ud800b", "ada@example.org", "", `${long}x`].map((alias) => [
      alias,
      ["Adobe"],
    ]);
    peer.answerForDomain(DOMAIN, {
      ...Object.fromEntries(bad),
      ...{ none: [], text: "Adobe", nameless: ["", "y".repeat(201), {}] },
      ...{ Ada: ["Adobe", "Adobe"], ada: ["Canva", 7, null], "o'hara+x": [" LinkedIn "], münchen: ["Adobe"] },
      [long]: ["Adobe"],
      ["__proto__"]: ["Adobe"],
    });
    expect(await domainsOn().breachesOf(DOMAIN)).toEqual(
      found(
        {
          ...{ ada: ["Adobe", "Canva"], "o'hara+x": ["LinkedIn"], münchen: ["Adobe"] },
          [long]: ["Adobe"],
          ["__proto__"]: ["Adobe"],
        },
        10,
      ),
    );
    peer.answerForDomain(DOMAIN, { ada: ["A.example", "<b>"], info: ["<i>"] });
    expect(await domainsOn().sitesOf(DOMAIN)).toEqual(found({ ada: ["a.example"] }, 2));
  });

  test("of 100,000 addresses are read", async () => {
    const names = ["Adobe", "LinkedIn", "Canva", "Dropbox", "Collection1", "VerificationsIO", "Apollo"];
    const count = 100_000;
    peer.answerForDomain(
      DOMAIN,
      Object.fromEntries(Array.from({ length: count }, (_, number) => [`first.last${number}`, names])),
    );
    const answer = await domainsOn().breachesOf(DOMAIN);
    if (answer.kind !== "found") throw new Error(answer.kind);
    expect([answer.byAlias.size, answer.leftOut]).toEqual([count, 0]);
    expect(answer.byAlias.get(`first.last${count - 1}`)).toEqual(names);
  });

  const failures: HibpFailure[] = [
    ...([
      "400",
      "404 html",
      "500",
      "503 html",
      "429",
      "empty",
      "empty list",
      "empty object",
      "broken json",
      "object",
    ] as const),
    ...(["wrong rows", "wrong type", "wrong encoding", "truncated", "too large for a domain", "reset"] as const),
    "redirect",
  ];
  test.each(failures)("that meet %s are a failure, not 'none'", async (failure) => {
    const domains = domainsOn();
    await domains.breachesOf("unknown.example");
    for (const [path, ask] of [
      ["/breacheddomain", domains.breachesOf],
      [SITES, domains.sitesOf],
    ] as const) {
      peer.failNext(failure, 1, path);
      const answer = await ask(DOMAIN);
      const afterMs = { "400": 3_600_000, "429": 2000 }[String(failure)] ?? 60_000;
      expect(answer).toMatchObject({ kind: "later", afterMs });
      expect(JSON.stringify(answer)).not.toMatch(/ada|Adobe|shop|example/);
      expect(await ask(DOMAIN)).toMatchObject({ kind: "found", leftOut: 0 });
    }
  });

  test("of which nothing can be read are a failure of this domain", async () => {
    const domains = domainsOn();
    for (const body of [{ "two words": ["Adobe"] }, { ada: [7] }, { ada: "Adobe" }]) {
      peer.answerForDomain(DOMAIN, body);
      expect(await domains.breachesOf(DOMAIN)).toEqual({ ...LATER, isOfAddress: true });
    }
  });
});

describe("HIBP's rate limits for domains", () => {
  test("are their own, and nothing is asked while they are used up", async () => {
    const taken: [string, number][] = [];
    const budget: RateBudget = {
      ...freeBudget,
      take: async (source, intervalMs) => {
        taken.push([source, intervalMs]);
        return source === "hibp" ? 0 : 700;
      },
    };
    const domains = domainsOn({ budget });
    const wait = { ...LATER, afterMs: 700, isRateLimit: true };
    for (const ask of Object.values(domains)) expect(await ask(DOMAIN)).toEqual(wait);
    const own = ["hibp-domain", "hibp-domain-sites", "hibp-domain", "hibp-domain"];
    expect(taken.slice(1)).toEqual(own.map((name) => [name, name === "hibp-domain" ? 10_000 : 60_000]));
    expect(pathsOf()).toEqual(["GET /subscription/status"]);
  });

  test("leave room to ask why a domain is refused", async () => {
    const budget = memoryRateBudget(testClock().now);
    expect(await domainsOn({ budget }).breachesOf("other.example")).toEqual({ kind: "unverified" });
  });

  test("respect the pauses of the others, which do not respect those of stealer logs alone", async () => {
    const clock = testClock();
    const budget = memoryRateBudget(clock.now);
    const feed = feedOn(peer, { budget, now: clock.now });
    const kindsOf = async () =>
      Promise.all([
        feed.domains?.breachesOf(DOMAIN),
        feed.domains?.sitesOf?.(DOMAIN),
        feed.lookUp("a@example.org"),
      ]).then((answers) => answers.map((answer) => answer?.kind));
    // The subscription takes the first slot of look-ups.
    expect(await kindsOf()).toEqual(["found", "found", "later"]);
    clock.pass(60_000);
    peer.failNext("429", 1, SITES);
    expect(await kindsOf()).toEqual(["found", "later", "found"]);
    clock.pass(60_000);
    peer.failNext("429", 1, "/breachedaccount");
    expect(await feed.lookUp("a@example.org")).toMatchObject({ kind: "later", afterMs: 2000 });
    expect(await kindsOf()).toEqual(["later", "later", "later"]);
    clock.pass(60_000);
    peer.failNext("403 blocked", 1, "/breacheddomain");
    expect(await feed.domains?.breachesOf(DOMAIN)).toMatchObject({ kind: "misconfigured" });
    clock.pass(59 * 60_000);
    expect(await kindsOf()).toEqual(["later", "later", "later"]);
  });
});
