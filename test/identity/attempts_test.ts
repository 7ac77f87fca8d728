import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { randomCode } from "../../src/identity/adapters/secrets/random_code.ts";
import { ipBucket, ipPrefix } from "../../src/shared/ip_bucket.ts";
import { counted, givenBack } from "../memory/identity/attempts.ts";

const limit = { tries: 3, windowMs: 1000, lockMs: 5000 };
const at = (ms: number) => new Date(ms);

describe("counted()", () => {
  test("counted() opens a window, fills it, locks with the last attempt and then starts over", () => {
    const first = counted(undefined, limit, at(0));
    expect(first).toEqual({ tries: 1, until: at(1000) });
    const second = counted(first, limit, at(999));
    expect(second).toEqual({ tries: 2, until: at(1000) });
    expect(counted(second, limit, at(1000))).toEqual({ tries: 1, until: at(2000) });
    const third = counted(second, limit, at(999));
    expect(third).toEqual({ tries: 3, until: at(5999) });
    const refused = counted(third, limit, at(3000));
    expect(refused).toEqual({ tries: 4, until: at(5999) });
    expect(counted(refused, limit, at(4000))).toEqual(refused);
    expect(counted(refused, limit, at(5999))).toEqual({ tries: 1, until: at(6999) });
  });

  test("counted() starts the window with the first attempt, even if a reservation existed before", () => {
    expect(counted({ tries: 0, until: at(9000) }, limit, at(1))).toEqual({ tries: 1, until: at(1001) });
  });

  test("givenBack() takes back an attempt and the lock it set, unless somebody was refused since", () => {
    expect(givenBack({ tries: 3, until: at(5999) }, limit, at(999))).toEqual({ tries: 2, until: at(1999) });
    expect(givenBack({ tries: 2, until: at(1000) }, limit, at(999))).toEqual({ tries: 1, until: at(1000) });
    expect(givenBack({ tries: 4, until: at(5999) }, limit, at(999))).toEqual({ tries: 4, until: at(5999) });
    expect(givenBack({ tries: 0, until: at(1000) }, limit, at(999)).tries).toBe(0);
  });
});

describe("ipBucket()", () => {
  test.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:c000:201", "192.0.2.1"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["2001:0DB8:0000:0000:ffff:ffff:ffff:ffff", "2001:db8:0:0::/64"],
    ["2001:db8:0:1::1", "2001:db8:0:1::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["1:2:3:4:5:6:7:8", "1:2:3:4::/64"],
    ["not:an:address", "not:an:address"],
    ["unknown", "unknown"],
  ])("ipBucket(%p) is %p", (ip, bucket) => {
    expect(ipBucket(ip)).toBe(bucket);
  });

  test("ipBucket() is the same for every address of one /64, in any notation", () => {
    const groups = (count: number) =>
      fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: count, maxLength: count });
    const written = (parts: number[], width: number) =>
      parts.map((part) => part.toString(16).padStart(width, "0")).join(":");
    const network = fc.tuple(fc.integer({ min: 1, max: 0xffff }), groups(3)).map(([first, rest]) => [first, ...rest]);
    fc.assert(
      fc.property(network, groups(4), groups(4), (net, one, other) => {
        expect(ipBucket(written([...net, ...one], 1))).toBe(ipBucket(written([...net, ...other], 4).toUpperCase()));
      }),
    );
  });
});

describe("ipPrefix()", () => {
  test.each([
    ["192.0.2.77", "192.0.2.0/24"],
    ["::ffff:192.0.2.77", "192.0.2.0/24"],
    ["2001:0db8:1:2::3", "2001:db8:1::/48"],
    ["::1", "0:0:0::/48"],
    ["not:an:address", ""],
    ["unknown", ""],
    ["<b>1.2.3.4</b>", ""],
  ])("ipPrefix(%p) is %p", (ip, prefix) => {
    expect(ipPrefix(ip)).toBe(prefix);
  });
});

describe("randomCode()", () => {
  test("randomCode() returns six digits, evenly distributed at each position", () => {
    const DRAWN = 60_000;
    const counts = Array.from({ length: 6 }, () => Array<number>(10).fill(0));
    for (let i = 0; i < DRAWN; i++) {
      const code = randomCode();
      if (!/^[0-9]{6}$/.test(code)) throw new Error(`"${code}" is no code`);
      for (const [place, count] of counts.entries()) {
        const digit = Number(code[place]);
        count[digit] = (count[digit] ?? 0) + 1;
      }
    }
    const expected = DRAWN / 10;
    for (const count of counts) {
      const chiSquare = count.reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0);
      // Nine degrees of freedom: a fair generator exceeds 60 once in a billion runs.
      expect(chiSquare).toBeLessThan(60);
    }
  });
});
