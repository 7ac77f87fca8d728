import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import {
  ADVICE_STEPS,
  type AdviceStep,
  adviceFor,
  isAdviceStep,
  isCountry,
  isGrave,
  risksOf,
  stepsFor,
  stepWords,
} from "../../src/shared/advice.ts";
import { adviceKindOf } from "../../src/shared/advice_kinds.ts";
import { stepsOf } from "../../src/shared/advice_steps.ts";
import { BREACH_FLAGS, type BreachFlag, dataClassKey } from "../../src/shared/breach.ts";

function breach(dataClasses: string[], flags: BreachFlag[] = [], manyServices = false) {
  return { title: "Contoso", manyServices, dataClasses, flags };
}

const path = join(import.meta.dirname, "../../src/breaches/adapters/sources/bundled/bundled_catalogue.json");
const catalogue: { Domain: string; DataClasses: string[] }[] = JSON.parse(readFileSync(path, "utf8"));
const LABELS = [...new Set(catalogue.flatMap(({ DataClasses }) => DataClasses)), "Something new"];

const anyBreach = fc.record({
  title: fc.constant("Contoso"),
  manyServices: fc.boolean(),
  dataClasses: fc.subarray(LABELS, { maxLength: 14 }),
  flags: fc.subarray([...BREACH_FLAGS]),
});
const anyBreaches = fc.array(anyBreach, { maxLength: 6 });

/** The steps in the recommended order, without duplicates. */
function inOrder(steps: AdviceStep[]): boolean {
  return steps.every(
    (step, place) => place === 0 || ADVICE_STEPS.indexOf(steps[place - 1] ?? step) < ADVICE_STEPS.indexOf(step),
  );
}

describe("adviceFor()", () => {
  test("returns three to five steps for any data, in the recommended order", () => {
    fc.assert(
      fc.property(anyBreaches, (breaches) => {
        const steps = adviceFor(breaches);
        return steps.length >= 3 && steps.length <= 5 && inOrder(steps) && steps.includes("phishing");
      }),
    );
  });

  test("puts cleaning the device before new passwords, whatever else was stolen", () => {
    for (const dataClasses of [[], ["Email addresses"], ["Passwords", "Credit cards", "Auth tokens", "PINs"]]) {
      for (const flag of ["stealerLog", "malware"] as const)
        expect(adviceFor([breach(dataClasses, [flag])]).slice(0, 2)).toEqual(["clean_device", "all_passwords"]);
    }
    const both = adviceFor([breach(["Passwords"]), breach(["Passwords"], ["stealerLog"])]);
    expect(both.filter((step) => step.includes("password"))).toEqual(["all_passwords"]);
  });

  test("recommends changing all passwords if no single service is affected", () => {
    expect(adviceFor([breach(["Passwords"])]).slice(0, 2)).toEqual(["password", "reused_passwords"]);
    const collected = breach(["Passwords"], [], true);
    expect(adviceFor([collected]).filter((step) => step.includes("password"))).toEqual(["all_passwords"]);
    expect(adviceFor([collected, breach(["Passwords"])]).slice(0, 2)).toEqual(["password", "all_passwords"]);
  });

  test("mentions passwords only if they were stolen", () => {
    expect(adviceFor([breach(["Email addresses"])])).toEqual(["two_steps", "phishing", "unused_account"]);
  });

  test("covers every sensitive category before it adds further steps for one", () => {
    const steps = adviceFor([
      breach(["Passwords", "Credit cards", "Passport numbers", "Bank account numbers", "Names"]),
    ]);
    expect(steps).toEqual(["password", "block_card", "tell_bank", "id_authority", "phishing"]);
  });
});

describe("stepsFor()", () => {
  test("contains the steps of adviceFor() and more, in the same order, each step once", () => {
    fc.assert(
      fc.property(anyBreaches, (breaches) => {
        const all = stepsFor(breaches);
        return inOrder(all) && adviceFor(breaches).every((step) => all.includes(step));
      }),
    );
  });

  test("has advice for every category, unless that requires a service", () => {
    const bound: AdviceStep[] = ["password", "reused_passwords", "erase_data"];
    for (const label of LABELS) {
      const steps = stepsOf(adviceKindOf(dataClassKey(label)));
      expect(stepsFor([breach([label])])).toEqual(expect.arrayContaining([...steps]));
      const left = steps.filter((step) => !bound.includes(step));
      expect(stepsFor([breach([label], [], true)])).toEqual(expect.arrayContaining(left));
      for (const step of bound) expect(stepsFor([breach([label], [], true)])).not.toContain(step);
    }
  });
});

describe("stepWords()", () => {
  const one = breach(["Passwords"]);
  const many = breach(["Passwords"], [], true);

  test("names the service if there is one, without the suffix that distinguishes its entries", () => {
    expect(stepWords("password", [one])).toEqual({ key: "step.password.service", params: { service: "Contoso" } });
    const update = { ...one, title: "MGM Resorts (2022 Update)" };
    expect(stepWords("phishing", [update]).params).toEqual({ service: "MGM Resorts" });
    expect(stepWords("two_steps", [one])).toEqual({ key: "step.two_steps", params: {} });
  });

  test("names no service if there are many, or it is unknown", () => {
    expect(stepWords("all_passwords", [many]).key).toBe("step.all_passwords.anywhere");
    expect(stepWords("phishing", [many, many]).key).toBe("step.phishing.anywhere");
    const infected = breach(["Passwords"], ["stealerLog"], true);
    expect(stepWords("all_passwords", [infected]).key).toBe("step.all_passwords");
    expect(stepWords("phishing", [infected]).key).toBe("step.phishing.anywhere");
  });

  const other = { ...one, title: "Fabrikam" };

  test("names none of several services", () => {
    expect(stepWords("password", [one, other])).toEqual({ key: "step.password.services", params: {} });
    expect(
      stepWords(
        "erase_data",
        [one, other].map((known) => ({ ...known, dataClasses: ["Ethnicities"] })),
      ).key,
    ).toBe("step.erase_data.services");
    expect(stepWords("phishing", [one, other]).key).toBe("step.phishing.anywhere");
  });

  test("names the only service whose password was stolen, whatever else was", () => {
    const named = { key: "step.password.service", params: { service: "Contoso" } };
    expect(stepWords("password", [one, { ...one, title: "Contoso (2020)" }])).toEqual(named);
    expect(stepWords("password", [one, { ...other, dataClasses: ["Phone numbers"] }])).toEqual(named);
    expect(stepWords("password", [one, many])).toEqual(named);
    expect(stepWords("all_passwords", [one, many]).key).toBe("step.all_passwords.anywhere");
  });

  test("never mentions the affected service next to a combined list", () => {
    // A drill is always alone.
    const real = anyBreach.map((known) => ({ ...known, flags: known.flags.filter((flag) => flag !== "drill") }));
    const listed = fc.tuple(fc.array(real, { maxLength: 5 }), real);
    fc.assert(
      fc.property(listed, ([others, list]) => {
        const breaches = [...others, { ...list, manyServices: true }];
        for (const step of adviceFor(breaches))
          expect(["step.password", "step.phishing", "step.erase_data"]).not.toContain(stepWords(step, breaches).key);
      }),
    );
  });

  test("uses the given country", () => {
    expect(stepWords("sim_lock", [one], "CH").key).toBe("step.sim_lock.CH");
  });
});

describe("isAdviceStep()", () => {
  test("accepts the steps and nothing else", () => {
    for (const step of ADVICE_STEPS) expect(isAdviceStep(step)).toBe(true);
    for (const other of ["", "Password", "constructor", "step.password", undefined, null, 1, ["password"]])
      expect(isAdviceStep(other)).toBe(false);
    expect(new Set(ADVICE_STEPS).size).toBe(ADVICE_STEPS.length);
  });
});

describe("isCountry()", () => {
  test("accepts the eight and nothing else", () => {
    expect(["CH", "IT", "DE", "FR", "ES", "PT", "GB", "US"].every(isCountry)).toBe(true);
    for (const other of ["ch", "AT", "", undefined, null, ["CH"]]) expect(isCountry(other)).toBe(false);
  });
});

describe("risksOf()", () => {
  test("lists each risk once across all breaches, most severe first", () => {
    const breaches = [breach(["Phone numbers", "Email addresses"]), breach(["Passwords", "Phone numbers", "PINs"])];
    expect(risksOf(breaches)).toEqual(["password", "card", "phone", "phishing"]);
  });

  test("starts with the device that was infected by malware", () => {
    expect(risksOf([breach(["Passwords"]), breach(["Email addresses"], ["stealerLog"])])).toEqual([
      ...(["device", "password", "phishing"] as const),
    ]);
  });

  test("expects phishing mails after every breach, and nothing without one", () => {
    expect(risksOf([breach(["Email addresses"])])).toEqual(["phishing"]);
    expect(risksOf([])).toEqual([]);
  });
});

describe("isGrave()", () => {
  test.each([
    ["Passwords", true],
    ["Historical passwords", true],
    ["Credit card CVV", true],
    ["Passport numbers", true],
    ["Mnemonic phrases", true],
    ["Email addresses", false],
    ["Phone numbers", false],
    ["Private messages", false],
    ["Something new", false],
  ])("classifies %s as %p", (label, grave) => {
    expect(isGrave(breach([label]))).toBe(grave);
  });
});
