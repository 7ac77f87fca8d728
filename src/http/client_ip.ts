import { BlockList, isIP } from "node:net";

/** The proxies named by TRUST_PROXY: addresses, CIDR ranges, or `loopback`. */
export function trustedProxies(names: readonly string[]): BlockList {
  const proxies = new BlockList();
  for (const name of names.flatMap((name) => (name === "loopback" ? ["127.0.0.0/8", "::1"] : [name]))) {
    const [address = "", bits] = name.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (bits === undefined) proxies.addAddress(address, family);
    else proxies.addSubnet(address, Number(bits), family);
  }
  return proxies;
}

export function isTrusted(proxies: BlockList, address: string): boolean {
  return proxies.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** An IPv4 address that arrived on an IPv6 socket is the IPv4 address. */
function canonical(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** Some proxies add the client's port: `198.51.100.7:51234`, `[2001:db8::7]:443`. */
const WITH_PORT = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i;
/** More than an address or an obfuscated name (RFC 7239) needs. */
const UNREADABLE_MAX = 64;

/** The address in one entry of X-Forwarded-For. */
function addressIn(hop: string): string | undefined {
  const [, v6, v4] = WITH_PORT.exec(hop) ?? [];
  const address = canonical(v6 ?? v4 ?? hop);
  return isIP(address) === 0 ? undefined : address;
}

/**
 * The client's address: the socket's, unless that is a trusted proxy; then the right-most address of X-Forwarded-For
 * that is no trusted proxy. What stands further left was written by the client and is worth nothing. What a trusted
 * proxy wrote and nobody can read is a client of its own, named by that text: taken for the proxy, it would share the
 * proxy's limits with everybody.
 */
export function clientIp(socket: string, forwardedFor: string | undefined, proxies: BlockList): string {
  let client = canonical(socket);
  const hops = forwardedFor ? forwardedFor.split(",").map((hop) => hop.trim()) : [];
  while (isTrusted(proxies, client)) {
    const next = hops.pop();
    if (next === undefined) break;
    const address = addressIn(next);
    if (address === undefined) return `unknown:${next.slice(0, UNREADABLE_MAX)}`;
    client = address;
  }
  return client;
}

export function isLoopback(address: string): boolean {
  const plain = canonical(address);
  return plain === "::1" || (isIP(plain) === 4 && plain.startsWith("127."));
}
