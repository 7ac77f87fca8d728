import type { MiddlewareHandler } from "hono";
import { getCookie } from "hono/cookie";
import type { ApiScope } from "../shared/api_scopes.ts";
import type { Language } from "../shared/language.ts";
import { PRODUCT } from "../shared/product.ts";
import { fail } from "../shared/result.ts";
import { replyFailure } from "./reply.ts";

/** The specification's access levels, as the server stores them with the session. */
export type AuthLevel = "unauthenticated" | "partial" | "authenticated";

/** The user behind a request. */
export type Session = {
  accountId: string;
  sessionId: string;
  level: Exclude<AuthLevel, "unauthenticated">;
  language: Language;
  /** The user has typed the password recently, which actions that are hard to undo require. */
  confirmed: boolean;
  /** Marked as staff by the command line; may use the staff's area. */
  staff: boolean;
};

/** A request's context: what the server passes to the routes, and what they record about their answer. */
export type Visit = {
  requestId: string;
  /** The socket's address. */
  ip: string | undefined;
  /** The pattern of the route that answered. */
  route?: string;
  /** Whether the answer was the one of maintenance mode. */
  isUnderMaintenance?: boolean;
};

export type HttpEnv = {
  Bindings: Partial<Visit>;
  Variables: {
    requestId: string;
    /** The client's address: the socket's, or what a trusted proxy says. */
    clientIp: string;
    /** The raw token of the cookie, even without a session for it. */
    sessionToken: string | undefined;
    /** Authenticated by a bearer token: cookies are ignored, and the same-origin check does not apply. */
    byToken: boolean | undefined;
    /** The token's scopes; undefined for a person on our pages, who is not restricted. */
    scopes: ApiScope[] | undefined;
    session: Session | undefined;
  };
};
export type SignedInEnv = {
  Bindings: HttpEnv["Bindings"];
  Variables: Omit<HttpEnv["Variables"], "session"> & { session: Session };
};

/** `__Host-` ties the cookie to one host over https; plain http (loopback, or by explicit setting) cannot carry it. */
export function sessionCookie(secure: boolean): string {
  return secure ? "__Host-session" : "session";
}

/** Header of requests that a page sends in the background, without the user's action. */
export const BACKGROUND_POLL = "X-Unattended";

/** Routes that read the session token themselves. */
const BY_TOKEN = ["/api/login", "/api/verify-code", "/api/sign-in", "/api/resend-code", "/api/logout"];

/** Reads the session of a request. `find` gets the raw token and returns valid sessions only. */
export function readSession(
  find: (token: string, isUnattended: boolean) => Promise<Session | undefined>,
  secure: boolean,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    if (c.get("byToken")) return next();
    const token = getCookie(c, sessionCookie(secure));
    c.set("sessionToken", token);
    const isFound = token !== undefined && !BY_TOKEN.includes(c.req.path);
    c.set("session", isFound ? await find(token, c.req.header(BACKGROUND_POLL) !== undefined) : undefined);
    await next();
  };
}

/** Requires a full session whose user has typed the password recently. Goes after `fullSession`. */
export const confirmedSession: MiddlewareHandler<SignedInEnv> = async (c, next) =>
  c.get("session").confirmed ? next() : replyFailure(c, fail("REAUTHENTICATION_REQUIRED"));

/** Requires a full session of staff. Everybody else gets the 404 of an unknown route, so it goes before all validation. */
export const staffSession: MiddlewareHandler<SignedInEnv> = async (c, next) => {
  const session = c.get("session") as Session | undefined;
  return session?.level === "authenticated" && session.staff ? next() : replyFailure(c, fail("NOT_FOUND"));
};

/** The WWW-Authenticate challenge (RFC 6750). */
export function challenge(more: Record<string, string> = {}): string {
  const parts = Object.entries({ realm: PRODUCT, ...more }).map(([name, value]) => `${name}="${value}"`);
  return `Bearer ${parts.join(", ")}`;
}

/** Requires a full session; a cookie without a session counts as expired. */
export const fullSession: MiddlewareHandler<SignedInEnv> = async (c, next) => {
  const session = c.get("session") as Session | undefined;
  if (session?.level === "authenticated") return next();
  const expired = session === undefined && c.get("sessionToken") !== undefined;
  c.header("WWW-Authenticate", challenge());
  return replyFailure(c, fail(expired ? "SESSION_EXPIRED" : "UNAUTHENTICATED"));
};
