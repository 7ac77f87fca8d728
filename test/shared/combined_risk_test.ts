import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { BREACH_FLAGS, type BreachFlag, dataClassKey } from "../../src/shared/breach.ts";
import { READINGS, type Reading, type TogetherBreach, togetherOf } from "../../src/shared/combined_risk.ts";
import { recipeOf } from "../../src/shared/combined_risk_readings.ts";

function breach(name: string, dataClasses: string[], more: Partial<TogetherBreach> = {}): TogetherBreach {
  return { name, title: name, domain: "contoso.example", breachDate: "2024-01-01", flags: [], dataClasses, ...more };
}

function holds({ dataClasses, flags }: TogetherBreach, any: readonly string[]): boolean {
  const isMadeUp = flags.includes("fabricated") || flags.includes("drill");
  return !isMadeUp && dataClasses.some((label) => any.includes(dataClassKey(label)));
}

function reading(wanted: Reading, breaches: TogetherBreach[]) {
  return togetherOf(breaches).find((one) => one.reading === wanted);
}

type Entry = {
  Name: string;
  Title: string;
  Domain: string;
  BreachDate: string;
  DataClasses: string[];
  IsSensitive: boolean;
};
const path = join(import.meta.dirname, "../../src/breaches/adapters/sources/bundled/bundled_catalogue.json");
const catalogue = (JSON.parse(readFileSync(path, "utf8")) as Entry[]).map((entry) =>
  breach(entry.Name, entry.DataClasses, {
    title: entry.Title,
    domain: entry.Domain,
    breachDate: entry.BreachDate,
    flags: entry.IsSensitive ? ["sensitive"] : [],
  }),
);
const real = (name: string) => catalogue.filter((one) => one.name === name);

describe("togetherOf()", () => {
  test("returns nothing without breaches, and nothing for breaches without a combined risk", () => {
    expect(togetherOf([])).toEqual([]);
    expect(togetherOf([breach("A", ["Email addresses"]), breach("B", ["Names", "Email addresses"])])).toEqual([]);
  });

  test("combines name, date of birth and phone number of two breaches into a phone check, and names both", () => {
    const breaches = [breach("A", ["Names", "Email addresses"]), breach("B", ["Dates of birth", "Phone numbers"])];
    expect(togetherOf(breaches)).toEqual([
      { reading: "phone_check", breaches: ["A", "B"], classes: ["names", "dates-of-birth", "phone-numbers"] },
    ]);
  });

  test("names a single sufficient breach before a sufficient pair", () => {
    const parts = [breach("A", ["Names"]), breach("B", ["Dates of birth", "Phone numbers"])];
    const whole = breach("Z", ["Names", "Dates of birth", "Phone numbers"], { breachDate: "2001-01-01" });
    expect(reading("phone_check", [...parts, whole])?.breaches).toEqual(["Z"]);
  });

  test("requires passwords of two breaches for reuse, and names every one, newest first", () => {
    const years = ["2019", "2023", "2021", "2020", "2022"];
    const breaches = years.map((year) => breach(year, ["Passwords"], { breachDate: `${year}-05-01` }));
    expect(togetherOf(breaches.slice(0, 1))).toEqual([]);
    expect(reading("password_reuse", breaches)?.breaches).toEqual(["2023", "2022", "2021", "2020", "2019"]);
  });

  test("prefers verified to unverified breaches, then newer ones, and never fabricated data", () => {
    const rest = breach("Rest", ["Names", "Phone numbers"]);
    const born = (name: string, breachDate: string, flags: BreachFlag[] = []) =>
      breach(name, ["Dates of birth"], { breachDate, flags });
    const candidates = [
      born("Old", "2012-01-01"),
      born("New", "2020-01-01"),
      born("Doubt", "2024-01-01", ["unverified"]),
    ];
    expect(reading("phone_check", [rest, ...candidates])?.breaches.toSorted()).toEqual(["New", "Rest"]);
    expect(reading("phone_check", [rest, born("Doubt", "2024-01-01", ["unverified"])])?.breaches).toContain("Doubt");
    for (const flag of ["fabricated", "drill"] as const)
      expect(togetherOf([rest, born("Made up", "2024-01-01", [flag])])).toEqual([]);
  });

  test("treats a breach that is sensitive in itself as a means of blackmail", () => {
    const meeting = breach("Meeting place", ["Email addresses"], { flags: ["sensitive"] });
    const shop = breach("Shop", ["Names", "Physical addresses"]);
    expect(reading("blackmail", [meeting, shop])).toEqual({
      reading: "blackmail",
      breaches: ["Meeting place", "Shop"],
      classes: ["names", "physical-addresses"],
    });
    expect(reading("blackmail", [{ ...meeting, flags: [] }, shop])).toBeUndefined();
  });

  test("returns every reading for its required data, and none if a part is missing", () => {
    for (const wanted of READINGS) {
      const { parts, breaches = parts.length } = recipeOf(wanted);
      const each = Array.from({ length: breaches }, (_, place) => {
        const part = parts[place % parts.length];
        return breach(`B${place}`, [part?.any[0] ?? ""]);
      });
      expect(reading(wanted, each)?.breaches.toSorted()).toEqual(each.map(({ name }) => name));
      for (const missing of each)
        expect(
          reading(
            wanted,
            each.filter((one) => one !== missing),
          ),
        ).toBeUndefined();
    }
  });

  test("evaluates real breaches: Adobe and LinkedIn together show password patterns, some alone suffice for a loan", () => {
    expect(reading("password_reuse", [...real("Adobe"), ...real("LinkedIn")])?.breaches.toSorted()).toEqual([
      ...["Adobe", "LinkedIn"],
    ]);
    const lending = catalogue.filter((one) => reading("loan", [one]) !== undefined);
    expect(lending.length).toBeGreaterThan(3);
    expect(lending.every(({ dataClasses }) => dataClasses.includes("Dates of birth"))).toBe(true);
  });

  test("is fast with the whole catalogue on one address", () => {
    const readings = togetherOf(catalogue);
    expect(readings.map((one) => one.reading)).toEqual([...READINGS]);
    const few = readings.filter((one) => one.reading !== "password_reuse");
    expect(few.every(({ breaches }) => breaches.length <= 4)).toBe(true);
  });
});

const someBreaches = fc.uniqueArray(
  fc.record({ entry: fc.constantFrom(...catalogue), flags: fc.subarray([...BREACH_FLAGS]) }),
  { maxLength: 7, selector: ({ entry }) => entry.name },
);
const flagged = someBreaches.map((all) => all.map(({ entry, flags }) => ({ ...entry, flags })));

describe("togetherOf() for any real breaches", () => {
  test("only grows with an additional breach", () => {
    fc.assert(
      fc.property(flagged, (breaches) => {
        const before = togetherOf(breaches.slice(1)).map((one) => one.reading);
        const after = togetherOf(breaches).map((one) => one.reading);
        return before.every((one) => after.includes(one));
      }),
    );
  });

  test("is independent of the order of the breaches", () => {
    fc.assert(
      fc.property(flagged, (breaches) => {
        expect(togetherOf(breaches.toReversed())).toEqual(togetherOf(breaches));
      }),
    );
  });

  test("names only necessary breaches, each once, and all of them for passwords", () => {
    fc.assert(
      fc.property(flagged, (breaches) => {
        for (const { reading: wanted, breaches: names } of togetherOf(breaches)) {
          expect(names.length).toBeGreaterThanOrEqual(1);
          expect(new Set(names).size).toBe(names.length);
          const named = breaches.filter(({ name }) => names.includes(name));
          expect(reading(wanted, named)).toBeDefined();
          if (wanted === "password_reuse") {
            const giving = breaches.filter((one) => recipeOf(wanted).parts.every(({ any }) => holds(one, any)));
            expect(names.toSorted()).toEqual(giving.map(({ name }) => name).toSorted());
            continue;
          }
          expect(names.length).toBeLessThanOrEqual(4);
          for (const one of named)
            expect(
              reading(
                wanted,
                named.filter((other) => other !== one),
              ),
            ).toBeUndefined();
        }
      }),
    );
  });

  test("names two or more only if no single breach suffices", () => {
    fc.assert(
      fc.property(flagged, (breaches) => {
        for (const { reading: wanted, breaches: names } of togetherOf(breaches)) {
          const alone = breaches.some((one) => reading(wanted, [one]) !== undefined);
          expect(names.length === 1).toBe(alone);
        }
      }),
    );
  });

  test("is based on data that the named breaches contain", () => {
    fc.assert(
      fc.property(flagged, (breaches) => {
        for (const { breaches: names, classes } of togetherOf(breaches)) {
          const held = breaches
            .filter(({ name }) => names.includes(name))
            .flatMap(({ dataClasses }) => dataClasses.map(dataClassKey));
          expect(held).toEqual(expect.arrayContaining(classes));
        }
      }),
    );
  });
});
