import { Hono } from "hono";
import { languageOf } from "./page_head.ts";
import type { HttpEnv } from "./session.ts";

/**
 * Leads password managers to the page with the password (https://w3c.github.io/webappsec-change-password-url/). They first make
 * sure that other names there do not exist, so those get a 404 instead of the app's page.
 */
export function changePassword() {
  return new Hono<HttpEnv>()
    .get("/.well-known/change-password", (c) => {
      const language = languageOf({ path: c.req.path, acceptLanguage: c.req.header("Accept-Language") });
      return c.redirect(`/${language}/profile`, 302);
    })
    .get("/.well-known/*", (c) => c.notFound());
}
