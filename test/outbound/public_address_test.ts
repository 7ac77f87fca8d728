import { describe, expect, test } from "bun:test";
import { findPublic, isPublicAddress } from "../../src/outbound/public_address.ts";

describe("isPublicAddress()", () => {
  test.each([
    "93.184.216.34",
    "1.1.1.1",
    "172.15.255.255",
    "172.32.0.1",
    "100.63.255.255",
    "100.128.0.1",
    "192.167.255.255",
    "223.255.255.255",
    "2606:2800:220:1:248:1893:25c8:1946",
    "2a00:1450:4001:80b::200e",
    "2001:4860:4860::8888",
  ])("accepts %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  test.each([
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["this network", "0.0.0.0"],
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["carrier-grade NAT", "100.127.255.255"],
    ["link-local, the cloud metadata service", "169.254.169.254"],
    ["IETF", "192.0.0.170"],
    ["documentation", "192.0.2.1"],
    ["benchmarks", "198.18.0.1"],
    ["multicast", "224.0.0.1"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["IPv4 in IPv6", "::ffff:127.0.0.1"],
    ["IPv4 in IPv6", "::ffff:8.8.8.8"],
    ["IPv4 in IPv6", "::7f00:1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["6to4", "2002:7f00:1::"],
    ["Teredo", "2001:0:53aa:64c::1"],
    ["documentation", "2001:db8::1"],
    ["unique local", "fc00::1"],
    ["unique local", "fd12:3456:789a::1"],
    ["link-local", "fe80::1"],
    ["site-local", "fec0::1"],
    ["multicast", "ff02::1"],
    ["nonsense", "example.com"],
    ["nonsense", "1.2.3"],
    ["nothing", ""],
  ])("rejects %s: %s", (_, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("findPublic()", () => {
  const find = (url: string, addresses: string[], more: { allowPrivate?: boolean } = {}) =>
    findPublic(new URL(url), { resolve: async () => addresses, allowPrivate: false, timeoutMs: 50, ...more });

  test("returns the addresses of a name, IPv4 before IPv6", async () => {
    const found = await find("https://hooks.example/in", ["2606:4700::1", "93.184.216.34"]);
    expect(found).toEqual({
      kind: "found",
      at: [
        { address: "93.184.216.34", family: 4 },
        { address: "2606:4700::1", family: 6 },
      ],
    });
  });

  test("rejects a name as soon as one of its addresses is private", async () => {
    expect(await find("https://hooks.example/in", ["93.184.216.34", "10.0.0.1"])).toEqual({ kind: "unreachable" });
  });

  test.each([
    "https://127.0.0.1/",
    "https://0x7f.1/",
    "https://2130706433/",
    "https://[::1]/",
    "https://[::ffff:7f00:1]/",
  ])("does not resolve local names such as %s", async (url) => {
    expect(await find(url, ["93.184.216.34"])).toEqual({ kind: "private" });
  });

  test("lets an operator allow the private network", async () => {
    const found = await find("https://hooks.lan/in", ["10.0.0.1"], { allowPrivate: true });
    expect(found).toMatchObject({ kind: "found", at: [{ address: "10.0.0.1" }] });
  });

  test.each([
    ["nothing", []],
    ["nonsense", ["not an address"]],
  ])("finds nothing for a name that resolves to %s", async (_, addresses) => {
    expect(await find("https://hooks.example/", addresses)).toEqual({ kind: "unreachable" });
  });

  test("finds nothing when the name server fails or does not respond", async () => {
    const ask = (resolve: () => Promise<string[]>) =>
      findPublic(new URL("https://hooks.example/"), { resolve, allowPrivate: false, timeoutMs: 20 });
    expect(await ask(() => Promise.reject(new Error("SERVFAIL")))).toEqual({ kind: "unreachable" });
    expect(await ask(() => new Promise(() => {}))).toEqual({ kind: "unreachable" });
  });

  test("reveals neither by its response nor by its duration whether a private name exists", async () => {
    const refusals: unknown[] = [];
    const ways: (() => Promise<string[]>)[] = [
      async () => ["10.0.0.1"],
      async () => ["not an address"],
      async () => [],
      () => Promise.reject(new Error("ENOTFOUND")),
    ];
    const from = performance.now();
    const asked = ways.map(async (resolve) => {
      refusals.push(
        await findPublic(new URL("https://db.internal/"), { resolve, allowPrivate: false, timeoutMs: 300 }),
      );
      return performance.now() - from;
    });
    // Timers may fire a fraction of a millisecond early by this clock.
    for (const took of await Promise.all(asked)) expect(took).toBeGreaterThanOrEqual(299);
    expect(new Set(refusals.map((each) => JSON.stringify(each)))).toEqual(new Set(['{"kind":"unreachable"}']));
  });
});
