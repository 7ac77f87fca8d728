import { timingSafeEqual } from "node:crypto";
import { Hono } from "hono";
import { VERSION } from "../shared/product.ts";
import type { Mac } from "../shared/secrets.ts";
import type { HttpEnv } from "./session.ts";

const NONCE = /^[\w-]{16,64}$/;
export const ASKING = "doctor asks";
export const ANSWERING = "doctor is answered";

/** What a request looked like when it had come through whatever stands in front. */
export type SeenByServer = {
  /** Only who has the installation's secret can say this of the nonce. */
  proof: string;
  version: string;
  /** Something in front said for whom it asks. */
  forwarded: boolean;
  /** It was believed, as TRUST_PROXY names it. */
  believed: boolean;
};

function same(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Proves to the operator's command line that the public address leads here; to everybody else it is not there. */
export function doctorRoute(mac: Mac) {
  return new Hono<HttpEnv>().all("/api/doctor", (c, next) => {
    if (c.req.method !== "GET") return next();
    const { nonce = "", proof = "" } = c.req.query();
    if (!NONCE.test(nonce) || !same(proof, mac(ASKING, nonce))) return next();
    const forwarded = c.req.header("X-Forwarded-For") !== undefined;
    const believed = forwarded && c.get("clientIp") !== c.env.ip;
    return c.json({ proof: mac(ANSWERING, nonce), version: VERSION, forwarded, believed } satisfies SeenByServer);
  });
}
