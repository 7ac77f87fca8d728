import { Hono } from "hono";
import { openAPIRouteHandler } from "hono-openapi";
import { type HttpEnv, readSession } from "../../src/http/session.ts";
import { identityRoutes } from "../../src/identity/adapters/http.ts";
import { HOME, type identityWorld } from "./identity_world.ts";

type World = ReturnType<typeof identityWorld>;

/** The identity routes behind what the whole app puts before them. */
function appOf(world: World, secure: boolean) {
  const routes = identityRoutes(world.identity, { secureCookies: secure });
  const app = new Hono<HttpEnv>();
  app.use(async (c, next) => {
    c.set("clientIp", HOME);
    await next();
  });
  app.use(readSession(world.identity.sessionOf, secure));
  app.route("/", routes);
  app.get("/openapi.json", openAPIRouteHandler(routes, { documentation: {} }));
  return app;
}

/** A browser with one cookie jar. */
export function browserOf(world: World, secure = true) {
  const app = appOf(world, secure);
  let cookie = "";
  async function send(
    path: string,
    init: RequestInit,
  ): Promise<{ status: number; body: unknown; headers: Headers; setCookie: string | null }> {
    const response = await app.request(path, {
      ...init,
      headers: { "Content-Type": "application/json", Cookie: cookie },
    });
    const setCookie = response.headers.get("Set-Cookie");
    if (setCookie !== null) cookie = setCookie.split(";")[0] ?? "";
    return { status: response.status, body: await response.json(), headers: response.headers, setCookie };
  }
  return {
    get: (path: string) => send(path, { method: "GET" }),
    post: (path: string, body: unknown = {}) => send(path, { method: "POST", body: JSON.stringify(body) }),
    plant: (planted: string) => {
      cookie = planted;
    },
    cookie: () => cookie,
  };
}
