import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { answer, type Scene, scene } from "./fake_api.ts";

/** The policy that the server sends with every page. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** Serves a built front end as the server does, under its policy, with faked answers that `stage` decides. */
export function serveSite(folder: string) {
  const stage = scene();
  const requests: { call: string; body: unknown }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const url = new URL(request.url);
      if (url.pathname.startsWith("/api/")) {
        const body: unknown = request.method === "GET" ? undefined : await request.json();
        requests.push({ call: `${request.method} ${url.pathname}${url.search}`, body });
        const given = answer(stage, request.method, url);
        return Response.json(given.body, { status: given.status });
      }
      const file = Bun.file(join(folder, url.pathname));
      if (url.pathname !== "/" && (await file.exists())) return new Response(file);
      const nonce = randomBytes(16).toString("base64");
      const page = (await Bun.file(join(folder, "index.html")).text()).replaceAll("__STYLE_NONCE__", nonce);
      const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy(nonce) };
      return new Response(page, { headers });
    },
  });
  return {
    origin: server.url.origin,
    stage,
    requests,
    /** Back to the usual scene, changed as given, with no requests so far. */
    set: (change: Partial<Scene> = {}) => {
      requests.length = 0;
      return Object.assign(stage, scene(change));
    },
    /** The calls so far, without those that every page makes. */
    calls: () => requests.map(({ call }) => call).filter((call) => !call.startsWith("GET /api/check-user-auth")),
    close: () => server.stop(true),
  };
}
