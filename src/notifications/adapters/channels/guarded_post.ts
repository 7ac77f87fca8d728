import { type Posted, post, type Request } from "./outbound.ts";
import { type Found, findPublic, type Resolve, resolveBySystem } from "./public_address.ts";

export type GuardOptions = {
  /** Lets contacts lead to machines of the operator's own network. */
  allowPrivate: boolean;
  timeoutMs?: number;
  /** How long a name may take to be looked up, and how long a refusal of one takes. */
  resolveMs?: number;
  resolve?: Resolve;
  ca?: string;
};
export type GuardedPosted = Posted | { kind: "refused"; reason: string };

const RESOLVE_MS = 3000;
const TIMEOUT_MS = 10_000;

/** POSTs to addresses that users typed: only over https, only to the public internet, only where the name was checked. */
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
