import { afterEach, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addressHash } from "../../src/breaches/adapters/sources/hibp/hibp.ts";
import { glanceAtRange, readNames, readRange } from "../../src/breaches/adapters/sources/hibp/hibp_model.ts";
import { feedOn } from "../support/hibp_feed.ts";
import { HIBP_TEST_ACCOUNTS, type HibpPeer, type HibpPeerOptions, startHibpPeer } from "../support/hibp_peer.ts";

const STATUS = "/subscription/status";
const peers: HibpPeer[] = [];

async function peerWith(options: HibpPeerOptions = {}): Promise<HibpPeer> {
  const peer = await startHibpPeer(options);
  peers.push(peer);
  return peer;
}
const direct = { subscription: { IncludesKAnon: false } };
const pathsOf = (peer: HibpPeer) => peer.requests.map(({ path }) => path.replace("/api/v3", ""));

afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.stop();
});

describe("HIBP requests", () => {
  test("12.3 keyless calls send no key, keyed ones do", async () => {
    const peer = await peerWith();
    const feed = feedOn(peer);
    await feed.latest();
    await feed.catalogue();
    await feed.breach("Adobe");
    await feed.lookUp("ada@example.com");
    const keys = peer.requests.map(({ headers }) => headers["hibp-api-key"]);
    expect(keys).toEqual([undefined, undefined, undefined, peer.apiKey, peer.apiKey]);
  });

  test("12.4 lookUp() sends each address as one encoded path segment", async () => {
    const peer = await peerWith(direct);
    const feed = feedOn(peer);
    const parts = [
      "/",
      "?",
      "#",
      "%",
      "+",
      ".",
      "..",
      ";",
      "\\",
      "%2f",
      "//",
      "/../",
      "&",
      "=",
      ":",
      "@",
      " ",
      "é",
      "\ud800",
      "a",
      "Z",
    ];
    const addresses = fc
      .array(fc.constantFrom(...parts), { minLength: 1, maxLength: 12 })
      .map((chosen) => `${chosen.join("")}@example.com`);
    await fc.assert(
      fc.asyncProperty(addresses, async (address) => {
        expect(await feed.lookUp(address)).toEqual({ kind: "found", breaches: [] });
        const segments = peer.requests.at(-1)?.path.split("/") ?? [];
        expect(segments.slice(0, -1)).toEqual(["", "api", "v3", "breachedaccount"]);
        expect(segments.at(-1)).toMatch(/^([\w.!~*'()-]|%[0-9A-F]{2})+$/);
        expect(decodeURIComponent(segments.at(-1) ?? "")).toBe(address.toWellFormed().trim().toLowerCase());
      }),
      { numRuns: 500 },
    );
  });

  test("12.11 breach() encodes the name, so that no name reaches another path", async () => {
    const peer = await peerWith();
    peer.publish({ Name: "Adobe/2026" });
    const feed = feedOn(peer);
    expect(await feed.breach("Adobe/2026")).toMatchObject({ kind: "breach", breach: { name: "Adobe/2026" } });
    expect(await feed.breach("\ud800")).toEqual({ kind: "breach", breach: undefined });
    expect(await feed.breach("..")).toEqual({ kind: "breach", breach: undefined });
    expect(pathsOf(peer)).toEqual(["/breach/Adobe%2F2026", "/breach/%EF%BF%BD"]);
  });

  test("12.26 hibpFeed() accepts a base URL with and without trailing slashes", async () => {
    const peer = await peerWith();
    for (const end of ["", "/", "//"]) await feedOn(peer, { baseUrl: peer.url + end }).latest();
    expect(pathsOf(peer)).toEqual(["/latestbreach", "/latestbreach", "/latestbreach"]);
  });

  test("12.27 every call has the product's user agent", async () => {
    const peer = await peerWith();
    const feed = feedOn(peer, { userAgent: "Breachbell/9 (+https://operator.example)" });
    await feed.latest();
    await feed.lookUp("ada@example.com");
    expect(new Set(peer.requests.map(({ headers }) => headers["user-agent"]))).toEqual(
      new Set(["Breachbell/9 (+https://operator.example)"]),
    );
  });

  test("12.33 lookUp() sends a request each time and caches nothing", async () => {
    const peer = await peerWith();
    const feed = feedOn(peer);
    expect(await feed.lookUp("ada@example.com")).toEqual({ kind: "found", breaches: [] });
    peer.addAccount("ada@example.com", ["Adobe"]);
    expect(await feed.lookUp("ada@example.com")).toEqual({ kind: "found", breaches: ["Adobe"] });
  });
});

describe("HIBP look-ups", () => {
  test.each([true, false])("12.8 lookUp() finds the official test accounts (by range: %p)", async (IncludesKAnon) => {
    const feed = feedOn(await peerWith({ subscription: { IncludesKAnon } }));
    expect(HIBP_TEST_ACCOUNTS).toHaveLength(16);
    for (const { address, found } of HIBP_TEST_ACCOUNTS) {
      const lookup = await feed.lookUp(address);
      expect([address, lookup.kind === "found" && lookup.breaches.toSorted()]).toEqual([address, found]);
    }
  });

  test("addressHash() matches the published vectors", () => {
    const vectors = {
      "test@example.com": "567159D622FFBB50B11B0EFD307BE358624A26EE",
      "not-active-and-active-breach@hibp-integration-tests.com": "46E717D95E127BD0C0455D0CF3CEE15022BA020D",
      "multiple-breaches@hibp-integration-tests.com": "6B5917C6C0AADE0C085843D66E4944E108C4A4CD",
      "user+tag@example.com": "37814C1715E17E027F433444C179164B385D5697",
      "foo@example.com": "767E74EAB7081C41E0B83630511139D130249666",
      " Foo@Example.COM ": "767E74EAB7081C41E0B83630511139D130249666",
    };
    for (const [address, hash] of Object.entries(vectors))
      expect([address, addressHash(address)]).toEqual([address, hash]);
    for (const { address, sha1 } of HIBP_TEST_ACCOUNTS)
      expect([address, addressHash(address)]).toEqual([address, sha1]);
  });

  test.each(["upper", "lower"] as const)(
    "12.28 lookUp() by range reveals only six digits, with suffixes in %s case",
    async (suffixCase) => {
      const peer = await peerWith({ suffixCase, strangers: 300 });
      peer.addAccount("test@example.com", ["Adobe", "LinkedIn"]);
      expect(await feedOn(peer).lookUp(" Test@Example.com ")).toEqual({
        kind: "found",
        breaches: ["Adobe", "LinkedIn"],
      });
      expect(pathsOf(peer)).toEqual([STATUS, "/breachedaccount/range/567159"]);
      const log = JSON.stringify(peer.requests).toLowerCase();
      for (const secret of [
        "test@example.com",
        "test%40example.com",
        "567159d6",
        "d622ffbb50b11b0efd307be358624a26ee",
      ]) {
        expect(log).not.toContain(secret);
      }
    },
  );

  test("12.15 lookUp() by range finds nothing among other addresses only, and nothing for a 404", async () => {
    for (const strangers of [200, 0]) {
      const feed = feedOn(await peerWith({ strangers }));
      expect(await feed.lookUp("test@example.com")).toEqual({ kind: "found", breaches: [] });
    }
  });

  test("12.28 readRange() returns the names of our suffix and nothing of the other rows", () => {
    const ours = "D622FFBB50B11B0EFD307BE358624A26EE";
    const strangers = { hashSuffix: "0".repeat(34), websites: [7, { never: "read" }] };
    expect(readRange([strangers, { hashSuffix: ours.toLowerCase(), websites: ["Adobe"] }], ours)).toEqual({
      entries: ["Adobe"],
      leftOut: 0,
    });
    expect(readRange([strangers], ours)).toEqual({ entries: [], leftOut: 0 });
    expect(readRange([strangers, { hashSuffix: ours }], ours)).toBeUndefined();
    expect(readRange([{ hashSuffix: "short", websites: [] }], ours)).toBeUndefined();
    expect(readRange([], ours)).toBeUndefined();
  });

  test("leave out what cannot be read, and find nothing only if all could be", () => {
    const ours = "D622FFBB50B11B0EFD307BE358624A26EE";
    const own = (...websites: unknown[]) => ({ hashSuffix: ours, websites });
    const [torn, stranger] = [{ hashSuffix: 7 }, { hashSuffix: "0".repeat(34), websites: [] }];
    expect(readRange([own("Adobe", "", 7, "Can\ud83dva")], ours)).toEqual({
      entries: ["Adobe", "Can\ufffdva"],
      leftOut: 2,
    });
    expect(readRange([torn, own("Adobe")], ours)).toEqual({ entries: ["Adobe"], leftOut: 1 });
    expect(readRange([torn, stranger], ours)).toBeUndefined();
    expect(readRange([own(7)], ours)).toBeUndefined();
    expect(readNames([{ Name: "Adobe" }, { Name: null }, "Canva"])).toEqual({ entries: ["Adobe"], leftOut: 2 });
    expect(readNames([{ Name: "\0" }])).toBeUndefined();
  });

  describe("12.28 glanceAtRange()", () => {
    const ours = "D622FFBB50B11B0EFD307BE358624A26EE";
    const row = (hashSuffix: string, ...websites: string[]) => ({ hashSuffix, websites });
    const others = [
      row("0".repeat(34), "Adobe", "b}],[{:c"),
      row("1".repeat(34)),
      row("F".repeat(34), "Straße ’ 日本"),
    ];
    const written = JSON.stringify([...others, row(ours, "A]}d", "LinkedIn"), row(ours, "Canva")]);

    test("returns the same as readRange() for HIBP's usual format", () => {
      for (const rows of [others, [...others, row(ours, "A]}d", "LinkedIn"), row(ours, "Canva")], [row(ours)]]) {
        const expected = readRange(rows, ours);
        expect(expected).toBeDefined();
        for (const suffix of [ours, ours.toLowerCase()])
          expect(glanceAtRange(JSON.stringify(rows), suffix)).toEqual(expected);
      }
    });

    const odd: Record<string, string> = {
      nothing: "",
      "no rows": "[]",
      null: "null",
      spaces: written.replace(",", ", "),
      "an end before the end": `${written}${written}`,
      "rows apart": written.replace("},{", "}]{"),
      "two commas": written.replace("},{", "},,{"),
      "no comma": written.replace("},{", "}{"),
      "a comma at the end": written.replace(/]$/, ",]"),
      "no end": written.slice(0, -1),
      "no beginning": written.slice(1),
      "half of it": written.slice(0, 200),
      "small letters": written.replaceAll(ours, ours.toLowerCase()),
      "a short suffix": written.replace("000", "0"),
      "no suffix": written.replace("hashSuffix", "hash"),
      "an empty name": written.replace("Adobe", ""),
      "a number": written.replace('"Adobe"', "7"),
      escapes: written.replace("Adobe", "Ad\\u006fbe"),
      "a line break": written.replace("Adobe", "Ad\nobe"),
      "more than that": written.replace("]}", '],"more":1}'),
      "a line behind": `${written}\n`,
    };
    test.each(Object.entries(odd))("falls back to readRange() for any other: %s", (_, text) => {
      expect(glanceAtRange(text, ours)).toBeUndefined();
    });
  });
});
