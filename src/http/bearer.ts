import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { ApiScope } from "../shared/api_scopes.ts";
import { fail } from "../shared/result.ts";
import { replyInsufficient } from "./findings.ts";
import { operationOf, scopesOf } from "./operations.ts";
import { replyFailure } from "./reply.ts";
import { challenge, type HttpEnv, type Session } from "./session.ts";

type Allowance = { limit: number; remaining: number; fullInSeconds: number; wait: number };
type Program = { signedIn: Session; scopes: ApiScope[]; allowance: Allowance };
type FindProgram = (token: string, from: { ip: string }) => Promise<Program | undefined>;

/** Authentication schemes of a reverse proxy, which forwards them to us with each browser request. */
const OF_PROXIES = /^(basic|digest|negotiate|ntlm)\b/i;
const BEARER = /^bearer +(\S+) *$/i;

/** Rate limit headers of draft-ietf-httpapi-ratelimit-headers: the burst size, refilled within the window. */
function tellLimit(c: Context, { limit, remaining, fullInSeconds }: Allowance): void {
  c.header("RateLimit-Policy", `"token";q=${limit};w=${limit}`);
  c.header("RateLimit", `"token";r=${remaining};t=${fullInSeconds}`);
}

/** The route that will answer: it is registered for its own method, middleware for all methods. */
function routeOf(c: Context): string | undefined {
  const found = matchedRoutes(c).find((route) => route.method === c.req.method);
  return found && `${found.method} ${found.path}`;
}

/**
 * A request with `Authorization` comes from a program: it is authenticated by its token alone and its cookies are ignored. A
 * token reaches only what `operations.ts` opens for one of its scopes.
 */
export function bearerAccess(find: FindProgram): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const header = c.req.header("Authorization");
    const isProgram = header !== undefined && !OF_PROXIES.test(header);
    c.set("byToken", isProgram);
    if (!isProgram) return next();

    c.set("sessionToken", undefined);
    c.set("session", undefined);
    const token = BEARER.exec(header)?.[1];
    const program = token === undefined ? undefined : await find(token, { ip: c.get("clientIp") });
    if (!program) {
      c.header("WWW-Authenticate", challenge({ error: token === undefined ? "invalid_request" : "invalid_token" }));
      return replyFailure(c, fail("TOKEN_INVALID"));
    }
    tellLimit(c, program.allowance);
    const { wait } = program.allowance;
    if (wait > 0) return replyFailure(c, fail("RATE_LIMITED", { retryAfter: wait }));

    const operation = operationOf(routeOf(c) ?? "");
    const access = operation?.access;
    // Unknown routes and staff routes get the same 404 from a later handler.
    if (access === undefined) return next();
    if (access === "website" || access === "service") return replyFailure(c, fail("TOKEN_NOT_ACCEPTED"));
    const needed = operation ? scopesOf(operation) : [];
    if (!needed.every((scope) => program.scopes.includes(scope))) return replyInsufficient(c, needed);
    c.set("scopes", program.scopes);
    c.set("session", program.signedIn);
    return next();
  };
}
