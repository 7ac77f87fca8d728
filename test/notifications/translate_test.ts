import { describe, expect, test } from "bun:test";
import { intlTranslate } from "../../src/notifications/adapters/translate.ts";

const translate = intlTranslate();

describe("intlTranslate()", () => {
  test("translates each text into its language with its values, repeatedly", () => {
    for (const [title, address] of [
      ["Adobe", "ada@example.com"],
      ["Canva", "bob@example.com"],
    ] as const) {
      const said = translate("en", "mail.alert.intro", { title, address });
      expect(said).toContain(title);
      expect(said).toContain(address);
    }
    expect(translate("de", "mail.alert.heading")).not.toBe(translate("en", "mail.alert.heading"));
  });

  test("formats dates in UTC, as a message has the same date for all recipients", () => {
    expect(translate("en", "mail.date", { date: new Date("2026-03-02T23:59:59.999Z") })).toBe("March 2, 2026");
    expect(translate("de", "mail.date", { date: new Date("2026-03-02T00:00:00.000Z") })).toBe("2. März 2026");
    const first = new Date("2026-03-01T12:00:00.000Z");
    expect(translate("fr", "mail.date", { date: first })).toBe("1er mars 2026");
    expect(translate("it", "mail.date", { date: first })).toBe("1º marzo 2026");
  });

  test("throws for an unknown key or a missing value", () => {
    expect(translate.has("en", "mail.alert.heading")).toBe(true);
    expect(translate.has("en", "mail.nothing")).toBe(false);
    expect(() => translate("en", "mail.nothing")).toThrow('"mail.nothing"');
    expect(() => translate("en", "mail.alert.intro", {})).toThrow();
  });
});
