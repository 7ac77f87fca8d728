import type { MiddlewareHandler } from "hono";
import { securityHeaders } from "../../src/http/security.ts";
import type { HttpEnv } from "../../src/http/session.ts";

/** Adds the headers that `front` gives the whole app to the responses of a part of it. */
export function secured(https: boolean): MiddlewareHandler<HttpEnv> {
  const secure = securityHeaders(https);
  return async (c, next) => {
    await next();
    secure(c.res.headers, c.req.path);
  };
}
