import type { IncomingMessage, ServerResponse } from "node:http";
import type { Plugin } from "vite";
import { isLoopback } from "../http/client_ip.ts";
import { contentSecurityPolicy } from "../http/security.ts";

/** Paths that the server answers. Everything else is a page or a module and goes to Vite. */
const ANSWERED_BY_SERVER =
  /^\/(?:api|mailbox|sandbox|u|livez|readyz|metrics|service-status\.atom|\.well-known)(?=[/?]|$)/;
/** A module of `web/`, whose folders may be named as one of the server's paths. */
const MODULE = /^[^?]+\.tsx?(?=\?|$)/;
const [RETRY_MS, PATIENCE_MS] = [25, 20_000];
/** Hop-by-hop headers describe one connection, not the answer. */
const HOP_BY_HOP = ["connection", "keep-alive", "transfer-encoding"];

export function isAnsweredByServer(address: string): boolean {
  return ANSWERED_BY_SERVER.test(address) && !MODULE.test(address);
}

/**
 * The shipped content security policy, relaxed for Vite's dev server only: it injects scripts and styles, loads modules over a
 * WebSocket, and does not support Trusted Types. The rest stays, so that foreign hosts and frames are noticed in development as
 * well.
 */
export function developmentPolicy(): string {
  return contentSecurityPolicy()
    .split("; ")
    .filter((directive) => !/trusted-types/.test(directive))
    .map((directive) => {
      if (/^(script|style)-src /.test(directive)) return `${directive} 'unsafe-inline'`;
      return directive.startsWith("connect-src ") ? `${directive} ws:` : directive;
    })
    .join("; ");
}

async function bodyOf(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Waits while the server restarts. Safe requests are repeated if the connection was cut. */
async function askWhenListening(ask: () => Promise<Response>, isSafe: boolean): Promise<Response> {
  const passing = ["ECONNREFUSED", ...(isSafe ? ["ECONNRESET"] : [])];
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (!passing.includes(code) || performance.now() > deadline) throw error;
      await Bun.sleep(RETRY_MS);
    }
  }
}

async function handOver(server: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = "GET", url = "/" } = request;
  const isSafe = ["GET", "HEAD"].includes(method);
  const body = isSafe ? undefined : await bodyOf(request);
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || HOP_BY_HOP.includes(name) ? [] : [[name, String(value)]],
  );
  // Passes the client's address on, so that local-only routes stay local if HOST exposes the dev server.
  const { remoteAddress = "unknown" } = request.socket;
  if (!isLoopback(remoteAddress)) headers.push(["x-forwarded-for", remoteAddress]);
  const answer = await askWhenListening(
    () => fetch(server + url, { method, headers, ...(body && { body }), redirect: "manual", decompress: false }),
    isSafe,
  );
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers)
    if (name !== "set-cookie" && !HOP_BY_HOP.includes(name)) response.setHeader(name, value);
  const cookies = answer.headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("set-cookie", cookies);
  response.end(Buffer.from(await answer.arrayBuffer()));
}

/** Proxies the server's paths from Vite's dev server, and gives pages the relaxed policy. */
export function developmentPages(server: string): Plugin {
  const policy = developmentPolicy();
  return {
    name: "development-pages",
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        if (isAnsweredByServer(request.url ?? "")) handOver(server, request, response).catch(next);
        else {
          response.setHeader("Content-Security-Policy", policy);
          next();
        }
      });
    },
  };
}
