import { describe, expect, test } from "bun:test";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { allowances, BURST, type Taken, taken } from "../../src/identity/api_tokens/api_allowance.ts";
import { apiTokenOf, isApiToken } from "../../src/identity/api_tokens/api_token.ts";
import { newToken } from "../../src/runtime/crypto.ts";

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
    const first = taken(at(-5000), 100, at(0));
    expect(first).toEqual({ granted: BURST, busyUntil: at(30_000) });
    expect(taken(first.busyUntil, 1, at(999)).granted).toBe(0);
    expect(taken(first.busyUntil, 5, at(2500))).toEqual({ granted: 2, busyUntil: at(32_000) });
  });
});

/** One row in the database, and the writes that reached it. */
function bucket() {
  let busyUntil = at(0);
  let writes = 0;
  return {
    writes: () => writes,
    take:
      (now: () => Date) =>
      async (wanted: number): Promise<Taken> => {
        writes++;
        const found = taken(busyUntil, wanted, now());
        busyUntil = found.busyUntil;
        return found;
      },
  };
}

describe("allowances()", () => {
  test("writes once for several requests of a busy token, and allows its full rate", async () => {
    let time = 0;
    const now = () => at(time);
    const { take, writes } = bucket();
    const admit = allowances(now);
    let admitted = 0;
    // Two a second for five minutes: half of them exceed the limit.
    for (; time < 300_000; time += 500) if ((await admit("a", take(now))).wait === 0) admitted++;
    expect(admitted).toBeGreaterThanOrEqual(300);
    expect(admitted).toBeLessThanOrEqual(30 + 300);
    expect(writes()).toBeLessThan(600);
    const quiet = allowances(now);
    const counted = bucket();
    for (let index = 0; index < 30; index++) await quiet("b", counted.take(now));
    expect(counted.writes()).toBeLessThanOrEqual(7);
  });

  test("never refuses a rarely used token, in however many processes", async () => {
    let time = 0;
    const now = () => at(time);
    const { take } = bucket();
    const processes = Array.from({ length: 10 }, () => allowances(now));
    for (let index = 0; index < 600; index++, time += 1000)
      expect((await processes[index % 10]?.("a", take(now)))?.wait).toBe(0);
  });

  test("never exceeds thirty, one a second, and what was reserved ten seconds before", async () => {
    const request = fc.record({ process: fc.nat(4), afterMs: fc.oneof(fc.nat(50), fc.nat(3000), fc.nat(30_000)) });
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 300 }), async (requests) => {
        let time = 0;
        const now = () => at(time);
        const { take } = bucket();
        const processes = Array.from({ length: 5 }, () => allowances(now));
        const admitted: number[] = [];
        for (const { process, afterMs } of requests) {
          time += afterMs;
          const allowance = await processes[process]?.("a", take(now));
          if (allowance?.wait === 0) admitted.push(time);
          expect(allowance?.remaining).toBeWithin(0, BURST + 1);
        }
        for (const [index, from] of admitted.entries())
          for (let last = index; last < admitted.length; last++) {
            const seconds = ((admitted[last] ?? 0) - from) / 1000;
            expect(last - index + 1).toBeLessThanOrEqual(30 + 10 + 1 + seconds);
          }
      }),
      { numRuns: 60, seed: 7 },
    );
  });
});
