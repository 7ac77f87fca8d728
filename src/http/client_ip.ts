import { BlockList, isIP } from "node:net";

/** The proxies in TRUST_PROXY: addresses, CIDR ranges, or `loopback`. */
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
  const plain = canonical(address);
  return proxies.check(plain, isIP(plain) === 6 ? "ipv6" : "ipv4");
}

/** Unwraps an IPv4-mapped IPv6 address. */
function canonical(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}

/** Some proxies add the client's port: `198.51.100.7:51234`, `[2001:db8::7]:443`. */
const WITH_PORT = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i;
/** Longer than any address or obfuscated identifier (RFC 7239) has to be. */
const UNREADABLE_MAX = 64;

/** The address in one entry of X-Forwarded-For. */
function addressIn(hop: string): string | undefined {
  const [, v6, v4] = WITH_PORT.exec(hop) ?? [];
  const address = canonical(v6 ?? v4 ?? hop);
  return isIP(address) === 0 ? undefined : address;
}

/**
 * The client's address: the socket's, unless that is a trusted proxy; then the right-most address of X-Forwarded-For that is no
 * trusted proxy. Entries further left are written by the client and cannot be trusted. A trusted proxy's entry that cannot be
 * parsed identifies a client by its text; otherwise it would share the proxy's own rate limits.
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
