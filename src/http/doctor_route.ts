import { Hono } from "hono";
import { VERSION } from "../shared/product.ts";
import type { Mac } from "../shared/secrets.ts";
import { isSame } from "./security.ts";
import type { HttpEnv } from "./session.ts";

const NONCE = /^[\w-]{16,64}$/;
export const ASKING = "doctor asks";
export const ANSWERING = "doctor is answered";

/** What the server saw of a request after all proxies. */
export type SeenByServer = {
  /** Keyed hash of the nonce, which only the installation's secret can produce. */
  proof: string;
  version: string;
  /** Whether a proxy added a forwarding header. */
  forwarded: boolean;
  /** Whether TRUST_PROXY trusts that proxy. */
  believed: boolean;
};

/** Proves to the operator's command line that the public URL leads to this installation; everyone else gets a 404. */
export function doctorRoute(mac: Mac, isTrusted: (proxy: string) => boolean) {
  return new Hono<HttpEnv>().all("/api/doctor", (c, next) => {
    if (c.req.method !== "GET") return next();
    const { nonce = "", proof = "" } = c.req.query();
    if (!NONCE.test(nonce) || !isSame(proof, mac(ASKING, nonce))) return next();
    const forwarded = c.req.header("X-Forwarded-For") !== undefined;
    const believed = forwarded && isTrusted(c.env.ip ?? "");
    return c.json({ proof: mac(ANSWERING, nonce), version: VERSION, forwarded, believed } satisfies SeenByServer);
  });
}
