import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { clientIp, isLoopback, trustedProxies } from "../../src/http/client_ip.ts";
import { ipBucket, ipPrefix } from "../../src/shared/ip_bucket.ts";

const NONE = trustedProxies([]);

describe("clientIp() without trusted proxies", () => {
  test("is the socket's address, whatever the header says", () => {
    expect(clientIp("203.0.113.7", undefined, NONE)).toBe("203.0.113.7");
    expect(clientIp("203.0.113.7", "127.0.0.1", NONE)).toBe("203.0.113.7");
    expect(clientIp("127.0.0.1", "198.51.100.1", NONE)).toBe("127.0.0.1");
  });

  test("converts an IPv4-mapped IPv6 address to IPv4", () => {
    expect(clientIp("::ffff:203.0.113.7", undefined, NONE)).toBe("203.0.113.7");
    expect(clientIp("::FFFF:203.0.113.7", undefined, NONE)).toBe("203.0.113.7");
    expect(clientIp("2001:db8::7", undefined, NONE)).toBe("2001:db8::7");
  });

  test("is undefined if the socket has no address", () => {
    expect(clientIp("", "198.51.100.1", trustedProxies(["loopback", "0.0.0.0/0", "::/0"]))).toBe("");
  });
});

describe("clientIp() behind trusted proxies", () => {
  const proxies = trustedProxies(["loopback", "10.0.0.0/8", "192.0.2.1", "2001:db8:1::/48"]);
  const cases: [socket: string, forwardedFor: string | undefined, client: string][] = [
    ["10.0.0.5", "198.51.100.1", "198.51.100.1"],
    ["127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["::1", "198.51.100.1", "198.51.100.1"],
    ["::ffff:10.0.0.5", "::ffff:198.51.100.1", "198.51.100.1"],
    ["2001:db8:1::9", "2001:db8:2::7", "2001:db8:2::7"],
    // From the right: proxies are skipped, the first other address is the client, and what it sent itself is ignored.
    ["10.0.0.5", "198.51.100.1, 192.0.2.1, 10.255.0.1", "198.51.100.1"],
    ["10.0.0.5", "1.1.1.1, 127.0.0.1, 198.51.100.1, 10.0.0.9", "198.51.100.1"],
    ["10.0.0.5", "  198.51.100.1 ,10.0.0.9 ", "198.51.100.1"],
    // A proxy's own request, and one without a header, come from the proxy.
    ["10.0.0.5", "10.0.0.9", "10.0.0.9"],
    ["10.0.0.5", undefined, "10.0.0.5"],
    ["10.0.0.5", "", "10.0.0.5"],
    // Ports are parsed.
    ["10.0.0.5", "198.51.100.7:51234", "198.51.100.7"],
    ["10.0.0.5", "[2001:db8:2::7]:443", "2001:db8:2::7"],
    ["10.0.0.5", "[2001:db8:2::7]", "2001:db8:2::7"],
    ["10.0.0.5", "1.1.1.1, [::ffff:198.51.100.7]:443, 10.0.0.9:80", "198.51.100.7"],
    // An unparsable entry is a separate client, never the proxy, and everything left of it is ignored.
    ["10.0.0.5", "1.1.1.1, unknown", "unknown:unknown"],
    ["10.0.0.5", "1.1.1.1, ", "unknown:"],
    ["10.0.0.5", "1.1.1.1, _hidden, 10.0.0.9", "unknown:_hidden"],
    ["10.0.0.5", "1.1.1.1, 198.51.100.1:port", "unknown:198.51.100.1:port"],
    ["10.0.0.5", "1.1.1.1, 127.0.0.1:80:80", "unknown:127.0.0.1:80:80"],
    ["10.0.0.5", `1.1.1.1, ${"x".repeat(1000)}`, `unknown:${"x".repeat(64)}`],
    // Just outside of a range.
    ["11.0.0.1", "1.1.1.1", "11.0.0.1"],
    ["192.0.2.2", "1.1.1.1", "192.0.2.2"],
    ["2001:db8:2::1", "1.1.1.1", "2001:db8:2::1"],
  ];
  test.each(cases)("%s with %j is %s", (socket, forwardedFor, client) => {
    expect(clientIp(socket, forwardedFor, proxies)).toBe(client);
  });

  const stranger = fc
    .tuple(fc.integer({ min: 11, max: 126 }), fc.nat(255), fc.nat(255), fc.nat(255))
    .map((bytes) => bytes.join("."));
  const proxy = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255)).map((bytes) => `10.${bytes.join(".")}`);
  const hops = (address: fc.Arbitrary<string>) => fc.array(address, { maxLength: 4 });

  test("does not depend on anything that the client writes into the header", () => {
    const written = fc.string().filter((text) => !/[\r\n]/.test(text));
    fc.assert(
      fc.property(
        stranger,
        proxy,
        hops(proxy),
        fc.oneof(written, hops(fc.oneof(stranger, proxy)).map(String)),
        (client, socket, between, forged) => {
          const honest = [client, ...between].join(", ");
          expect(clientIp(socket, honest, proxies)).toBe(client);
          expect(clientIp(socket, `${forged}, ${honest}`, proxies)).toBe(client);
        },
      ),
    );
  });

  test("is the client's own address if it connects to the server directly", () => {
    fc.assert(
      fc.property(stranger, hops(fc.oneof(stranger, proxy)), (client, forged) => {
        expect(clientIp(client, forged.join(","), proxies)).toBe(client);
      }),
    );
  });
});

describe("an unidentifiable client", () => {
  const proxies = trustedProxies(["loopback"]);
  const bucket = (hop: string) => ipBucket(clientIp("127.0.0.1", hop, proxies));

  test("shares no limit with the proxy, with an address, or with another unidentifiable one", () => {
    const buckets = ["_one", "_two", "198.51.100.7", "127.0.0.1"].map(bucket);
    expect(new Set([...buckets, ipBucket("127.0.0.1")]).size).toBe(4);
  });

  test("cannot be impersonated through a header", () => {
    expect(bucket("198.51.100.7, _one")).toBe(bucket("203.0.113.9, _one"));
  });

  test("has no network that could be shown", () => {
    expect(ipPrefix(clientIp("127.0.0.1", "198.51.100.7:port", proxies))).toBe("");
  });
});

describe("isLoopback()", () => {
  test("recognises this machine's own addresses and no other", () => {
    expect(["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"].filter(isLoopback)).toHaveLength(4);
    expect(
      ["", "127.evil.example", "unknown:127.0.0.1", "128.0.0.1", "12.7.0.1", "::2", "10.0.0.1", "unknown"].filter(
        isLoopback,
      ),
    ).toEqual([]);
  });
});
