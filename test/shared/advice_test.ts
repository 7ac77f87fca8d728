import { describe, expect, test } from "bun:test";
import { risksOf } from "../../src/shared/advice.ts";
import type { BreachFlag } from "../../src/shared/breach.ts";

function breach(dataClasses: string[], flags: BreachFlag[] = []) {
  return { domain: "contoso.example", dataClasses, flags };
}

describe("risksOf()", () => {
  test("risksOf() names each kind of harm once over all breaches, the gravest first", () => {
    const breaches = [breach(["Phone numbers", "Email addresses"]), breach(["Passwords", "Phone numbers", "PINs"])];
    expect(risksOf(breaches)).toEqual(["password", "card", "phone", "phishing"]);
  });

  test("risksOf() begins with the device that malicious software was on", () => {
    expect(risksOf([breach(["Passwords"]), breach(["Email addresses"], ["stealerLog"])])).toEqual([
      "device",
      "password",
      "phishing",
    ]);
  });

  test("risksOf() expects fraudulent mails after every breach, and nothing without one", () => {
    expect(risksOf([breach(["Email addresses"])])).toEqual(["phishing"]);
    expect(risksOf([])).toEqual([]);
  });
});
