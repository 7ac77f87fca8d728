import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { orLate } from "../shared/or_late.ts";
import type { Resolved } from "./request.ts";

/** IPv4 ranges outside the public internet (IANA's special-purpose registries). */
const SPECIAL_V4 = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  SPECIAL_V4.addSubnet(network, bits, "ipv4");

/** Public IPv6 is this one block, except for tunnels into IPv4 and documentation. */
const PUBLIC_V6 = new BlockList();
PUBLIC_V6.addSubnet("2000::", 3, "ipv6");
const SPECIAL_V6 = new BlockList();
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  SPECIAL_V6.addSubnet(network, bits, "ipv6");

export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !SPECIAL_V4.check(address, "ipv4");
  return isIP(address) === 6 && PUBLIC_V6.check(address, "ipv6") && !SPECIAL_V6.check(address, "ipv6");
}

/** Resolves a name to all its addresses; throws when there is none. */
export type Resolve = (host: string) => Promise<string[]>;

export const resolveBySystem: Resolve = async (host) =>
  (await lookup(host, { all: true })).map(({ address }) => address);

export type Found =
  /** Its addresses, in the order to try them; none if a proxy has to look the name up. */
  | { kind: "found"; at: Resolved[] }
  /** The URL contains a private address itself. */
  | { kind: "private" }
  /** The name does not resolve, or to a private address; deliberately not distinguished. */
  | { kind: "unreachable" };

type FindOptions = {
  resolve: Resolve;
  allowPrivate: boolean;
  timeoutMs: number;
  /** A name may be known to the proxy alone. */
  isProxied?: boolean;
};

/**
 * Resolves a name for a connection. A single private address among several is enough to reject it, and the returned addresses
 * are those to connect to, as a second look-up could differ (DNS rebinding). A rejection takes the whole `timeoutMs`, so that
 * neither the answer nor its timing reveals whether a name exists in the private network.
 */
export async function findPublic({ hostname }: URL, options: FindOptions): Promise<Found> {
  const { resolve, allowPrivate, timeoutMs, isProxied = false } = options;
  const host = hostname.replace(/^\[|\]$/g, "");
  const isGood = (address: string) => isIP(address) !== 0 && (allowPrivate || isPublicAddress(address));
  const found = (addresses: string[]): Found => ({
    kind: "found",
    at: addresses.map((address) => ({ address, family: isIP(address) === 4 ? 4 : 6 })),
  });
  if (isIP(host)) return isGood(host) ? found([host]) : { kind: "private" };

  const until = performance.now() + timeoutMs;
  const addresses = await orLate(timeoutMs, resolve(host), []).catch(() => []);
  const isKnown = addresses.length > 0 || isProxied;
  if (isKnown && addresses.every(isGood)) return found(addresses.toSorted((one, other) => isIP(one) - isIP(other)));
  await Bun.sleep(Math.max(0, until - performance.now()));
  return { kind: "unreachable" };
}
