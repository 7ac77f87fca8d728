import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import Provider, { type Account } from "oidc-provider";

export const CLIENT = { clientId: "breachbell", clientSecret: "client-secret-of-at-least-thirty-two-characters" };
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";

type Claims = Record<string, unknown>;
/** What people are called there, by what they type. */
export const PEOPLE: Record<string, Claims> = {
  alice: {
    email: "alice@example.com",
    email_verified: true,
    given_name: "Alice",
    family_name: "Meyer",
    groups: ["people", "admins"],
  },
  bob: { email: "bob@example.com", email_verified: false, name: "Bob Rossi", groups: ["people"] },
};

type Answer = (request: Request) => Response | Promise<Response>;
/** How it misbehaves until `behave()` is called again. */
type Misbehaviour = {
  idToken?: (claims: JWTPayload) => JWTPayload;
  /** Sent as it is, in place of a signed token. */
  rawIdToken?: (claims: JWTPayload) => string;
  /** Answers in place of the real ones, by path. */
  answers?: Record<string, Answer>;
};

type Options = {
  redirectUris: string[];
  port?: number;
  loggedOutUris?: string[];
  logoutUri?: string;
  /** Keeps the claims out of the ID token, as the standard wants it: they are at the userinfo endpoint. */
  conforms?: boolean;
  /** Changes what the discovery says. */
  metadata?: Claims;
};

type Key = { kid: string; private: CryptoKey; jwk: object };

async function newKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  return { kid, private: privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" } };
}

function providerOf(issuer: string, key: object, options: Options): Provider {
  const { redirectUris, loggedOutUris = [], logoutUri, conforms = false } = options;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: redirectUris,
        post_logout_redirect_uris: loggedOutUris,
        ...(logoutUri && { backchannel_logout_uri: logoutUri, backchannel_logout_session_required: true }),
      },
    ],
    cookies: { keys: ["a key"] },
    jwks: { keys: [key] },
    conformIdTokenClaims: conforms,
    claims: {
      openid: ["sub", "sid", "auth_time"],
      email: ["email", "email_verified"],
      profile: ["name", "given_name", "family_name", "groups"],
    },
    features: { backchannelLogout: { enabled: true } },
    ttl: { AccessToken: 600, IdToken: 600, Session: 600, Interaction: 600, Grant: 600 },
    findAccount: async (_: unknown, id: string): Promise<Account> => ({
      accountId: id,
      claims: async () => ({ sub: id, ...PEOPLE[id] }),
    }),
  });
  provider.proxy = true;
  return provider;
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

/**
 * A real OpenID Connect provider (`oidc-provider`) on this machine, which everyone enters by typing a name. In front of it
 * stands a server that records the requests and can make it misbehave.
 */
export async function startOidcIssuer(options: Options) {
  let current = await newKey("first");
  const own = { ...(await exportJWK(current.private)), kid: "first", alg: "RS256" };
  let keys = [current];
  let misbehaviour: Misbehaviour = {};
  const seen: { path: string; headers: Headers; body: string }[] = [];
  const inner = createServer();
  const innerPort = await listening(inner);
  const front = Bun.serve({ port: options.port ?? 0, hostname: "127.0.0.1", idleTimeout: 30, fetch: answer });
  const issuer = `http://localhost:${front.port}`;
  inner.on("request", providerOf(issuer, own, options).callback());

  async function sign(claims: JWTPayload, header: object = {}): Promise<string> {
    return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: current.kid, ...header }).sign(current.private);
  }

  async function passOn(request: Request, body: string): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const headers = new Headers(request.headers);
    headers.set("X-Forwarded-Host", `localhost:${front.port}`);
    headers.set("X-Forwarded-Proto", "http");
    const { method } = request;
    const init = { method, headers, redirect: "manual" as const, ...(body !== "" && { body }) };
    return fetch(`http://127.0.0.1:${innerPort}${pathname}${search}`, init);
  }

  async function tokenAnswer(response: Response): Promise<Response> {
    const body = (await response.json()) as { id_token?: string };
    const { idToken = (claims: JWTPayload) => claims, rawIdToken } = misbehaviour;
    if (body.id_token === undefined) return Response.json(body, { status: response.status });
    const claims = idToken(decodeJwt(body.id_token));
    return Response.json({ ...body, id_token: rawIdToken ? rawIdToken(claims) : await sign(claims) });
  }

  async function answer(request: Request): Promise<Response> {
    const { pathname: path } = new URL(request.url);
    const body = await request.text();
    seen.push({ path, headers: request.headers, body });
    const instead = misbehaviour.answers?.[path];
    if (instead) return instead(request);
    if (path === "/jwks") return Response.json({ keys: keys.map(({ jwk }) => jwk) });
    const response = await passOn(request, body);
    if (path === "/token") return tokenAnswer(response);
    if (path !== "/.well-known/openid-configuration") return response;
    return Response.json({ ...((await response.json()) as Claims), ...options.metadata });
  }

  return {
    issuer,
    ...CLIENT,
    seen,
    count: (path: string) => seen.filter((one) => one.path === path).length,
    behave(changed: Misbehaviour = {}) {
      misbehaviour = changed;
    },
    /** Signs with a new key from now on, and publishes only that one. */
    async rotate(kid: string) {
      current = await newKey(kid);
      keys = [current];
    },
    /** A logout token for Alice; `claims` replaces some of its claims, undefined removes one. */
    logoutToken(claims: Claims = {}, header: object = { typ: "logout+jwt" }): Promise<string> {
      const now = Math.floor(Date.now() / 1000);
      const all = {
        iss: issuer,
        aud: CLIENT.clientId,
        iat: now,
        exp: now + 120,
        jti: crypto.randomUUID(),
        sub: "alice",
        events: { [LOGOUT_EVENT]: {} },
        ...claims,
      };
      return sign(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)), header);
    },
    async close() {
      inner.closeAllConnections();
      inner.close();
      await front.stop(true);
    },
  };
}

export type OidcIssuer = Awaited<ReturnType<typeof startOidcIssuer>>;

/** A browser without scripts: follows redirects at the provider with its cookies, up to the first that leads elsewhere. */
export function providerBrowser() {
  const jar = new Map<string, string>();
  async function send(url: URL, body?: URLSearchParams): Promise<Response> {
    const headers = { Cookie: [...jar].map((pair) => pair.join("=")).join("; ") };
    const answer = await fetch(url, { headers, redirect: "manual", ...(body && { method: "POST", body }) });
    for (const cookie of answer.headers.getSetCookie()) {
      const [pair = ""] = cookie.split(";");
      const at = pair.indexOf("=");
      if (pair.slice(at + 1) === "") jar.delete(pair.slice(0, at));
      else jar.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }
  async function follow(url: URL, who: string): Promise<URL> {
    let [at, answer] = [url, await send(url)];
    for (let step = 0; step < 12; step++) {
      const location = answer.headers.get("Location");
      if (location !== null) {
        const next = new URL(location, at);
        if (next.origin !== url.origin) return next;
        [at, answer] = [next, await send(next)];
        continue;
      }
      const page = await answer.text();
      const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
      if (action === undefined) throw new Error(`Cannot find a form at ${at.pathname}: ${page.slice(0, 500)}`);
      const prompt = page.includes('name="login"') ? "login" : "consent";
      const fields = new URLSearchParams({ prompt, ...(prompt === "login" && { login: who, password: "any" }) });
      at = new URL(action, at);
      answer = await send(at, fields);
    }
    throw new Error(`Cannot leave the provider from ${at.pathname}`);
  }
  return {
    /** Logs in there as `who` and agrees: what the browser returns with. */
    async consent(url: URL, who = "alice"): Promise<{ code: string; state: string; iss?: string; at: string }> {
      const back = await follow(url, who);
      const { code = "", state = "", iss } = Object.fromEntries(back.searchParams);
      return { code, state, ...(iss !== undefined && { iss }), at: back.origin + back.pathname };
    },
  };
}
