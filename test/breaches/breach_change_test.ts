import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import LABELS_OF_HIBP from "../../src/breaches/adapters/sources/xposedornot/data_classes.json";
import type { Breach } from "../../src/breaches/catalogue/breach.ts";
import { changeBetween, type Difference, isWorse } from "../../src/breaches/catalogue/breach_change.ts";
import { storageOf } from "../../src/breaches/catalogue/password_storage.ts";
import { BREACH_FLAGS } from "../../src/shared/breach.ts";
import { rankOf, severityOf } from "../../src/shared/severity.ts";
import { aBreach } from "../support/builders.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const shop = aBreach({ name: "Shop", breachDate: "2026-01-01", dataClasses: ["Email addresses", "Names"] });
const LABELS = ["Email addresses", "Names", "Passwords", "Credit cards", "Phone numbers", "Brain scans", "Genders"];
const anyBreach = fc
  .record({ dataClasses: fc.subarray(LABELS), flags: fc.subarray([...BREACH_FLAGS]) })
  .map((more) => aBreach({ ...more, breachDate: "2026-01-01" }));

type Earlier = Pick<Difference, "removedClasses" | "removedFlags">;
const serious = (breach: Breach) => ({ ...breach, passwordStorage: storageOf(breach) });
const worse = (before: Breach, after: Breach, earlier: Earlier[] = []) =>
  isWorse({ before: serious(before), after: serious(after), earlier, now: NOW });

describe("changeBetween()", () => {
  test.each([
    ["nothing", {}],
    ["the description", { description: "Corrected." }],
    ["the logo", { logoPath: "https://logos.example/List.png" }],
    ["the source's modification date", { modifiedDate: "2026-11-01T00:00:00Z" }],
    [
      "the attribution, the disclosure URL and the domain",
      { attribution: "A friend", disclosureUrl: "x", domain: "y" },
    ],
    ["the order of categories", { dataClasses: ["Names", "Email addresses"] }],
    ["the spelling of a category", { dataClasses: ["Email Addresses", "names"] }],
    ["a duplicate category", { dataClasses: ["Email addresses", "Names", "Names"] }],
  ])("is nothing when %s differs", (_, more) => {
    expect(changeBetween(shop, { ...shop, ...more })).toBeUndefined();
  });

  test("lists each category and flag added or removed, and each corrected value with its old one", () => {
    const before = { ...shop, flags: ["unverified" as const, "sensitive" as const] };
    const after: Breach = {
      ...shop,
      title: "The Shop",
      breachDate: "2025-12-24",
      addedDate: "2026-02-01T00:00:00Z",
      pwnCount: 7,
      dataClasses: ["Email addresses", "Passwords"],
      flags: ["sensitive", "malware"],
    };
    expect(changeBetween(before, after)).toEqual({
      addedClasses: ["Passwords"],
      removedClasses: ["Names"],
      addedFlags: ["malware"],
      removedFlags: ["unverified"],
      count: { from: 152_445_165, to: 7 },
      happened: { from: "2026-01-01", to: "2025-12-24" },
      known: { from: "2013-12-04T00:00:00Z", to: "2026-02-01T00:00:00Z" },
      title: { from: "Shop", to: "The Shop" },
    });
  });

  test("does not report a placeholder of a bare name as corrected", () => {
    const standIn = aBreach({ name: "Shop", dataClasses: [], flags: ["unverified"], description: "", pwnCount: 0 });
    expect(changeBetween(standIn, { ...shop, title: "The Shop" })).toEqual({
      addedClasses: ["Email addresses", "Names"],
      removedClasses: [],
      addedFlags: [],
      removedFlags: [],
      count: null,
      happened: null,
      known: null,
      title: null,
    });
  });

  test("is inverted when both are swapped, and nothing only when nothing differs", () => {
    fc.assert(
      fc.property(anyBreach, anyBreach, (one, other) => {
        const there = changeBetween(one, other);
        const back = changeBetween(other, one);
        expect(there?.addedClasses.toSorted()).toEqual(back?.removedClasses.toSorted());
        expect(there?.addedFlags.toSorted()).toEqual(back?.removedFlags.toSorted());
        const isEqual = `${one.dataClasses}${one.flags}` === `${other.dataClasses}${other.flags}`;
        expect(there === undefined).toBe(isEqual);
      }),
    );
  });
});

describe("isWorse()", () => {
  const withClasses = (...more: string[]) => ({ ...shop, dataClasses: [...shop.dataClasses, ...more] });
  const flagged = (breach: Breach, ...flags: Breach["flags"]) => ({ ...breach, flags });

  test.each([
    ["a sensitive category was added", shop, withClasses("Passwords"), true],
    ["another sensitive one was added", withClasses("Passwords"), withClasses("Passwords", "Credit cards"), true],
    ["a category was added that raises the severity", shop, withClasses("Phone numbers"), true],
    ["a category was added that does not", shop, withClasses("Genders"), false],
    ["a category was removed", withClasses("Passwords"), shop, false],
    ["one was replaced by a more sensitive one", withClasses("Genders"), withClasses("Passport numbers"), true],
    ["sensitive data is verified", flagged(withClasses("Passwords"), "unverified"), withClasses("Passwords"), true],
    [
      "sensitive data is not fabricated",
      flagged(withClasses("Passwords"), "fabricated"),
      withClasses("Passwords"),
      true,
    ],
    ["other data is verified", flagged(shop, "unverified"), shop, false],
    [
      "sensitive data became unverified",
      withClasses("Passwords"),
      flagged(withClasses("Passwords"), "unverified"),
      false,
    ],
    ["it was collected by malware", shop, flagged(shop, "malware"), true],
    ["it is a stealer log", shop, flagged(shop, "stealerLog"), true],
    ["it is no stealer log", flagged(shop, "stealerLog"), shop, false],
    ["it is sensitive or a spam list", shop, flagged(shop, "sensitive", "spamList", "retired"), false],
    ["a milder name was found for it", withClasses("Credit cards"), withClasses("Partial credit card data"), false],
    [
      "a kind was renamed to another as sensitive",
      withClasses("Driver's licenses"),
      withClasses("Government issued IDs"),
      false,
    ],
    [
      "one of two sensitive kinds came on top",
      withClasses("Passwords"),
      withClasses("Credit cards", "Passport numbers"),
      true,
    ],
    [
      "another sensitive one was added, but all of it is in doubt",
      withClasses("Passwords"),
      flagged(withClasses("Passwords", "Credit cards"), "unverified"),
      false,
    ],
    [
      "one doubt of two is left",
      flagged(withClasses("Passwords"), "unverified", "fabricated"),
      flagged(withClasses("Passwords"), "unverified"),
      false,
    ],
    ["malware is called a stealer log", flagged(shop, "malware"), flagged(shop, "stealerLog"), false],
    ["count, dates and title differ", shop, { ...shop, pwnCount: 1, breachDate: "2026-02-02", title: "A" }, false],
  ])("%s", (_, before, after, expected) => {
    expect(worse(before, after)).toBe(expected);
  });

  test("is true for one kind in place of another only if that is more severe, over all pairs of kinds", () => {
    const of = (label: string) => serious({ ...shop, dataClasses: ["Email addresses", label] });
    const states = LABELS_OF_HIBP.map((label) => ({
      state: of(label),
      rank: rankOf(severityOf(of(label), NOW).level),
    }));
    const swaps = states.flatMap((before) => states.flatMap((after) => (before === after ? [] : { before, after })));
    const told = swaps.filter(({ before, after }) =>
      isWorse({ before: before.state, after: after.state, earlier: [], now: NOW }),
    );
    const raised = swaps.filter(({ before, after }) => after.rank > before.rank);
    expect([swaps.length, told.length]).toEqual([28_392, 8664]);
    expect(told).toEqual(raised);
  });

  test("does not count again what a source withdraws and repeats", () => {
    const passwords = withClasses("Passwords");
    const back = { removedClasses: ["passwords"], removedFlags: [] };
    expect(worse(shop, passwords, [back])).toBe(false);
    expect(worse(shop, withClasses("Passwords", "Credit cards"), [back])).toBe(true);
    const healed: Earlier = { removedClasses: [], removedFlags: ["malware"] };
    expect(worse(shop, flagged(shop, "malware"), [healed])).toBe(false);
    expect(worse(shop, flagged(shop, "malware", "stealerLog"), [healed])).toBe(true);
    const confirmed: Earlier = { removedClasses: [], removedFlags: ["unverified"] };
    expect(worse(flagged(passwords, "unverified"), passwords, [confirmed])).toBe(false);
    expect(worse(flagged(passwords, "fabricated"), passwords, [confirmed])).toBe(true);
  });

  test("is never true for the same breach, nor for a subset of it", () => {
    fc.assert(
      fc.property(anyBreach, fc.subarray(LABELS), (breach, gone) => {
        const less = { ...breach, dataClasses: breach.dataClasses.filter((label) => !gone.includes(label)) };
        expect([worse(breach, breach), worse(breach, less)]).toEqual([false, false]);
      }),
    );
  });

  test("is never true twice for a source that alternates", () => {
    fc.assert(
      fc.property(anyBreach, anyBreach, (one, other) => {
        const there = changeBetween(one, other);
        const back = changeBetween(other, one);
        if (there && back) expect(worse(one, other, [back, there])).toBe(false);
      }),
    );
  });
});
