import { Hono } from "hono";
import { openAPIRouteHandler } from "hono-openapi";
import { type HttpEnv, readSession } from "../../src/http/session.ts";
import { profileRoutes } from "../../src/identity/adapters/http/profile.ts";
import { identityRoutes } from "../../src/identity/adapters/http/routes.ts";
import { sessionRoutes } from "../../src/identity/adapters/http/sessions.ts";
import { HOME, type identityWorld } from "./identity_world.ts";

type World = ReturnType<typeof identityWorld>;

/** The identity routes behind the app's middleware. */
function appOf(world: World, secure: boolean) {
  const routes = new Hono<HttpEnv>()
    .route("/", identityRoutes(world.identity, { secureCookies: secure }))
    .route("/", sessionRoutes(world.identity, { secureCookies: secure }))
    .route("/", profileRoutes(world.identity, { secureCookies: secure }));
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

/** Cookies by name; `Max-Age=0` removes one. */
function cookieJar() {
  const cookies = new Map<string, string>();
  return {
    header: () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    take(setCookie: string): void {
      const [pair = ""] = setCookie.split(";");
      const name = pair.slice(0, pair.indexOf("="));
      if (setCookie.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, pair.slice(name.length + 1));
    },
    empty: () => cookies.clear(),
    get: (name: string) => cookies.get(name),
  };
}

/** A browser with a cookie jar and the user agent `agent`. */
export function browserOf(world: World, secure = true) {
  const app = appOf(world, secure);
  const jar = cookieJar();
  let userAgent = "";
  async function send(method: string, path: string, body?: unknown) {
    const response = await app.request(path, {
      method,
      headers: { "Content-Type": "application/json", Cookie: jar.header(), "User-Agent": userAgent },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const setCookies = response.headers.getSetCookie();
    for (const setCookie of setCookies) jar.take(setCookie);
    const answer: unknown = await response.json();
    return {
      status: response.status,
      body: answer,
      headers: response.headers,
      setCookie: setCookies[0] ?? null,
      setCookies,
    };
  }
  return {
    get: (path: string) => send("GET", path),
    post: (path: string, body: unknown = {}) => send("POST", path, body),
    put: (path: string, body: unknown) => send("PUT", path, body),
    delete: (path: string) => send("DELETE", path),
    agent: (text: string) => {
      userAgent = text;
    },
    /** Replaces its cookies by these. */
    plant(planted: string): void {
      jar.empty();
      for (const pair of planted.split("; ")) if (pair !== "") jar.take(pair);
    },
    cookie: jar.header,
    cookieOf: (name: string) => jar.get(name),
  };
}
