import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { normaliseEmail } from "../../src/shared/email_address.ts";

describe("normaliseEmail()", () => {
  test.each([
    ["alice@example.com", "alice@example.com"],
    ["  Alice@Example.COM\n", "alice@example.com"],
    ["alice@example.com.", "alice@example.com"],
    ["ａｌｉｃｅ＠ｅｘａｍｐｌｅ．ｃｏｍ", "alice@example.com"],
    ["alice+tag@example.com", "alice+tag@example.com"],
    ["a.l.i.c.e@gmail.com", "a.l.i.c.e@gmail.com"],
    ["o'neill_{x}|~!#$%&*/=?^`@example.com", "o'neill_{x}|~!#$%&*/=?^`@example.com"],
    ["alice@bücher.example", "alice@xn--bcher-kva.example"],
    ["alice@BÜCHER.example", "alice@xn--bcher-kva.example"],
    ["alice@xn--bcher-kva.example", "alice@xn--bcher-kva.example"],
    ["alice@例え.テスト", "alice@xn--r8jz45g.xn--zckzah"],
    ["1@2.museum", "1@2.museum"],
    [`${"a".repeat(64)}@example.com`, `${"a".repeat(64)}@example.com`],
  ])("returns %j as %j", (typed, address) => {
    expect(normaliseEmail(typed)).toBe(address);
  });

  test.each([
    [""],
    [" "],
    ["alice"],
    ["@example.com"],
    ["alice@"],
    ["alice@example"],
    ["alice@localhost"],
    ["alice@.com"],
    ["alice@example..com"],
    ["alice@example.com.."],
    ["alice@-example.com"],
    ["alice@example-.com"],
    ["alice@127.0.0.1"],
    ["alice@[127.0.0.1]"],
    ["alice@1.2.3"],
    ["alice@0x7f.1"],
    ["alice@exam ple.com"],
    ["alice@example.com:25"],
    ["alice@example.com/path"],
    ["alice@example.com?x=1"],
    ["alice@exam%70le.com"],
    ["alice@bob@example.com"],
    ["alice,bob@example.com"],
    ["alice@example.com,bob@example.net"],
    ["alice@example.com\nBcc: bob@example.net"],
    ["Alice <alice@example.com>"],
    ['"alice smith"@example.com'],
    ["älice@example.com"],
    [".alice@example.com"],
    ["alice.@example.com"],
    ["al..ice@example.com"],
    ["alice\0@example.com"],
    ["alice@example.com\0"],
    ["alice@xn--a.example"],
    [`${"a".repeat(65)}@example.com`],
    [`alice@${"a".repeat(64)}.com`],
    [`alice@${"a.".repeat(130)}com`],
    [`${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.com`],
  ])("rejects %j", (typed) => {
    expect(normaliseEmail(typed)).toBeUndefined();
  });

  test("returns a plain, short address that is unchanged by normalising it again, for any input", () => {
    const parts = fc.oneof(
      fc.emailAddress(),
      fc.string({ unit: "grapheme" }),
      fc.tuple(fc.string(), fc.domain()).map((pair) => pair.join("@")),
    );
    fc.assert(
      fc.property(parts, (typed) => {
        const address = normaliseEmail(typed);
        if (address === undefined) return;
        expect(address).toMatch(/^[\x21-\x7e]+@[a-z0-9.-]+$/);
        expect(address.length).toBeLessThanOrEqual(254);
        expect(normaliseEmail(address)).toBe(address);
        expect(normaliseEmail(` ${address.toUpperCase()} `)).toBe(address);
      }),
      { numRuns: 1000 },
    );
  });
});
