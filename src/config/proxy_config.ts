import { isIP } from "node:net";
import * as v from "valibot";
import { listed } from "./config_values.ts";

function isProxy(name: string): boolean {
  const [address = "", bits, ...rest] = name.split("/");
  const width = isIP(address) === 6 ? 128 : 32;
  const isRange = bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= width);
  return name === "loopback" || (isIP(address) !== 0 && isRange && rest.length === 0);
}

/** Trusted proxies, as a comma-separated list. */
export const proxies = v.pipe(
  v.string(),
  v.transform(listed),
  v.everyItem(isProxy, 'must be a list of IP addresses, CIDR ranges or "loopback"'),
);
