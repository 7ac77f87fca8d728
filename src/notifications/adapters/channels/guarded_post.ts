import { type Posted, post, type Request } from "./outbound.ts";
import { type Found, findPublic, type Resolve, resolveBySystem } from "./public_address.ts";

export type GuardOptions = {
  /** Allows contacts in the operator's private network. */
  allowPrivate: boolean;
  timeoutMs?: number;
  /** Timeout of name resolution, and the constant time that a rejection takes. */
  resolveMs?: number;
  resolve?: Resolve;
  ca?: string;
};
export type GuardedPosted = Posted | { kind: "refused"; reason: string };

const RESOLVE_MS = 3000;
const TIMEOUT_MS = 10_000;

/** POSTs to URLs typed by users: only by https, only to the public internet, and only to the address that was validated. */
export function guardedPost({
  allowPrivate,
  timeoutMs = TIMEOUT_MS,
  resolveMs = RESOLVE_MS,
  resolve = resolveBySystem,
  ca,
}: GuardOptions) {
  const find = (url: URL): Promise<Found> => findPublic(url, { resolve, allowPrivate, timeoutMs: resolveMs });
  return {
    find,
    async send(url: URL, { headers, body }: Pick<Request, "headers" | "body">): Promise<GuardedPosted> {
      if (url.protocol !== "https:") return { kind: "refused", reason: "the address is not https" };
      const found = await find(url);
      if (found.kind === "private") return { kind: "refused", reason: "the address lies in a private network" };
      if (found.kind === "unreachable") return { kind: "unsent", reason: "the name leads to no public address" };
      return post(url, { headers, body, timeoutMs, at: found.at, ...(ca !== undefined && { ca }) });
    },
  };
}
