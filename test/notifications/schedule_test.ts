import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isQuiet, nextAt, waitOf } from "../../src/notifications/delivery/schedule.ts";
import type { ContactSettings } from "../../src/notifications/ports.ts";
import type { Level } from "../../src/shared/severity.ts";

const ZURICH = "Europe/Zurich";
const at = (iso: string) => new Date(iso);

describe("nextAt()", () => {
  test.each([
    ["2026-03-02T06:59:30Z", 8 * 60, ZURICH, "2026-03-02T07:00:00.000Z"],
    ["2026-03-02T07:00:00Z", 8 * 60, ZURICH, "2026-03-03T07:00:00.000Z"],
    ["2026-07-02T05:00:00Z", 8 * 60, ZURICH, "2026-07-02T06:00:00.000Z"],
    // The nights when daylight saving time begins and ends.
    ["2026-03-28T12:00:00Z", 8 * 60, ZURICH, "2026-03-29T06:00:00.000Z"],
    ["2026-10-24T12:00:00Z", 8 * 60, ZURICH, "2026-10-25T07:00:00.000Z"],
    ["2026-03-02T00:00:00Z", 0, "Asia/Kathmandu", "2026-03-02T18:15:00.000Z"],
  ])("after %s, at minute %d in %s", (from, minutes, zone, expected) => {
    expect(nextAt(at(from), minutes, zone).toISOString()).toBe(expected);
  });

  test("is later than now and at most a day and an hour later, in any zone and on any clock change", () => {
    const zones = fc.constantFrom("UTC", ZURICH, "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu");
    const from = fc.date({ min: at("2025-01-01T00:00:00Z"), max: at("2028-01-01T00:00:00Z"), noInvalidDate: true });
    fc.assert(
      fc.property(from, fc.integer({ min: 0, max: 1439 }), zones, (now, minutes, zone) => {
        const next = nextAt(now, minutes, zone);
        const ahead = next.getTime() - now.getTime();
        expect(ahead).toBeGreaterThan(0);
        expect(ahead).toBeLessThanOrEqual(25 * 3_600_000);
      }),
    );
  });
});

describe("isQuiet()", () => {
  test.each([
    ["22:00", "07:00", "2026-03-02T21:30:00Z", true],
    ["22:00", "07:00", "2026-03-02T05:59:00Z", true],
    ["22:00", "07:00", "2026-03-02T06:00:00Z", false],
    ["22:00", "07:00", "2026-03-02T20:59:00Z", false],
    ["12:00", "13:00", "2026-03-02T11:30:00Z", true],
    ["12:00", "13:00", "2026-03-02T12:00:00Z", false],
  ])("from %s to %s in Zürich at %s: %p", (from, to, now, expected) => {
    expect(isQuiet(at(now), { from, to }, ZURICH)).toBe(expected);
  });
});

describe("waitOf()", () => {
  const noon = at("2026-03-02T11:00:00Z");
  const night = at("2026-03-02T23:00:00Z");
  const quiet = { from: "22:00", to: "07:00" };
  const of = (settings: ContactSettings, level: Level, now = noon, createdAt = now) =>
    waitOf({ settings: { zone: ZURICH, ...settings } }, { kind: "alert", level, createdAt, now });

  test("nothing is held without a preference", () => {
    for (const level of ["low", "medium", "high", "critical"] as const) expect(of({}, level)).toBeUndefined();
  });

  test("anything less severe than chosen is held for the digest, at 8 or the chosen hour", () => {
    expect(of({ digestBelow: "high" }, "medium")).toEqual({ reason: "digest", until: at("2026-03-03T07:00:00Z") });
    expect(of({ digestBelow: "high", digestHour: 18 }, "low")).toEqual({
      reason: "digest",
      until: at("2026-03-02T17:00:00Z"),
    });
    expect(of({ digestBelow: "high" }, "high")).toBeUndefined();
    expect(of({ digestBelow: "always" }, "high")).toMatchObject({ reason: "digest" });
    // The digest's time has come.
    expect(of({ digestBelow: "high" }, "low", at("2026-03-03T07:00:00Z"), noon)).toBeUndefined();
  });

  test("quiet hours hold everything except critical alerts, including reports and a digest that falls into them", () => {
    expect(of({ quiet }, "high", night)).toEqual({ reason: "quiet", until: at("2026-03-03T06:00:00Z") });
    expect(of({ quiet }, "high", noon)).toBeUndefined();
    expect(
      waitOf(
        { settings: { quiet, zone: ZURICH } },
        { kind: "report", level: "critical", createdAt: night, now: night },
      ),
    ).toMatchObject({ reason: "quiet" });
    const digest = { quiet, digestBelow: "always", digestHour: 5 } as const;
    expect(of(digest, "low", at("2026-03-03T04:00:00Z"), noon)).toMatchObject({ reason: "quiet" });
  });

  test("critical alerts are never held", () => {
    expect(of({ quiet, digestBelow: "always" }, "critical", night)).toBeUndefined();
  });
});
