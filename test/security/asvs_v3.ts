import { by, deviates, none, row } from "./asvs_row.ts";

/** Web frontend. */
export const V3 = [
  row(
    "3.2.1",
    1,
    "a response is not rendered in the wrong context",
    by(
      ["http/security_test.ts", "are set on %s %s (%d)"],
      ["http/logos_test.ts", "serves the image to everybody, cacheable forever, with nothing in it executable"],
      ["breaches/alerts_http_test.ts", "return the file as an attachment that must not be cached"],
    ),
  ),
  row(
    "3.2.2",
    1,
    "text is shown as text",
    by(
      ["web/alert_detail_test.ts", "the source's text cannot run scripts or imitate the page"],
      ["web/breach_parts_test.ts", "blocks every attack, even without prior sanitising"],
    ),
  ),
  row(
    "3.3.1",
    1,
    "cookies are Secure and have a name prefix",
    by(
      ["identity/http_test.ts", "identityRoutes() set every protection on the cookie"],
      ["identity/http_sessions_test.ts", "is set with the full session, for a year, with every protection"],
    ),
  ),
  row(
    "3.3.2",
    2,
    "cookies are SameSite",
    by(["identity/http_test.ts", "identityRoutes() set every protection on the cookie"]),
  ),
  row(
    "3.3.3",
    2,
    "cookies belong to one host",
    by(["identity/http_test.ts", "identityRoutes() set every protection on the cookie"]),
  ),
  row(
    "3.3.4",
    2,
    "session cookies are HttpOnly",
    by(
      ["identity/http_test.ts", "identityRoutes() set every protection on the cookie"],
      ["identity/http_test.ts", "identityRoutes() set no cookie and return no token when a log-in fails"],
    ),
  ),
  row(
    "3.4.1",
    1,
    "HSTS for a year, with subdomains",
    deviates(
      "two years, but only for Breachbell's own host: a product hosted under somebody else's domain should not decide for neighbouring hosts",
    ),
  ),
  row(
    "3.4.2",
    1,
    "CORS allows no foreign origin",
    by(
      ["http/security_test.ts", "are set on %s %s (%d)"],
      ["http/token_http_test.ts", "does not allow other sites' pages to use the API"],
      ["http/service_status_test.ts", "can be read by a monitor on another site, and cached for ten seconds"],
    ),
  ),
  row(
    "3.4.3",
    2,
    "every response has a Content Security Policy",
    by(
      ["security/gaps_test.ts", "has a policy that allows nothing from other origins, and no embedding"],
      ["http/security_test.ts", "are set on %s %s (%d)"],
      ["security/policy_evaluator_test.ts", "finds nothing in the policy of pages"],
    ),
  ),
  row("3.4.4", 2, "X-Content-Type-Options: nosniff", by(["http/security_test.ts", "are set on %s %s (%d)"])),
  row("3.4.5", 2, "a referrer policy hides the visited page", by(["http/security_test.ts", "are set on %s %s (%d)"])),
  row("3.4.6", 2, "pages cannot be framed", by(["http/security_test.ts", "are set on %s %s (%d)"])),
  row("3.5.1", 1, "state-changing requests come from our own origin", by(["http/security_test.ts", "%s with %j: %s"])),
  row(
    "3.5.2",
    1,
    "state-changing requests need a content type that a form cannot send",
    by(
      ["http/security_test.ts", "%s with %j: %s"],
      ["http/token_http_test.ts", "needs no origin, but the type of a body is still checked"],
    ),
  ),
  row(
    "3.5.3",
    1,
    "safe methods change nothing",
    by(
      ["notifications/http_test.ts", "redirect to the page with the token in the fragment, and change nothing"],
      ["identity/provider_http_test.ts", "providerRoutes() refuse cross-site requests, and change nothing on a GET"],
      ["e2e/consent_test.ts", "the owner is asked by mail, and opening the link changes nothing"],
    ),
  ),
  row(
    "3.5.4",
    2,
    "each application has its own host",
    none("there is one application on one host, the one in PUBLIC_URL; its cookies have the prefix `__Host-`"),
  ),
  row(
    "3.5.5",
    2,
    "messages between windows are validated",
    by(
      [
        "web/two_tabs_test.ts",
        "logging out in one tab logs the other out, and logging in again restores both where they were",
      ],
      ["security/gaps_test.ts", "lets windows communicate only through a channel of their own origin"],
    ),
  ),
  row(
    "3.7.1",
    2,
    "no plug-in technologies",
    by(["security/gaps_test.ts", "has a policy that allows nothing from other origins, and no embedding"]),
  ),
  row(
    "3.7.2",
    2,
    "redirects stay on this host or go to listed destinations",
    by(
      ["web/guards_test.ts", "safeReturn() never leaves the site for %p"],
      ["web/language_test.ts", "localisedPath() cannot lead to another host"],
      ["web/provider_test.ts", "a URL that is no web page is never opened"],
    ),
  ),
];
