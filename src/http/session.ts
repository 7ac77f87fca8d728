import type { MiddlewareHandler } from "hono";
import { getCookie } from "hono/cookie";
import type { ApiScope } from "../shared/api_scopes.ts";
import type { Language } from "../shared/language.ts";
import { PRODUCT } from "../shared/product.ts";
import { fail } from "../shared/result.ts";
import { replyFailure } from "./reply.ts";

/** The specification's access levels, as the server stores them with the session. */
export type AuthLevel = "unauthenticated" | "partial" | "authenticated";

/** Who makes this request. */
export type Session = {
  accountId: string;
  sessionId: string;
  level: Exclude<AuthLevel, "unauthenticated">;
  language: Language;
  /** Its holder typed the password not long ago, as what is hard to undo demands. */
  confirmed: boolean;
  /** Marked by the command line; may see the staff's area. */
  staff: boolean;
};

/** A request as it comes to the routes, and what they say of it when it is answered. */
export type Visit = {
  requestId: string;
  /** The socket's address. */
  ip: string | undefined;
  /** The pattern of the route that answered. */
  route?: string;
  /** It was answered that the service rests. */
  isUnderMaintenance?: boolean;
};

export type HttpEnv = {
  Bindings: Partial<Visit>;
  Variables: {
    requestId: string;
    /** The client's address: the socket's, or what a trusted proxy says. */
    clientIp: string;
    /** The raw token of the cookie, also when no session belongs to it. */
    sessionToken: string | undefined;
    /** A program with a token asks: cookies do not count, and no page of ours has to be behind it. */
    byToken: boolean | undefined;
    /** What that token allows; undefined for a person on our pages, who may do all. */
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

/** The header of what a page asks by itself while nobody looks at it. */
export const BACKGROUND_POLL = "X-Unattended";

/** What goes by the token alone, and looks up for itself whose it is. */
const BY_TOKEN = ["/api/login", "/api/verify-code", "/api/sign-in", "/api/resend-code", "/api/logout"];

/** Reads the session of a request. `find` gets the raw token and answers for living sessions only. */
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

/** Lets only full sessions pass whose holder typed the password not long ago. Goes after `fullSession`. */
export const confirmedSession: MiddlewareHandler<SignedInEnv> = async (c, next) =>
  c.get("session").confirmed ? next() : replyFailure(c, fail("REAUTHENTICATION_REQUIRED"));

/**
 * Lets only full sessions of staff pass. To everybody else such a route does not exist: the answer is that of an unknown
 * one, so it goes before everything that validates.
 */
export const staffSession: MiddlewareHandler<SignedInEnv> = async (c, next) => {
  const session = c.get("session") as Session | undefined;
  return session?.level === "authenticated" && session.staff ? next() : replyFailure(c, fail("NOT_FOUND"));
};

/** The one challenge that we know (RFC 6750). */
export function challenge(more: Record<string, string> = {}): string {
  const parts = Object.entries({ realm: PRODUCT, ...more }).map(([name, value]) => `${name}="${value}"`);
  return `Bearer ${parts.join(", ")}`;
}

/** Lets only full sessions pass; a cookie without a session behind it has expired. */
export const fullSession: MiddlewareHandler<SignedInEnv> = async (c, next) => {
  const session = c.get("session") as Session | undefined;
  if (session?.level === "authenticated") return next();
  const expired = session === undefined && c.get("sessionToken") !== undefined;
  c.header("WWW-Authenticate", challenge());
  return replyFailure(c, fail(expired ? "SESSION_EXPIRED" : "UNAUTHENTICATED"));
};
