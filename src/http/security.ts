import { randomBytes, timingSafeEqual } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import { fail } from "../shared/result.ts";
import { replyFailure } from "./reply.ts";
import type { HttpEnv } from "./session.ts";

/** Hashes (`sha256-…`) of the inline scripts and styles in our pages. */
export type Inline = { scripts: readonly string[]; styles: readonly string[] };

/** Where browsers report violations of the policy. */
export const POLICY_REPORTS = "/api/policy-reports";

/** Length of a nonce in characters. */
export const NONCE_LENGTH = 32;

/** A fresh nonce: each answer needs its own. */
export const newNonce = (): string => randomBytes(NONCE_LENGTH / 2).toString("hex");

/** Compares secrets in a time that does not depend on where they differ. */
export function isSame(one: string, other: string): boolean {
  const [some, others] = [Buffer.from(one), Buffer.from(other)];
  return some.length === others.length && timingSafeEqual(some, others);
}

/** The Trusted Types policies of `web/app/trusted_types.ts`. */
const TRUSTED_TYPES = ["offline-worker", "source-text"];

/**
 * The policy of pages; `nonce` allows the component library's style elements, and `inline` the page's own inline code, by hash.
 */
export function contentSecurityPolicy(
  nonce?: string,
  { scripts, styles }: Inline = { scripts: [], styles: [] },
): string {
  const sources = (allowed: readonly string[]) => ["'self'", ...allowed.map((source) => `'${source}'`)].join(" ");
  return [
    "default-src 'none'",
    `script-src ${sources(scripts)}`,
    `style-src ${sources(nonce === undefined ? styles : [`nonce-${nonce}`, ...styles])}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${TRUSTED_TYPES.join(" ")}`,
    "report-to policy",
  ].join("; ");
}

/** The policy of answers and files that are not pages, in case a browser renders one. Shorter, as a page loads many of them. */
const DATA_POLICY = [
  "default-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  "report-to policy",
].join("; ");
const IS_DATA = /^\/(?:api|assets)\//;

/** The directives of the page policy. */
export const DIRECTIVES = contentSecurityPolicy()
  .split("; ")
  .map((part) => part.split(" ")[0] ?? "");

/** Headers of every response, including errors and static files; a page has its own policy. */
export function securityHeaders(https: boolean) {
  const all = Object.entries({
    "Reporting-Endpoints": `policy="${POLICY_REPORTS}"`,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ...(https && { "Strict-Transport-Security": "max-age=63072000" }),
  });
  const policy = contentSecurityPolicy();
  /** Adds the missing security headers to an answer for `path`. */
  return (headers: Headers, path: string): void => {
    if (!headers.has("Content-Security-Policy"))
      headers.set("Content-Security-Policy", IS_DATA.test(path) ? DATA_POLICY : policy);
    for (const [name, value] of all) headers.set(name, value);
    if (path.startsWith("/api/") && !headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  };
}

const SAFE_METHODS = ["GET", "HEAD"];
const METHODS = [...SAFE_METHODS, "POST", "PUT", "PATCH", "DELETE"];

/**
 * Protects changes against CSRF: they need a JSON body type and proof that our own page sends them, which is `Sec-Fetch-Site:
 * same-origin` or, from a browser without that header, an `Origin` equal to the public URL's. A bearer token is proof enough, as
 * no other page can make a browser send one. There is no CORS.
 */
export function sameOrigin(publicUrl: string): MiddlewareHandler<HttpEnv> {
  const { origin } = new URL(publicUrl);
  return async (c, next) => {
    const { method } = c.req;
    if (!METHODS.includes(method)) return replyFailure(c, fail("METHOD_NOT_ALLOWED"));
    if (SAFE_METHODS.includes(method)) return next();
    const site = c.req.header("Sec-Fetch-Site");
    const isOwn = c.get("byToken") || (site === undefined ? c.req.header("Origin") === origin : site === "same-origin");
    if (!isOwn) return replyFailure(c, fail("CROSS_SITE", { publicUrl: origin }));
    const type = c.req.header("Content-Type")?.split(";")[0]?.trim().toLowerCase();
    if (method !== "DELETE" && type !== "application/json") return replyFailure(c, fail("MEDIA_TYPE_UNSUPPORTED"));
    return next();
  };
}
