/**
 * The unit that rate limits count as one client: an IPv4 address, or the /64 of an IPv6 one, since a single household has 2^64
 * of those. IPv4-mapped IPv6 addresses count as IPv4. Text that is no address is its own bucket.
 */
export function ipBucket(ip: string): string {
  const address = ip.trim().toLowerCase().split("%")[0] ?? "";
  const groups = address.includes(":") ? groupsOf(address) : undefined;
  if (!groups) return address;
  const [a = 0, b = 0] = groups.slice(6);
  const isIpv4 = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isIpv4) return [a >> 8, a & 255, b >> 8, b & 255].join(".");
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** A coarse network for the owner to recognise a client by: the /24 of IPv4, the /48 of IPv6; "" for text that is no address. */
export function ipPrefix(ip: string): string {
  const bucket = ipBucket(ip);
  if (bucket.endsWith("::/64")) return `${bucket.split(":").slice(0, 3).join(":")}::/48`;
  return /^\d+(\.\d+){3}$/.test(bucket) ? `${bucket.split(".").slice(0, 3).join(".")}.0/24` : "";
}

/** The eight groups of an IPv6 address, by the platform's own parser. */
function groupsOf(address: string): number[] | undefined {
  if (!URL.canParse(`http://[${address}]`)) return undefined;
  const compact = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = compact.split("::");
  const parse = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  const [first, last] = [parse(head), parse(tail ?? "")];
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last];
}
