import { describe, expect, test } from "bun:test";
import { bundledCatalogue } from "../../src/breaches/adapters/sources/bundled/bundled.ts";
import { isOfManyServices } from "../../src/breaches/catalogue/many_services.ts";
import { adviceFor, isInfected } from "../../src/shared/advice.ts";
import { aBreach } from "../support/builders.ts";

describe("isOfManyServices()", () => {
  const breaches = bundledCatalogue().then((catalogue) => catalogue.breaches);

  test("finds the catalogue's combined lists that have a domain, and no single service", async () => {
    const found = (await breaches).filter((breach) => isOfManyServices(breach));
    const named = found.filter((breach) => breach.domain !== "" && !isInfected(breach));
    expect(named.map(({ name }) => name).toSorted()).toEqual(["Cit0day", "Pemiblanc"]);
  });

  test("is true without a domain, except for the services that the catalogue lists so", async () => {
    const bare = (await breaches).filter(({ domain }) => domain === "");
    expect(bare.length).toBeGreaterThan(40);
    const services = bare.filter((breach) => !isOfManyServices(breach)).map(({ name }) => name);
    expect(services.toSorted()).toEqual([
      ...["AllegedATT", "Experian2020", "Lovora", "MC2Data", "NationalPublicData", "WienerBuchereien"],
    ]);
  });

  test.each([
    ["a service's new entry that has no domain yet", { description: "In 2026, the shop suffered a breach." }, false],
    ["a spam list", { description: "In 2026, a spam operation was found.", flags: ["spamList" as const] }, true],
    ["an entry with nothing but its title", { description: "" }, true],
    ["a list that is only described", { description: "A combo list of 3M pairs was posted." }, true],
  ])("tells %s by more than the missing domain", (_, more, expected) => {
    expect(isOfManyServices(aBreach({ name: "Fresh", domain: "", ...more }))).toBe(expected);
  });

  test.each(["Cit0day", "Pemiblanc", "AntiPublic", "Collection1", "ExploitIn"])(
    "%s leads to the advice for all passwords, and not for a single one",
    async (name) => {
      const breach = (await breaches).find((one) => one.name === name);
      if (!breach) throw new Error(`${name} is not in the catalogue`);
      const steps = adviceFor([{ ...breach, manyServices: isOfManyServices(breach) }]);
      expect(steps).toContain("all_passwords");
      for (const step of ["password", "reused_passwords", "erase_data"] as const) expect(steps).not.toContain(step);
    },
  );

  test("recognises a combined list by its title if its source gives nothing else", () => {
    const other = { domain: "lists.example", description: "" };
    expect(isOfManyServices(aBreach({ ...other, title: "Collection #1" }))).toBe(true);
    expect(isOfManyServices(aBreach({ ...other, title: "naz.api" }))).toBe(true);
    expect(isOfManyServices(aBreach({ ...other, title: "Contoso Collection" }))).toBe(false);
  });

  test.each([
    ["a combolist of 3 million pairs was posted", true],
    ["a collection of 1,200 hacked websites was for sale", true],
    ["records aggregated from <em>many</em> earlier breaches", true],
    ["its data was sold along with a collection of other data breaches", false],
    ["more than 464k customer records were in a collection of files", false],
  ])("parses %p", (words, isList) => {
    expect(isOfManyServices(aBreach({ description: `In 2024, ${words}.` }))).toBe(isList);
  });
});
