import { isLoopbackHost } from "./loopback.ts";

/** The proxy for outbound requests, from HTTPS_PROXY, HTTP_PROXY and NO_PROXY. `fetch` reads the same settings itself. */
export type OutboundProxy = {
  /** Its address for https requests. */
  https?: string;
  /** Its address for http requests. */
  http?: string;
  /** Hosts that are reached directly: a name includes its subdomains, and `*` means every host. */
  except: string[];
};

/** Options of an agent of `node:http` or `node:https` that uses this proxy. */
export const agentThrough = (proxy: string) => ({ proxyEnv: { HTTPS_PROXY: proxy, HTTP_PROXY: proxy } });

/** The address of the proxy for this request; undefined for a direct one, as to this machine. */
export function proxyFor(
  { protocol, hostname, host }: URL,
  { https, http, except }: OutboundProxy,
): string | undefined {
  const isExcepted = except.some((name) => {
    const plain = name.toLowerCase().replace(/^\*?\./, "");
    return plain === "*" || [hostname, host].includes(plain) || hostname.endsWith(`.${plain}`);
  });
  if (isLoopbackHost(hostname) || isExcepted) return undefined;
  return protocol === "https:" ? https : http;
}
