import { arcticProvider } from "../../src/identity/adapters/providers/arctic_provider.ts";
import type { ProviderName } from "../../src/identity/factors/factor_ports.ts";

const NOW = new Date("2026-11-20T12:00:00Z");
const SECONDS = NOW.getTime() / 1000;
export const VISIT = { code: "the-code", verifier: "the-verifier", nonce: "the-nonce" };
export type Handler = (request: Request) => Response | Promise<Response>;

/** A provider on loopback with scripted responses that records its requests. */
export function startProviderPeer() {
  const routes = new Map<string, Handler>();
  const seen: { path: string; headers: Headers; body: string }[] = [];
  const troubles: string[] = [];
  const peer = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 30,
    async fetch(request) {
      const { pathname: path } = new URL(request.url);
      seen.push({ path, headers: request.headers, body: await request.text() });
      return routes.get(path)?.(request) ?? new Response("nothing here", { status: 404 });
    },
  });
  const base = `http://127.0.0.1:${peer.port}`;
  const issuers = { google: base, microsoft: `${base}/{tenantid}/v2.0`, github: `${base}/api` };
  return {
    base,
    seen,
    /** The messages logged for the operator. */
    troubles,
    paths: () => seen.map(({ path }) => path),
    on: (path: string, handler: Handler) => void routes.set(path, handler),
    forget() {
      routes.clear();
      seen.length = 0;
      troubles.length = 0;
    },
    stop: () => peer.stop(true),
    provider: (name: ProviderName, { timeoutMs = 5000, tokenUrl = `${base}/token` } = {}) =>
      arcticProvider({
        name,
        clientId: "our-id",
        clientSecret: "our-secret",
        timeoutMs,
        tokenUrl,
        now: () => NOW,
        authorizeUrl: `${base}/authorize`,
        issuer: issuers[name],
        redirectUri: "https://breachbell.example/sign-in/one",
        onTrouble: (reason) => void troubles.push(reason),
      }),
  };
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const jwt = (claims: object) => `${part({ alg: "RS256" })}.${part(claims)}.${Buffer.from("sig").toString("base64url")}`;

/** A token endpoint that returns these claims. */
export const answering = (claims: object) => () => Response.json({ access_token: "at-1", id_token: jwt(claims) });

const TID = "5c6a6a9c-92f0-4a0b-9b3a-1f0d2c3b4a59";
const OID = "0d8f3c59-4a0e-4a34-8f5c-5b7c9a1f2e10";

/** Valid claims for Alice. */
export function claimsOn(base: string) {
  const claims = { aud: "our-id", exp: SECONDS + 3600, nonce: VISIT.nonce, email: "alice@example.com" };
  const google = { sub: "alice-sub", email_verified: true, given_name: "Alice", family_name: "Meyer" };
  const microsoft = { iss: `${base}/${TID}/v2.0`, tid: TID, oid: OID, name: "Alice Meyer Rossi" };
  return { now: SECONDS, google: { ...claims, iss: base, ...google }, microsoft: { ...claims, ...microsoft } };
}
