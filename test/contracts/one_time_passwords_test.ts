import { describe, expect, test } from "bun:test";
import { hotpCodes } from "../../src/identity/adapters/secrets/authenticator_codes.ts";
import type { OneTimePasswords } from "../../src/identity/factors/ceremony_ports.ts";

/** RFC 6238, appendix B, SHA-1: "12345678901234567890" in base32; of eight digits the last six are the six-digit code. */
const RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";
const RFC_VECTORS = [
  [59, "94287082"],
  [1111111109, "07081804"],
  [1111111111, "14050471"],
  [1234567890, "89005924"],
  [2000000000, "69279037"],
  [20000000000, "65353130"],
] as const;
const ADAPTERS: [string, () => OneTimePasswords][] = [["hotpCodes", hotpCodes]];

describe.each(ADAPTERS)("OneTimePasswords by %s", (_, open) => {
  test.each(RFC_VECTORS)("isRight() accepts the RFC's code at second %d", (seconds, digits) => {
    const step = Math.floor(seconds / 30);
    const code = digits.slice(2);
    expect(open().isRight(code, { secret: RFC_SECRET, step })).toBe(true);
    for (const other of [step - 1, step + 1])
      expect(open().isRight(code, { secret: RFC_SECRET, step: other })).toBe(false);
  });

  test("isRight() rejects every other text", () => {
    for (const text of ["", "28708", "94287082", "287083", "28708２", " 287082", "287082\n"])
      expect(open().isRight(text, { secret: RFC_SECRET, step: 1 })).toBe(false);
  });

  test("newSecret() generates 160 random bits, never the same twice", () => {
    const secrets = Array.from({ length: 200 }, () => open().newSecret());
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new Set(secrets).size).toBe(200);
  });

  test("uri() contains everything an app needs", () => {
    const uri = new URL(open().uri(RFC_SECRET, "alice+home@example.com"));
    expect(uri.protocol + uri.host).toBe("otpauth:totp");
    expect(decodeURIComponent(uri.pathname)).toBe("/Breachbell:alice+home@example.com");
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: "Breachbell",
      algorithm: "SHA1",
      secret: RFC_SECRET,
      period: "30",
      digits: "6",
    });
  });
});
