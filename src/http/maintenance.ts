import type { Context, MiddlewareHandler } from "hono";
import { withFirst } from "../shared/first_of_month.ts";
import { LANGUAGES, type Language, localeOf } from "../shared/language.ts";
import { PRODUCT } from "../shared/product.ts";
import { fail } from "../shared/result.ts";
import { languageOf } from "./page_head.ts";
import { replyFailure } from "./reply.ts";
import { contentSecurityPolicy, newNonce } from "./security.ts";
import type { HttpEnv } from "./session.ts";

type Rest = { since: Date; until: Date | undefined; message: string | undefined };
type Say = (language: Language, key: string, params?: Record<string, string | Date>) => string;
type Gate = {
  /** Undefined outside maintenance mode. */
  current: () => Promise<Rest | undefined>;
  /** Whether this is the path of a static file of the website. */
  isFile: (path: string) => boolean;
  /** Whether a member of the staff asks, who has passed at least the first step of signing in. */
  isStaff: (c: Context<HttpEnv>) => Promise<boolean>;
  say: Say;
  supportEmail: string;
  now: () => Date;
};

/** Health checks, metrics and the command line's own check. */
const ALWAYS = ["/livez", "/readyz", "/metrics", "/api/doctor"];
/** The development mailbox, which replaces a mail server on this machine. */
const MAILBOX = /^\/mailbox(\/|$)/;
/** The staff's pages, and the requests of a sign-in before the user is known. */
const STAFF_PAGE = /^\/[a-z]{2}\/staff(\/|$)/;
const SIGN_IN = ["/api/instance", "/api/check-user-authentication/", "/api/login"];
/** Retry-After in seconds where the end is unknown or has passed. */
const RETRY_SECONDS = 300;
const [SHORTEST_RETRY, LONGEST_RETRY] = [30, 3600];

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f3f5fa, #141821); color: light-dark(#1c2434, #e6e9f0); font: 17px/1.6 -apple-system, BlinkMacSystemFont, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
main { box-sizing: border-box; width: 100%; max-width: 34rem; padding: 2.5rem 1.25rem; }
h1 { margin: 0 0 1rem; font-size: 1.75rem; line-height: 1.25; }
p { margin: 0 0 1rem; overflow-wrap: anywhere; }
.message { padding: 0.75rem 1rem; border-inline-start: 4px solid light-dark(#3056d3, #8aa4f4); background: light-dark(#fff, #1d2330); white-space: pre-line; }
nav { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin-top: 2rem; }
a { color: light-dark(#3056d3, #9db3f7); display: inline-block; min-height: 24px; }
a:focus-visible { outline: 3px solid light-dark(#8aa4f4, #c5d2fb); outline-offset: 2px; }
`;

const e = Bun.escapeHTML;

function endOf(until: Date, language: Language): string {
  const format = new Intl.DateTimeFormat(localeOf(language), {
    dateStyle: "long",
    timeStyle: "short",
    timeZone: "UTC",
  });
  return withFirst(format.format(until), language);
}

/** The page that is shown during maintenance. */
export function maintenancePage(
  rest: Rest,
  language: Language,
  { say, supportEmail, now, nonce }: Omit<Gate, "current" | "isFile" | "isStaff"> & { nonce: string },
): string {
  const isAhead = rest.until !== undefined && rest.until > now();
  const end =
    isAhead && rest.until
      ? `<p>${e(say(language, "maintenance.until", { time: `${endOf(rest.until, language)} UTC` }))}</p>`
      : "";
  const message = rest.message === undefined ? "" : `<p class="message">${e(rest.message)}</p>`;
  const others = LANGUAGES.map((other) => {
    const name = new Intl.DisplayNames(other, { type: "language" }).of(other) ?? other;
    const mark = other === language ? ' aria-current="true"' : "";
    return `<a href="/${other}/" lang="${localeOf(other)}" hreflang="${localeOf(other)}"${mark}>${e(name.charAt(0).toLocaleUpperCase(other) + name.slice(1))}</a>`;
  });
  return `<!doctype html>
<html lang="${localeOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>${e(say(language, "maintenance.title"))} · ${PRODUCT}</title>
<style nonce="${e(nonce)}">${STYLE}</style>
</head>
<body><main>
<h1>${e(say(language, "maintenance.title"))}</h1>
<p>${e(say(language, "maintenance.body"))}</p>
${message}${end}
<p>${e(say(language, "maintenance.kept"))}</p>
<p>${e(say(language, "maintenance.contact"))} <a href="mailto:${e(encodeURI(supportEmail))}">${e(supportEmail)}</a></p>
<nav aria-label="${e(say(language, "maintenance.languages"))}">${others.join("")}</nav>
</main></body>
</html>
`;
}

function retryAfter({ until }: Rest, now: Date): number {
  const left = until === undefined ? 0 : Math.ceil((until.getTime() - now.getTime()) / 1000);
  return left <= 0 ? RETRY_SECONDS : Math.min(LONGEST_RETRY, Math.max(SHORTEST_RETRY, left));
}

/**
 * Answers all requests in maintenance mode: people get a page, programs an error code, both with Retry-After. The staff can sign
 * in and work; other people who sign in are refused once their password is verified.
 */
export function maintenanceGate({ current, isFile, isStaff, ...words }: Gate): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const { path } = c.req;
    const isApi = path.startsWith("/api/");
    const isRead = ["GET", "HEAD"].includes(c.req.method);
    if (isRead && (ALWAYS.includes(path) || MAILBOX.test(path) || isFile(path))) return next();
    // Without a database the handlers that need it fail with their own error.
    const rest = await current().catch(() => undefined);
    if (rest === undefined || STAFF_PAGE.test(path) || SIGN_IN.includes(path)) return next();
    if (await isStaff(c).catch(() => false)) return next();
    c.env.isUnderMaintenance = true;
    const seconds = retryAfter(rest, words.now());
    if (isApi || !isRead) return replyFailure(c, fail("MAINTENANCE", { retryAfter: seconds }));
    const nonce = newNonce();
    const language = languageOf({ path, acceptLanguage: c.req.header("Accept-Language") });
    return c.html(maintenancePage(rest, language, { ...words, nonce }), 503, {
      "Retry-After": String(seconds),
      "Cache-Control": "no-store",
      Vary: "Accept-Language",
      "Content-Security-Policy": contentSecurityPolicy(nonce),
    });
  };
}
