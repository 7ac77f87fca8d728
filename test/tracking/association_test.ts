import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { coveredBy, statusOf } from "../../src/tracking/association.ts";
import { anAssociation } from "../support/builders.ts";

describe("statusOf()", () => {
  const yes = true;
  const no = false;
  test.each([
    // paused, suspended, open, version, status
    [no, no, 0, 0, "active"],
    [no, no, 2, 0, "active"],
    [no, no, 0, 1, "safe"],
    [no, no, 0, 7, "safe"],
    [no, no, 1, 1, "breached"],
    [no, no, 9, 3, "breached"],
    [yes, no, 0, 0, "inactive"],
    [yes, no, 0, 1, "inactive"],
    [yes, no, 1, 1, "inactive"],
    [no, yes, 0, 0, "inactive"],
    [no, yes, 0, 1, "inactive"],
    [no, yes, 1, 1, "inactive"],
    [yes, yes, 1, 1, "inactive"],
  ] as const)(
    "for paused %p, suspended %p, %p open alerts at version %p is %s",
    (paused, suspended, openAlerts, openVersion, status) => {
      expect(statusOf({ paused, suspended, openAlerts, openVersion })).toBe(status);
    },
  );
});

describe("coveredBy()", () => {
  const at = (day: number, id: string) => anAssociation({ id, createdAt: new Date(Date.UTC(2026, 0, day)) });
  const [first, second, third] = [at(1, "b"), at(2, "c"), at(3, "a")];

  test("covers nothing without a running plan", () => {
    expect(coveredBy([first, second], { active: false, cap: null })).toEqual(new Set());
  });

  test("covers everything without a cap", () => {
    expect(coveredBy([third, first, second], { active: true, cap: null })).toEqual(new Set(["a", "b", "c"]));
  });

  test("covers the oldest up to the cap, in any order", () => {
    expect(coveredBy([third, first, second], { active: true, cap: 2 })).toEqual(new Set(["b", "c"]));
    expect(coveredBy([third, first, second], { active: true, cap: 0 })).toEqual(new Set());
    expect(coveredBy([third, first, second], { active: true, cap: 9 })).toEqual(new Set(["a", "b", "c"]));
  });

  test("never covers more than the cap, and never a newer one instead of an older one", () => {
    const ages = fc.array(fc.integer({ min: 1, max: 5 }), { maxLength: 12 });
    fc.assert(
      fc.property(ages, fc.option(fc.integer({ min: 0, max: 12 })), (days, cap) => {
        const associations = days.map((day, index) => at(day, `id-${index}`));
        const covered = coveredBy(associations, { active: true, cap });
        expect(covered.size).toBe(Math.min(days.length, cap ?? days.length));
        const ofAge = (isIn: boolean) =>
          associations.filter(({ id }) => covered.has(id) === isIn).map(({ createdAt }) => createdAt.getTime());
        expect(Math.max(...ofAge(true), 0)).toBeLessThanOrEqual(Math.min(...ofAge(false), Number.POSITIVE_INFINITY));
        expect(coveredBy(associations.toReversed(), { active: true, cap })).toEqual(covered);
      }),
    );
  });
});
