import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import LABELS from "../../src/breaches/adapters/sources/xposedornot/data_classes.json";
import { labelOf } from "../../src/breaches/adapters/sources/xposedornot/xposedornot_model.ts";
import { memoryRateBudget } from "../memory/breaches/budget.ts";
import { testClock } from "../support/clock.ts";
import type { XposedOrNotFailure } from "../support/xposedornot_failures.ts";
import { startXposedOrNotPeer, type XposedOrNotPeer, xposedOrNotOn } from "../support/xposedornot_peer.ts";

const ADA = "ada@example.com";
const HOUR = 3_600_000;
let peer: XposedOrNotPeer;

beforeEach(async () => {
  peer = await startXposedOrNotPeer();
  peer.addAccount(ADA, ["Adobe", "Canva"]);
});
afterEach(() => peer.stop());

describe("XposedOrNot's answer for an address", () => {
  test("is requested by the address itself, with our user agent", async () => {
    peer.addAccount("ada+tag@example.com", ["Adobe"]);
    expect(await xposedOrNotOn(peer).lookUp(" Ada+Tag@example.com ")).toEqual({ kind: "found", breaches: ["Adobe"] });
    const [request] = peer.requests;
    expect(request?.path).toBe("/v1/check-email/ada%2Btag%40example.com");
    expect(request?.headers["user-agent"]).toBe("Breachbell/0.1.0 (+https://breachbell.example)");
  });

  test("is empty for unknown addresses, and for those hidden there", async () => {
    peer.shield("hidden@example.com");
    for (const address of ["nobody@example.com", "hidden@example.com"])
      expect(await xposedOrNotOn(peer).lookUp(address)).toEqual({ kind: "found", breaches: [] });
  });

  test('is not requested for an address that they would consider invalid, as "not found" would be wrong', async () => {
    const long = `${"a".repeat(60)}@${`${"b".repeat(60)}.`.repeat(4)}example.com`;
    for (const address of ["o'hara@example.com", "a!b@example.com", "a@xn--n3h", "no-address", "__proto__", long])
      expect([address, await xposedOrNotOn(peer).lookUp(address)]).toEqual([address, { kind: "unsupported" }]);
    expect(peer.requests).toEqual([]);
  });

  const odd: XposedOrNotFailure[] = [
    ...(["200 challenge", "404 fault", "404 detail", "404 html", "404 processing", "422", "500", "502 html"] as const),
    ...(["empty list", "empty inner list", "flat list", "another's answer", "an error with breaches", "null"] as const),
    ...(["no catalogue", "broken json", "empty", "redirect", "304 unasked", "too large", "reset", "hang"] as const),
  ];
  test.each(odd)("is a failure, and never 'not found', when it is: %s", async (failure) => {
    // Only endless responses run into the time limit; the others are not limited.
    const feed = xposedOrNotOn(peer, failure === "hang" ? { timeoutMs: 300 } : {});
    peer.failNext(failure);
    const answer = await feed.lookUp(ADA);
    const { isOfAddress: _, ...trouble } = { isOfAddress: false, ...answer };
    expect(trouble).toEqual({ kind: "later", afterMs: expect.any(Number), reason: expect.any(String) });
    expect(JSON.stringify(answer)).not.toMatch(/ada|eve|Canva/);
    expect(await xposedOrNotOn(peer).lookUp(ADA)).toEqual({ kind: "found", breaches: ["Adobe", "Canva"] });
  });
});

describe("XposedOrNot's rate limit", () => {
  const waits: [XposedOrNotFailure, number, string][] = [
    ["429", 30_000, "later"],
    ["429 robot", 12_000, "later"],
    ["429 dropped", HOUR, "later"],
    ["429 with nonsense", HOUR, "later"],
    ["429 for days", 24 * HOUR, "later"],
    ["403 blocked", 24 * HOUR, "misconfigured"],
    ["403 challenge", 24 * HOUR, "misconfigured"],
  ];
  test.each(waits)("%s: no requests for %d ms", async (failure, ms, kind) => {
    const clock = testClock();
    const budget = memoryRateBudget(clock.now);
    const feeds = [0, 1].map(() => xposedOrNotOn(peer, { now: clock.now, budget }));
    peer.failNext(failure);
    expect(await feeds[0]?.lookUp(ADA)).toMatchObject({ kind });
    clock.pass(ms - 1);
    for (const feed of feeds) {
      expect(await feed.lookUp(ADA)).toMatchObject({ kind: "later", isRateLimit: true });
      expect(await feed.latest()).toMatchObject({ kind: "later", isRateLimit: true });
    }
    expect(peer.requests).toHaveLength(1);
    clock.pass(15 * 60_000);
    expect(await feeds[1]?.lookUp(ADA)).toMatchObject({ kind: "found" });
  });

  test("two processes stay within 25 an hour and 100 a day, and use nearly all of it", async () => {
    const clock = testClock();
    const budget = memoryRateBudget(clock.now);
    const strict = await startXposedOrNotPeer({ now: clock.now });
    const feeds = [0, 1].map(() => xposedOrNotOn(strict, { now: clock.now, budget }));
    const end = clock.now().getTime() + 48 * HOUR;
    for (let turn = 0; clock.now().getTime() < end; turn++) {
      const answer = await feeds[turn % 2]?.lookUp(`user${turn}@example.com`);
      if (answer?.kind === "later") {
        expect(answer.isRateLimit).toBe(true);
        clock.pass(answer.afterMs);
      } else expect(answer).toEqual({ kind: "found", breaches: [] });
    }
    expect(strict.requests.length).toBeGreaterThan(180);
    await strict.stop();
  });
});

describe("XposedOrNot's catalogue", () => {
  test("is requested with the date of the last one, and read again only when that has changed", async () => {
    const feed = xposedOrNotOn(peer);
    const first = await feed.catalogue();
    expect(await feed.catalogue()).toEqual(first);
    expect(peer.requests.map(({ headers }) => headers["if-modified-since"])).toEqual([
      undefined,
      "Thu, 13 Nov 2025 10:23:12 GMT",
    ]);
    peer.publish("2026-07-20");
    expect(await feed.latest()).toEqual({ kind: "latest", name: "Suno", addedDate: "2026-07-20T19:49:51Z" });
  });

  test("converts dates, flags and labels to the internal format, and keeps unknown ones", async () => {
    peer.publish({
      breachID: "New",
      breachedDate: "2026-07-01T02:00:00+02:00",
      addedDate: null,
      domain: "new.example",
      verified: false,
      sensitive: true,
      breachType: "Stealer Log",
      referenceURL: "https://new.example/notice",
      exposedData: ["Credit Card Info", "email Address", "Government IDs", "Shoe laces", "Name", "Names"],
    });
    expect(await xposedOrNotOn(peer).breach("New")).toMatchObject({
      breach: {
        name: "New",
        title: "New",
        domain: "new.example",
        breachDate: "2026-07-01",
        addedDate: "2026-07-01T00:00:00Z",
        modifiedDate: "2026-07-01T00:00:00Z",
        flags: ["unverified", "sensitive", "stealerLog"],
        dataClasses: ["Credit cards", "Email addresses", "Government issued IDs", "Names", "Shoe laces"],
        disclosureUrl: "https://new.example/notice",
      },
    });
  });

  test.each([
    ["plaintext", "plain"],
    ["easytocrack", "weak"],
    ["hardtocrack", "strong"],
    ["unknown", undefined],
    [null, undefined],
    ["a new word", undefined],
  ] as const)("reads the password risk %j as %j", async (passwordRisk, storageSaid) => {
    peer.publish({ breachID: "New", breachedDate: "2026-07-01T00:00:00Z", passwordRisk });
    const answer = await xposedOrNotOn(peer).breach("New");
    expect(answer).toMatchObject({ breach: { name: "New" } });
    expect(answer.kind === "breach" && answer.breach?.storageSaid).toBe(storageSaid);
  });

  test("names entries that cannot be parsed; with many of them the list is rejected", async () => {
    const spoilt = [{ exposedRecords: "many" }, { breachedDate: "soon" }, { exposedData: "Names" }, { domain: 7 }];
    for (const [index, wrong] of spoilt.entries()) peer.publish({ breachID: `Spoilt${index}`, ...wrong });
    expect(await xposedOrNotOn(peer).catalogue()).toMatchObject({
      kind: "catalogue",
      leftOut: ["Spoilt0", "Spoilt1", "Spoilt2", "Spoilt3"],
    });
    for (let index = 0; index < 60; index++) peer.publish({ breachID: `Wrong${index}`, verified: "yes" });
    expect(await xposedOrNotOn(peer).catalogue()).toMatchObject({ kind: "later" });
  });

  const odd = [
    "no catalogue",
    "no catalogue, other spelling",
    "404 processing",
    "200 challenge",
    "broken json",
  ] as const;
  test.each(odd)("is a failure when it is: %s", async (failure) => {
    const feed = xposedOrNotOn(peer);
    peer.failNext(failure, 2);
    expect(await feed.catalogue()).toMatchObject({ kind: "later" });
    expect(await feed.latest()).toMatchObject({ kind: "later" });
    expect(await feed.catalogue()).toMatchObject({ kind: "catalogue", leftOut: [] });
  });
});

describe("labelOf()", () => {
  test("leaves all of HIBP's labels unchanged, in any spelling", () => {
    for (const label of LABELS) {
      for (const typed of [label, label.toUpperCase(), ` ${label.toLowerCase()} `, label.replaceAll(" ", "_")])
        expect([typed, labelOf(typed)]).toEqual([typed, label]);
    }
  });

  const cases = {
    "Email address": "Email addresses",
    Password: "Passwords",
    "Phone number": "Phone numbers",
    "Credit card details": "Credit cards",
    "Spouses details": "Spouses names",
    DOB: "Dates of birth",
    "IP address": "IP addresses",
    "Marital status": "Marital statuses",
    Nationality: "Nationalities",
    "Drivers license": "Driver's licenses",
    Address: "Physical addresses",
    "Shoe  sizes ": "Shoe  sizes",
  };
  test.each(Object.entries(cases))("%s is %s", (typed, label) => {
    expect(labelOf(typed)).toBe(label);
  });
});
