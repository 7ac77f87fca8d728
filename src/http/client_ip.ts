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

/**
 * The client's address: the socket's, unless that is a trusted proxy; then the right-most address of X-Forwarded-For
 * that is no trusted proxy. What stands further left was written by the client and is worth nothing.
 */
export function clientIp(socket: string, forwardedFor: string | undefined, proxies: BlockList): string {
  let client = canonical(socket);
  const hops = (forwardedFor ?? "").split(",").map((hop) => canonical(hop.trim()));
  while (isTrusted(proxies, client)) {
    const next = hops.pop();
    if (next === undefined || isIP(next) === 0) break;
    client = next;
  }
  return client;
}

export function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}
