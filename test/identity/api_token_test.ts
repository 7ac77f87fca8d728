import { describe, expect, test } from "bun:test";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { allowanceOf, BURST } from "../../src/identity/api_tokens/api_allowance.ts";
import { apiTokenOf, isApiToken } from "../../src/identity/api_tokens/api_token.ts";
import { newToken } from "../../src/runtime/crypto.ts";
import { taken } from "../memory/identity/api_tokens.ts";

const T0 = Date.parse("2026-11-20T12:00:00Z");
const at = (ms: number) => new Date(T0 + ms);

describe("apiTokenOf()", () => {
  test("preserves all 256 bits, followed by their CRC-32 in base 62", () => {
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const numberOf = (text: string) => [...text].reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n);
    for (const random of [newToken(), newToken(), "A".repeat(43), `${"_".repeat(42)}8`]) {
      const token = apiTokenOf(random);
      expect(token).toMatch(/^bb_[0-9A-Za-z]{49}$/);
      const bits = BigInt(`0x${Buffer.from(random, "base64url").toString("hex")}`);
      expect(numberOf(token.slice(3, 46))).toBe(bits);
      expect(numberOf(token.slice(46))).toBe(BigInt(crc32(token.slice(3, 46))));
      expect(isApiToken(token)).toBe(true);
    }
  });

  test("isApiToken() detects a change of any single character", () => {
    const token = apiTokenOf(newToken());
    for (let index = 3; index < token.length; index++) {
      const other = token[index] === "x" ? "y" : "x";
      expect(isApiToken(`${token.slice(0, index)}${other}${token.slice(index + 1)}`)).toBe(false);
    }
    for (const text of ["", "bb_", token.slice(1), `${token}0`, token.replace("bb_", "cc_"), newToken()])
      expect(isApiToken(text)).toBe(false);
  });
});

describe("taken()", () => {
  test("allows a burst of thirty, then one a second", () => {
    let busyUntil = at(-5000);
    for (let request = 1; request <= BURST; request++) {
      const found = taken(busyUntil, at(0));
      expect(found).toEqual({ granted: true, busyUntil: at(request * 1000) });
      expect(allowanceOf(found, at(0))).toMatchObject({ remaining: BURST - request, fullInSeconds: request, wait: 0 });
      busyUntil = found.busyUntil;
    }
    const refused = taken(busyUntil, at(999));
    expect(refused).toEqual({ granted: false, busyUntil });
    expect(allowanceOf(refused, at(999))).toEqual({ limit: BURST, remaining: 0, fullInSeconds: 30, wait: 1 });
    expect(taken(busyUntil, at(1000))).toEqual({ granted: true, busyUntil: at(31_000) });
  });

  test("never refuses one request a second, and never exceeds thirty and one a second", () => {
    const pauses = fc.array(fc.oneof(fc.nat(50), fc.nat(3000), fc.nat(30_000)), { maxLength: 300 });
    fc.assert(
      fc.property(pauses, (list) => {
        let [time, busyUntil] = [0, at(0)];
        const admitted: number[] = [];
        for (const afterMs of list) {
          time += afterMs;
          const found = taken(busyUntil, at(time));
          if (afterMs >= 1000) expect(found.granted).toBe(true);
          if (found.granted) admitted.push(time);
          ({ busyUntil } = found);
        }
        for (const [index, from] of admitted.entries())
          for (const [count, until] of admitted.slice(index).entries())
            expect(count + 1).toBeLessThanOrEqual(BURST + (until - from) / 1000);
      }),
      { numRuns: 60, seed: 7 },
    );
  });
});
