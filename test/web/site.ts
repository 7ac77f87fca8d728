import { Hono } from "hono";
import { pageRoutes, website } from "../../src/http/pages.ts";
import type { HttpEnv } from "../../src/http/session.ts";
import { PAGES } from "../../web/app/page_table.ts";
import { secured } from "../support/secured.ts";
import { answer, type Scene, scene } from "./fake_api.ts";

/** Requests of pages before they show anything. */
const EVERYWHERE = ["GET /api/check-user-auth", "GET /api/service-notice"];

/** Pages have to be the prerendered ones also where the machine is busy. */
const PATIENCE_MS = 100_000;

/** Whether the server prerenders what is at this path: a public page, or the error page for a missing one. */
function isPrerendered(path: string): boolean {
  const [, , name] = path.split("/");
  const found = PAGES.filter((page) => page.path.split("/")[0] === name);
  return found.length === 0 || found.some(({ prerendered }) => prerendered !== undefined);
}

/** The built front end served by the server's own routes with its policy, and fake responses controlled by `stage`. */
export function serveSite(folder: string) {
  const stage = scene();
  const installations = new Map<string, Hono<HttpEnv>>();
  /** The pages of the stage's installation. Without facts about it none is prerendered. */
  function pagesFor(path: string): Hono<HttpEnv> {
    const isTold = isPrerendered(path) && stage.answers["GET /api/instance"] === undefined;
    const instance = isTold ? stage.instance : undefined;
    const key = JSON.stringify(instance ?? null);
    const known = installations.get(key);
    if (known) return known;
    const report = (error: unknown) => console.error(error);
    const made = new Hono<HttpEnv>()
      .use(secured(false))
      .route(
        "/",
        pageRoutes(website(folder, { instance: instance && structuredClone(instance), report, waitMs: PATIENCE_MS })),
      );
    installations.set(key, made);
    return made;
  }
  let told = "";
  let pauseOf = (_call: string): number => 0;
  const requests: { call: string; body: unknown }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: PATIENCE_MS / 1000,
    async fetch(request) {
      const url = new URL(request.url);
      if (url.pathname.startsWith("/api/")) {
        const text = await request.text();
        const body: unknown = text === "" ? undefined : JSON.parse(text);
        requests.push({ call: `${request.method} ${url.pathname}${url.search}`, body });
        const pause = pauseOf(`${request.method} ${url.pathname}`);
        if (pause > 0) await Bun.sleep(pause);
        const given = answer(stage, { method: request.method, url, body });
        told += `\n${decodeURIComponent(url.search)}\n${text}\n${JSON.stringify(given.body)}`;
        if (typeof given.body === "string")
          return new Response(given.body, { status: given.status, headers: { "Content-Type": "text/html" } });
        return Response.json(given.body, { status: given.status });
      }
      return pagesFor(url.pathname).fetch(request);
    },
  });
  return {
    origin: server.url.origin,
    stage,
    requests,
    /** Resets to the usual scene, with the given changes and no requests so far. */
    set: (change: Partial<Scene> = {}) => {
      told = "";
      requests.length = 0;
      return Object.assign(stage, scene(change));
    },
    /** From now on API responses take these milliseconds, as over a network. */
    answerAfter: (of: (call: string) => number) => {
      pauseOf = of;
    },
    /** All requests and responses since then, as text. */
    told: () => told,
    /** The calls so far, without those that every page makes. */
    calls: () => requests.map(({ call }) => call).filter((call) => !EVERYWHERE.some((one) => call.startsWith(one))),
    close: () => server.stop(true),
  };
}
