import { proxyFor } from "../shared/outbound_proxy.ts";
import { firstReachable } from "./first_reachable.ts";
import { type Found, findPublic, type Resolve, resolveBySystem } from "./public_address.ts";
import { type Request, type RequestOutcome, sendRequest } from "./request.ts";

export type GuardOptions = {
  /** Allows contacts in the operator's private network. */
  allowPrivate: boolean;
  timeoutMs?: number;
  /** Timeout of name resolution, and the constant time that a rejection takes. */
  resolveMs?: number;
  resolve?: Resolve;
} & Pick<Request, "ca" | "proxy">;
export type GuardedResponse = RequestOutcome | { kind: "refused"; reason: string };

const RESOLVE_MS = 3000;
const TIMEOUT_MS = 10_000;

/** Requests to URLs and domains that people typed: only by https, only to the public internet, and only to the address that was validated. */
export function guardedRequests({
  allowPrivate,
  timeoutMs = TIMEOUT_MS,
  resolveMs = RESOLVE_MS,
  resolve = resolveBySystem,
  ca,
  proxy,
}: GuardOptions) {
  const isProxied = (url: URL) => proxy !== undefined && proxyFor(url, proxy) !== undefined;
  const find = (url: URL): Promise<Found> =>
    findPublic(url, { resolve, allowPrivate, timeoutMs: resolveMs, isProxied: isProxied(url) });
  return {
    find,
    async send(
      url: URL,
      asked: Pick<Request, "method" | "headers" | "body" | "keepsStart" | "bodyLimit" | "signal">,
    ): Promise<GuardedResponse> {
      if (url.protocol !== "https:") return { kind: "refused", reason: "the address is not https" };
      const found = await find(url);
      if (found.kind === "private") return { kind: "refused", reason: "the address lies in a private network" };
      if (found.kind === "unreachable") return { kind: "unsent", reason: "the name leads to no public address" };
      const request = { ...asked, timeoutMs, ca };
      if (isProxied(url)) return sendRequest(url, { ...request, proxy });
      const [only, ...others] = found.at;
      const at = others.length > 0 ? await firstReachable(found.at, Number(url.port || 443), timeoutMs) : only;
      return at ? sendRequest(url, { ...request, at }) : { kind: "unsent", reason: "none of its addresses answers" };
    },
  };
}
