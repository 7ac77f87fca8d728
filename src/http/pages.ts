import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { Hono } from "hono";
import { LANGUAGES, type Language } from "../shared/language.ts";
import { mayBeIndexed, pageHead } from "./page_head.ts";
import { contentSecurityPolicy } from "./security.ts";
import type { HttpEnv } from "./session.ts";

const TYPES: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

type StaticFile = { body: Uint8Array<ArrayBuffer>; gzip: Uint8Array<ArrayBuffer>; headers: Record<string, string> };

function readFiles(directory: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  for (const name of readdirSync(directory, { recursive: true, encoding: "utf8" })) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const body = new Uint8Array(readFileSync(join(directory, name)));
    const isHashed = name.startsWith("assets/");
    files.set(`/${name}`, {
      body,
      gzip: Bun.gzipSync(body),
      headers: {
        "Content-Type": type,
        "Cache-Control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
        ETag: `"${Bun.hash(body).toString(36)}"`,
        Vary: "Accept-Encoding",
      },
    });
  }
  return files;
}

/** What the app is, in each language, as its manifests say. */
function manifestsIn(files: Map<string, StaticFile>): Map<Language, { description: string }> {
  const manifests = new Map<Language, { description: string }>();
  for (const language of LANGUAGES) {
    const file = files.get(`/manifest-${language}.webmanifest`);
    if (file) manifests.set(language, JSON.parse(new TextDecoder().decode(file.body)));
  }
  return manifests;
}

/** The built web app: its files as they are, and its one page for every other path, with a fresh style nonce. */
export function pageRoutes(directory: string, { publicUrl = "" }: { publicUrl?: string } = {}) {
  const files = readFiles(directory);
  const page = files.get("/index.html");
  if (page === undefined) throw new Error(`Cannot find "index.html" in "${directory}"`);
  const headed = pageHead(new TextDecoder().decode(page.body), manifestsIn(files), publicUrl);
  return new Hono<HttpEnv>().get("*", (c, next) => {
    if (c.req.path.startsWith("/api/")) return next();
    const file = c.req.path === "/index.html" ? undefined : files.get(c.req.path);
    if (file) {
      if (c.req.header("If-None-Match") === file.headers.ETag) return c.body(null, 304, file.headers);
      const zipped = c.req.header("Accept-Encoding")?.includes("gzip") ?? false;
      return c.body(zipped ? file.gzip : file.body, 200, {
        ...file.headers,
        ...(zipped && { "Content-Encoding": "gzip" }),
      });
    }
    // A missing file is missing; only paths of pages get the app.
    if (extname(c.req.path) !== "" && !/@|%40/.test(c.req.path)) return next();
    const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("hex");
    const html = headed({ path: c.req.path, acceptLanguage: c.req.header("Accept-Language") });
    return c.html(html.replaceAll("__STYLE_NONCE__", nonce), 200, {
      "Cache-Control": "no-store",
      ...(!mayBeIndexed(c.req.path) && { "X-Robots-Tag": "noindex" }),
      "Content-Security-Policy": contentSecurityPolicy(nonce),
    });
  });
}
