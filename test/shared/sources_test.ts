import { describe, expect, test } from "bun:test";
import { bundledFeed } from "../../src/breaches/adapters/sources/bundled/bundled.ts";
import { creditsOf } from "../../src/shared/sources.ts";

const found = (sources: string[], name?: string) => ({ sources, breach: name === undefined ? null : { name } });
const namesOf = (...args: Parameters<typeof creditsOf>) => creditsOf(...args).map(({ name }) => name ?? "own list");

describe("creditsOf()", () => {
  test("credits exactly the sources of what is shown", () => {
    expect(namesOf([found(["hibp"], "Adobe")], ["hibp", "xposedornot"])).toEqual(["Have I Been Pwned"]);
    expect(namesOf([found(["xposedornot"], "xposedornot:Adobe")], ["hibp"])).toEqual(["XposedOrNot"]);
    expect(namesOf([found(["dataset"], "dataset:Clients")], ["hibp"])).toEqual(["own list"]);
    expect(namesOf([found(["bundled"], "Adobe")], [])).toEqual(["Have I Been Pwned"]);
  });

  test("also credits those whose catalogue describes what others found", () => {
    expect(namesOf([found(["dataset"], "Adobe")], [])).toEqual(["Have I Been Pwned", "own list"]);
    expect(namesOf([found(["push"], "Adobe")], [])).toEqual(["Have I Been Pwned", "own list"]);
  });

  test("credits each once for everything shown together", () => {
    const shown = [found(["xposedornot", "hibp"], "Adobe"), found(["hibp"], "Canva"), found([])];
    expect(namesOf(shown, ["dataset"])).toEqual(["Have I Been Pwned", "XposedOrNot"]);
  });

  test("credits the queried sources if the origin is unknown", () => {
    expect(namesOf([], ["xposedornot", "bundled"])).toEqual(["Have I Been Pwned", "XposedOrNot"]);
    expect(namesOf([found([])], ["dataset"])).toEqual(["own list"]);
    expect(creditsOf([], [])).toEqual([]);
  });

  test("contains licence and link of HIBP's data, as its terms require", () => {
    expect(creditsOf([found(["hibp"], "Adobe")], [])).toEqual([
      {
        name: "Have I Been Pwned",
        url: "https://haveibeenpwned.com",
        licence: { name: "CC BY 4.0", url: "https://creativecommons.org/licenses/by/4.0/" },
      },
    ]);
  });

  test("includes every source with an adapter", () => {
    const sources = [bundledFeed({ stateFile: "none" }).source, "hibp", "xposedornot", "dataset", "push"];
    for (const source of sources) expect(creditsOf([found([source])], [])).toHaveLength(1);
  });
});
