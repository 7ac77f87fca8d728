import { describe, expect, test } from "bun:test";
import { bundledDirectories } from "../../src/breaches/adapters/services/directories.ts";
import { bundledCatalogue } from "../../src/breaches/adapters/sources/bundled/bundled.ts";
import type { Directories } from "../../src/breaches/ports.ts";
import { serviceDomain, serviceHelp } from "../../src/breaches/services/service_help.ts";
import { DELETION_DIFFICULTIES, SECOND_STEPS } from "../../src/shared/services.ts";
import { aBreach } from "../support/builders.ts";

const asOf = "2026-08-21";
const nothing: Directories = {
  deletion: { asOf, entries: new Map() },
  secondStep: { asOf, entries: new Map() },
  passkeys: { asOf, entries: new Map() },
};
type Deletion = Parameters<Directories["deletion"]["entries"]["get"]>[0];
const deletions = (entries: Record<Deletion, { url?: string; email?: string }>): Directories => ({
  ...nothing,
  deletion: {
    asOf,
    entries: new Map(Object.entries(entries).map(([domain, entry]) => [domain, { difficulty: "easy", ...entry }])),
  },
});

describe("serviceHelp()", () => {
  test("takes the entry of the longest domain that is the service's or above it", () => {
    const known = deletions({
      "example.co.uk": { url: "https://example.co.uk/delete" },
      "shop.example.co.uk": { url: "https://shop.example.co.uk/delete" },
    });
    const urlOf = (domain: string) => serviceHelp(known, domain, false).deletion?.url;
    expect(urlOf("shop.example.co.uk")).toBe("https://shop.example.co.uk/delete");
    expect(urlOf("www.example.co.uk")).toBe("https://example.co.uk/delete");
    expect(urlOf("forum.example.co.uk")).toBe("https://example.co.uk/delete");
    expect(urlOf("anexample.co.uk")).toBeUndefined();
    expect(urlOf("co.uk")).toBeUndefined();
  });

  test.each([
    "javascript:alert(1)",
    "http://example.com/delete",
    "data:text/html,<script>alert(1)</script>",
    "https://user:secret@example.com/",
    "https://exa mple.com/",
    "//example.com/delete",
    "https.//example.com",
  ])("leaves out a hostile or unusable link: %s", (url) => {
    expect(serviceHelp(deletions({ "example.com": { url } }), "example.com", false).deletion).toEqual({
      difficulty: "easy",
      url: null,
      email: null,
      asOf,
    });
  });

  test.each(["a@b.example?bcc=me@evil.example", "a b@example.com", "a@example.com&subject=x", "nobody"])(
    "leaves out a hostile or unusable address: %s",
    (email) => {
      expect(serviceHelp(deletions({ "example.com": { email } }), "example.com", false).deletion?.email).toBeNull();
    },
  );

  test("lists second steps with the strongest first, and none where the service has none", () => {
    const known: Directories = {
      ...nothing,
      secondStep: {
        asOf,
        entries: new Map([
          ["a.example", { kinds: ["sms", "u2f", "totp"] }],
          ["b.example", { kinds: [] }],
        ]),
      },
    };
    expect(serviceHelp(known, "a.example", false).secondStep?.kinds).toEqual(["u2f", "totp", "sms"]);
    expect(serviceHelp(known, "b.example", false).secondStep).toEqual({ kinds: [], url: null, asOf });
    expect(serviceHelp(known, "c.example", false).secondStep).toBeNull();
  });

  test("links the page for changing passwords only where there is one", () => {
    expect(serviceHelp(nothing, "example.com", true).changePassword).toBe(
      "https://example.com/.well-known/change-password",
    );
    expect(serviceHelp(nothing, "example.com", false).changePassword).toBeNull();
  });
});

describe("serviceDomain()", () => {
  test.each([
    ["Adobe.com", "adobe.com"],
    ["münchen.example", undefined],
    ["xn--mnchen-3ya.example", "xn--mnchen-3ya.example"],
    ["", undefined],
    ["localhost", undefined],
    ["10.0.0.1", undefined],
    ["evil.example/path", undefined],
    ["evil.example:8080", undefined],
    ["a@evil.example", undefined],
    ["evil.example\r\nhost: other", undefined],
    [`${"a".repeat(64)}.example`, undefined],
  ])("of %j is %j", (domain, expected) => {
    expect(serviceDomain(aBreach({ domain }))).toBe(expected);
  });

  test("does not exist for lists of many services and fire drills", () => {
    expect(serviceDomain(aBreach({ domain: "example.com", flags: ["stealerLog"] }))).toBeUndefined();
    expect(serviceDomain(aBreach({ domain: "example.com", flags: ["drill"] }))).toBeUndefined();
  });
});

describe("the bundled directories", () => {
  test("have valid entries, each domain in lower case and below a public suffix", async () => {
    const { deletion, secondStep, passkeys } = await bundledDirectories().read();
    expect(deletion.entries.size).toBeGreaterThan(2500);
    for (const { asOf: date, entries } of [deletion, secondStep, passkeys]) {
      expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
      for (const domain of entries.keys()) expect(domain).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/);
    }
    for (const { difficulty } of deletion.entries.values()) expect(DELETION_DIFFICULTIES).toContain(difficulty);
    for (const { kinds } of secondStep.entries.values()) for (const kind of kinds) expect(SECOND_STEPS).toContain(kind);
  });

  test("know a third or more of the leaked accounts at services with a domain", async () => {
    const directories = await bundledDirectories().read();
    const { breaches } = await bundledCatalogue();
    const withDomain = breaches.flatMap((breach) => {
      const domain = serviceDomain(breach);
      return domain === undefined ? [] : [{ ...serviceHelp(directories, domain, false), count: breach.pwnCount }];
    });
    const sum = (list: { count: number }[]) => list.reduce((total, { count }) => total + count, 0);
    const known = withDomain.filter(({ deletion, secondStep, passkeys }) => deletion ?? secondStep ?? passkeys);
    expect(known.length).toBeGreaterThan(110);
    expect(sum(known) / sum(withDomain)).toBeGreaterThan(1 / 3);
  });
});
