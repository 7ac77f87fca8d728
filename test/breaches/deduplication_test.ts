import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { bundledCatalogue } from "../../src/breaches/adapters/sources/bundled/bundled.ts";
import type { AlikeBreach } from "../../src/breaches/catalogue/breach.ts";
import { comparableDomain, linksOf } from "../../src/breaches/catalogue/deduplication.ts";
import { aBreach } from "../support/builders.ts";

const alike = (more: Partial<AlikeBreach>): AlikeBreach => ({ ...aBreach(more), sameAs: undefined, ...more });
const { breaches } = await bundledCatalogue();
const catalogue = breaches.map((breach) => alike(breach));

/** An entry as XposedOrNot lists it: its own identifier as title, and the first of the month as date. */
function asXposedOrNot({ name, domain, breachDate, flags }: AlikeBreach): AlikeBreach {
  const title = name.replaceAll(/[^A-Za-z0-9]/g, "");
  const dated = { breachDate: `${breachDate?.slice(0, 7)}-01`, domain: comparableDomain(domain) };
  return { ...dated, name: `xposedornot:${title}`, title, flags, sameAs: undefined };
}

describe("linksOf() two entries", () => {
  const isAlike = (own: AlikeBreach, known: AlikeBreach) => linksOf([known, own]).get(own.name) === known.name;
  const adobe = alike({ name: "Adobe", title: "Adobe", domain: "adobe.com", breachDate: "2013-10-04" });
  const other = (more: Partial<AlikeBreach>) => ({ ...adobe, name: "xposedornot:X", title: "X", ...more });
  const cases: [string, Partial<AlikeBreach>, boolean][] = [
    ["the same domain in the same month", { breachDate: "2013-10-01" }, true],
    ["the same domain as an address", { domain: "https://www.Adobe.com/", breachDate: "2013-10-30" }, true],
    ["the same domain years later", { breachDate: "2019-10-04" }, false],
    ["the same domain in the next month", { breachDate: "2013-11-01" }, false],
    ["the same title, a month later", { title: "ADOBE", breachDate: "2013-11-01" }, true],
    ["the same name, no domain", { name: "xposedornot:adobe", domain: "", breachDate: "2013-12-01" }, true],
    ["the same title, years later", { title: "Adobe", breachDate: "2016-10-04" }, false],
    ["the same title on another domain", { title: "Adobe", domain: "adobe.example" }, false],
    ["no domain and another title", { domain: "" }, false],
    ["only one is sensitive", { flags: ["sensitive"] }, false],
  ];
  test.each(cases)("%s", (_, more, expected) => {
    expect(isAlike(other(more), adobe)).toBe(expected);
  });

  test("two entries without a domain are not alike for that reason", () => {
    const nameless = { domain: "", title: "", breachDate: "2013-10-04" };
    expect(isAlike(other(nameless), { ...adobe, ...nameless })).toBe(false);
  });
});

describe("comparableDomain()", () => {
  test("is the same in every notation of a source, and never more than a host", () => {
    for (const typed of ["OwnedCore.com", "www.ownedcore.com", "http://ownedcore.com/a?b#c", " ownedcore.com. "])
      expect(comparableDomain(typed)).toBe("ownedcore.com");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (typed) => {
        expect(comparableDomain(typed)).not.toMatch(/[/?#:]|^www\.$/);
      }),
    );
  });
});

describe("linksOf()", () => {
  test("links no two entries of HIBP's own catalogue", () => {
    expect(linksOf(catalogue)).toEqual(new Map());
  });

  test("finds HIBP's entry for nearly all entries of another source, and never a wrong one", () => {
    const links = linksOf([...catalogue, ...catalogue.map(asXposedOrNot)]);
    const wrong = catalogue.filter(({ name }) => {
      const link = links.get(asXposedOrNot({ ...alike({}), name }).name);
      return link !== undefined && link !== name;
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
    expect(links.size).toBeGreaterThan(990);
  });

  test("links neither of two entries that match equally well, on either side", () => {
    const known = ["One", "Two"].map((name) => alike({ name, title: name, domain: "same.example" }));
    const own = alike({ name: "xposedornot:Own", title: "Own", domain: "same.example" });
    expect(linksOf([...known, own])).toEqual(new Map());
    const [first = own] = known;
    expect(linksOf([first, own])).toEqual(new Map([["xposedornot:Own", "One"]]));
    expect(linksOf([first, own, { ...own, name: "xposedornot:Again" }])).toEqual(new Map());
  });

  test("keeps a link, and links no other entry of that source to the same one", () => {
    const known = alike({ name: "One", domain: "same.example" });
    const linked = alike({ name: "xposedornot:Own", domain: "same.example", sameAs: "One" });
    expect(linksOf([known, linked, { ...linked, name: "xposedornot:Again", sameAs: undefined }])).toEqual(new Map());
  });

  test("links two other sources to each other if HIBP lacks the breach, and both to HIBP if it has it", () => {
    const file = alike({ name: "dataset:Shop", title: "Shop", domain: "shop.example" });
    const other = alike({ name: "xposedornot:Shop", title: "Shop", domain: "shop.example" });
    expect(linksOf([other, file])).toEqual(new Map([["xposedornot:Shop", "dataset:Shop"]]));
    const known = alike({ name: "Shop", title: "Shop", domain: "shop.example" });
    expect(linksOf([known, other, file])).toEqual(
      new Map([
        ["dataset:Shop", "Shop"],
        ["xposedornot:Shop", "Shop"],
      ]),
    );
  });
});
