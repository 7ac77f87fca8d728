import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import CLASSES from "../../src/breaches/adapters/sources/xposedornot/data_classes.json";
import { BREACH_FLAGS, type BreachFlag, dataClassKey, PASSWORD_STORAGES } from "../../src/shared/breach.ts";
import {
  byGravity,
  isGraveKind,
  LEVELS,
  type Level,
  rankOf,
  SERIOUSNESS_RULES,
  type SeriousFacts,
  type SeriousnessRule,
  severityOf,
} from "../../src/shared/severity.ts";

const NOW = new Date("2026-11-01T00:00:00Z");

function of(dataClasses: string[], more: Partial<SeriousFacts> = {}) {
  return severityOf({ dataClasses, flags: [], breachDate: "2026-01-01", passwordStorage: "unknown", ...more }, NOW);
}

const facts = fc.record({
  dataClasses: fc.array(fc.oneof(fc.constantFrom(...CLASSES), fc.string())),
  flags: fc.subarray([...BREACH_FLAGS]),
  breachDate: fc.oneof(fc.constantFrom("2007-07-12", "2021-10-31", "2026-10-31", "2099-01-01"), fc.string()),
  passwordStorage: fc.constantFrom(...PASSWORD_STORAGES, null),
});

describe("severityOf()", () => {
  test.each<[string[], Level, SeriousnessRule[]]>([
    [["Email addresses", "Names", "Usernames"], "low", ["everyday"]],
    [[], "low", ["nothing_named"]],
    [["Email addresses", "Shoe colours"], "medium", ["new_kind"]],
    [["Email addresses", "Phone numbers"], "medium", ["reachable"]],
    [["Dates of birth", "Physical addresses"], "medium", ["proofs", "reachable"]],
    [["Email addresses", "Passwords"], "high", ["passwords_unknown"]],
    [["Historical passwords"], "high", ["passwords_unknown"]],
    [["Credit cards"], "high", ["cards"]],
    [["Credit cards", "Credit card CVV"], "critical", ["cards_with_code"]],
    [["Credit card CVV"], "high", ["cards"]],
    [["Government issued IDs"], "high", ["identity_papers"]],
    [["Government issued IDs", "Dates of birth"], "critical", ["identity_with_birth"]],
    [["Biometric data"], "high", ["biometric"]],
    [["Personal health data", "Phone numbers"], "high", ["health"]],
    [["Private messages"], "high", ["messages"]],
    [["Mnemonic phrases"], "critical", ["recovery_phrases"]],
  ])("rates %j as %s", (dataClasses, level, rules) => {
    expect(of(dataClasses)).toEqual({ level, rules });
  });

  test("depends on how the passwords were stored", () => {
    const stored = PASSWORD_STORAGES.map((passwordStorage) => of(["Passwords"], { passwordStorage }));
    expect(stored).toEqual([
      { level: "critical", rules: ["passwords_plain"] },
      { level: "high", rules: ["passwords_weak"] },
      { level: "medium", rules: ["passwords_strong"] },
      { level: "high", rules: ["passwords_unknown"] },
    ]);
    expect(of(["Passwords"], { passwordStorage: null })).toEqual(of(["Passwords"]));
    expect(of(["Names"], { passwordStorage: "plain" }).level).toBe("low");
  });

  test("considers age only for data that loses its value", () => {
    const old = (dataClasses: string[], breachDate = "2015-01-01") => of(dataClasses, { breachDate });
    expect(old(["Passwords"])).toEqual({ level: "medium", rules: ["passwords_unknown", "passwords_old"] });
    expect(old(["Credit cards", "Credit card CVV"])).toEqual({
      level: "high",
      rules: ["cards_with_code", "cards_old"],
    });
    expect(old(["Auth tokens"], "2024-01-01").rules).toEqual(["sessions", "sessions_old"]);
    for (const kind of ["Dates of birth", "Passport numbers", "Personal health data", "Biometric data"])
      expect(old([kind])).toEqual(of([kind]));
    // Five years, and not a day less.
    expect(old(["Passwords"], "2021-11-02").level).toBe("high");
    expect(old(["Passwords"], "2021-10-30").level).toBe("medium");
    expect(old(["Passwords"], "no date").level).toBe("high");
  });

  test("returns the decisive rules of several", () => {
    const breachDate = "2012-01-01";
    expect(of(["Passwords", "Phone numbers", "Names"], { breachDate })).toEqual({
      level: "medium",
      rules: ["passwords_unknown", "reachable", "passwords_old"],
    });
    expect(of(["Passwords", "Passport numbers"], { breachDate })).toEqual({
      level: "high",
      rules: ["identity_papers"],
    });
  });

  test.each<[BreachFlag[], Level, SeriousnessRule[]]>([
    [["stealerLog"], "critical", ["device"]],
    [["malware"], "critical", ["device"]],
    [["malware", "unverified", "spamList"], "critical", ["device"]],
    [["sensitive"], "high", ["reachable", "sensitive"]],
    [["unverified"], "low", ["reachable", "doubtful"]],
    [["fabricated", "spamList", "unverified"], "low", ["reachable", "doubtful"]],
    [["sensitive", "unverified"], "medium", ["reachable", "sensitive", "doubtful"]],
    [["retired", "subscriptionFree"], "medium", ["reachable"]],
  ])("takes the flags %j into account", (flags, level, rules) => {
    expect(of(["Phone numbers"], { flags })).toEqual({ level, rules });
  });

  test("returns a level and a reason for any input", () => {
    fc.assert(
      fc.property(facts, (any) => {
        const { level, rules } = severityOf(any, NOW);
        expect(LEVELS).toContain(level);
        expect(rules.length).toBeGreaterThan(0);
        expect(new Set(rules).size).toBe(rules.length);
        expect(rules.filter((rule) => !SERIOUSNESS_RULES.includes(rule))).toEqual([]);
        expect(severityOf(structuredClone(any), NOW)).toEqual({ level, rules });
      }),
    );
  });

  test("never decreases with more stolen data, and is independent of its order", () => {
    fc.assert(
      fc.property(facts, fc.constantFrom(...CLASSES, "Unheard of"), (any, more) => {
        const before = rankOf(severityOf(any, NOW).level);
        const after = severityOf({ ...any, dataClasses: [more, ...any.dataClasses] }, NOW);
        expect(rankOf(after.level)).toBeGreaterThanOrEqual(before);
        expect(after).toEqual(severityOf({ ...any, dataClasses: [...any.dataClasses, more] }, NOW));
      }),
      { numRuns: 500 },
    );
  });
});

describe("byGravity()", () => {
  test("sorts the most sensitive categories first, and marks them", () => {
    const labels = [
      "Usernames",
      "Names",
      "Shoe colours",
      "Phone numbers",
      "Passwords",
      "Mnemonic phrases",
      "Passport numbers",
    ];
    const keys = labels.map(dataClassKey).toSorted(byGravity);
    expect(keys).toEqual([
      ...["mnemonic-phrases", "passwords", "passport-numbers"],
      ...["phone-numbers", "shoe-colours", "usernames", "names"],
    ]);
    expect(keys.filter(isGraveKind)).toEqual(["mnemonic-phrases", "passwords", "passport-numbers"]);
  });
});
