import { describe, expect, test } from "bun:test";
import { normaliseEmail } from "../../src/shared/email_address.ts";
import { containsText, shownAddress } from "../../src/shared/shown_address.ts";

const stored = (typed: string) => normaliseEmail(typed) ?? "";

describe("shownAddress()", () => {
  test.each([
    "grete@münchen-post.example",
    "a.b+c@faß.example",
    "a@łódź.example",
    "a@đường.example",
    "a@пример.рф",
    "a@παράδειγμα.example",
    "a@例え.example",
    "a@日本go.example",
    "a@회사.example",
    "a@מייל.example",
    "a@उदाहरण.example",
    "a@mail.münchen.example",
  ])("shows %s as it was typed", (typed) => {
    expect(stored(typed)).toContain("@");
    expect(stored(typed)).toMatch(/xn--/);
    expect(shownAddress(stored(typed))).toBe(typed);
  });

  test.each([
    ["a mixture of Cyrillic and Latin", "a@раypal.example"],
    ["Cyrillic that looks Latin", "a@аррӏе.example"],
    ["Greek that looks Latin", "a@τοκ.example"],
    ["a Latin letter that passes for another", "a@gıthub.example"],
    ["an accent that no letter of an alphabet has", "a@b̂ank.example"],
  ])("keeps the ASCII form of %s", (_, typed) => {
    expect(stored(typed)).toMatch(/@xn--/);
    expect(shownAddress(stored(typed))).toBe(stored(typed));
  });

  test.each([
    "ada@example.org",
    "a@xn--zzzz.example",
    "a@xn--.example",
    "xn--mnchen-3ya",
    "two words@xn--mnchen-3ya.example",
    "",
  ])("leaves %p unchanged", (text) => expect(shownAddress(text)).toBe(text));
});

test("a search finds an address by its stored and by its shown form", () => {
  const address = stored("grete@münchen-post.example");
  for (const search of ["münchen", "grete@mü", "post.example", "xn--mnchen", "mu\u0308nchen"])
    expect(containsText(address, search)).toBe(true);
  expect(containsText(address, "muenchen")).toBe(false);
});
