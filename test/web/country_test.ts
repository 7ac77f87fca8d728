import { describe, expect, test } from "bun:test";
import { COUNTRIES, type Country } from "../../src/shared/advice.ts";
import { countryOf, guessCountry } from "../../web/ui/form/country.ts";

describe("guessCountry()", () => {
  test.each<[zone: string | undefined, languages: string[], country: Country | undefined]>([
    ["Europe/Zurich", ["en-US", "de-DE"], "CH"],
    ["Europe/Berlin", ["en-GB"], "DE"],
    ["Europe/Rome", [], "IT"],
    ["Atlantic/Azores", ["pt-BR"], "PT"],
    ["Atlantic/Canary", ["es"], "ES"],
    ["America/Indiana/Knox", ["es-MX"], "US"],
    ["Pacific/Honolulu", ["en-US"], "US"],
    ["Europe/Vienna", ["de-DE"], undefined],
    ["America/Toronto", ["en-US", "fr-CA"], undefined],
    ["Asia/Tokyo", ["en-GB"], undefined],
    ["UTC", ["de", "de-CH", "fr-FR"], "CH"],
    ["Etc/UTC", ["zh-Hant-TW", "en-US"], undefined],
    [undefined, ["pt_PT"], "PT"],
    ["", ["en"], undefined],
    ["UTC", [], undefined],
  ])("resolves %p with %p to %p", (timeZone, languages, country) => {
    expect(guessCountry({ timeZone, languages })).toBe(country);
  });

  test("recognises each of the eight by its time zone", () => {
    const zones = ["Europe/Zurich", "Europe/Berlin", "Europe/Madrid", "Europe/Paris", "Europe/London", "Europe/Rome"];
    const found = [...zones, "Europe/Lisbon", "America/Chicago"].map((timeZone) =>
      guessCountry({ timeZone, languages: [] }),
    );
    expect(found).toEqual([...COUNTRIES]);
  });
});

describe("countryOf()", () => {
  const swiss = { timeZone: "Europe/Zurich", languages: ["de-CH"] };
  test('prefers the stored choice, including "none of these"', () => {
    expect(countryOf("IT", swiss)).toBe("IT");
    expect(countryOf("elsewhere", swiss)).toBeUndefined();
    for (const unknown of [null, "", "XX", "ch"]) expect(countryOf(unknown, swiss)).toBe("CH");
  });
});
