import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import { Hono } from "hono";
import { parse } from "hono/utils/cookie";
import { getMimeType } from "hono/utils/mime";
import { LANGUAGES, type Language } from "../shared/language.ts";
import { type Document, ENCODINGS, type Encoding, packedDocument } from "./document.ts";
import { languageOf, mayBeIndexed, pageHead } from "./page_head.ts";
import { prerendered } from "./prerendered.ts";
import { newNonce } from "./security.ts";
import { type HttpEnv, sessionCookie } from "./session.ts";

type Bytes = Uint8Array<ArrayBuffer>;
type StaticFile = { body: () => Bytes; packed: (encoding: Encoding) => Bytes; headers: Record<string, string> };

const NAMED: Record<Encoding, RegExp> = { br: /(?:^|,)\s*br\s*(?:[;,]|$)/, gzip: /(?:^|,)\s*gzip\s*(?:[;,]|$)/ };

function encodingFor(header: string | null): Encoding | undefined {
  return header === null ? undefined : ENCODINGS.find((encoding) => NAMED[encoding].test(header));
}

/**
 * A file that the build has compressed is kept compressed only and unpacked for clients that need it; others are compressed on
 * first use.
 */
function forms(kept: Bytes, isPacked: boolean): Pick<StaticFile, "body" | "packed"> {
  const body = () => (isPacked ? new Uint8Array(brotliDecompressSync(kept)) : kept);
  const packed: Partial<Record<Encoding, Bytes>> = isPacked ? { br: kept } : {};
  const pack = {
    br: () => new Uint8Array(brotliCompressSync(kept, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })),
    gzip: () => Bun.gzipSync(body()),
  };
  return {
    body,
    packed(encoding) {
      packed[encoding] ??= pack[encoding]();
      return packed[encoding];
    },
  };
}

/** Reads all files into memory, so that a running server keeps the files of its own build while a new one is made. */
function readFiles(directory: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>();
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  const all = new Set(names);
  const read = (name: string) => readFileSync(join(directory, name));
  for (const name of names) {
    const type = getMimeType(name);
    if (type === undefined || /^prerender\/|\.map$/.test(name)) continue;
    const isPacked = all.has(`${name}.br`);
    const kept = read(isPacked ? `${name}.br` : name);
    const isHashed = name.startsWith("assets/");
    files.set(`/${name}`, {
      ...forms(kept, isPacked),
      headers: {
        "Content-Type": type,
        "Cache-Control": isHashed ? "public, max-age=31536000, immutable" : "no-cache",
        ETag: `"${Bun.hash(kept).toString(36)}"`,
        Vary: "Accept-Encoding",
      },
    });
  }
  return files;
}

/** The app's description in each language, from its manifests. */
function manifestsIn(files: Map<string, StaticFile>): Map<Language, { description: string }> {
  const manifests = new Map<Language, { description: string }>();
  for (const language of LANGUAGES) {
    const file = files.get(`/manifest-${language}.webmanifest`);
    if (file) manifests.set(language, JSON.parse(new TextDecoder().decode(file.body())));
  }
  return manifests;
}

type Site = { publicUrl?: string; instance?: unknown; report?: (error: unknown) => void; waitMs?: number };

/** A style sheet that belongs here, in a prerendered document. */
const SHEET = /\/\* (\/assets\/[\w-]+\.css) \*\//g;

type Shown = { document: Document; isIndexed: boolean };
type Visit = { path: string; search: string; isStranger: boolean; acceptLanguage: () => string | undefined };

/** The document for each path: a prerendered page for visitors without a session where there is one, else the app's page. */
function documents(directory: string, files: Map<string, StaticFile>, site: Site) {
  const { publicUrl = "", instance, report = () => undefined, waitMs } = site;
  const textOf = (name: string) => new TextDecoder().decode(files.get(name)?.body());
  const index = textOf("/index.html");
  const manifests = manifestsIn(files);
  const page = pageHead(index, manifests, publicUrl);
  const prerenderedAt =
    instance === undefined ? undefined : prerendered(directory, { index, instance, report, waitMs });
  const ready = new Map<string, Shown>();
  async function prerenderedOf({ path, search }: Visit): Promise<Shown | undefined> {
    const found = await prerenderedAt?.(path, search);
    if (!found) return undefined;
    const { address, html } = found;
    const known = ready.get(address);
    if (known) return known;
    const styled = html.replaceAll(SHEET, (_, name: string) => textOf(name));
    const filled = pageHead(styled, manifests, publicUrl)({ path: address, acceptLanguage: undefined });
    const shown = { document: packedDocument(filled), isIndexed: mayBeIndexed(address) };
    ready.set(address, shown);
    return shown;
  }
  const others = new Map<string, Document>();
  return async (visit: Visit): Promise<Shown> => {
    const first = visit.isStranger ? await prerenderedOf(visit) : undefined;
    if (first) return first;
    const asked = { path: visit.path, acceptLanguage: visit.acceptLanguage() };
    const isIndexed = mayBeIndexed(asked.path);
    const variant = `${languageOf(asked)} ${isIndexed}`;
    const document = others.get(variant) ?? packedDocument(page(asked));
    others.set(variant, document);
    return { document, isIndexed };
  };
}

/** The built web app: its files, and a page for every other path, with a fresh style nonce. */
export function website(directory: string, site: Site = {}) {
  const files = readFiles(directory);
  if (!files.has("/index.html")) throw new Error(`Cannot find "index.html" in "${directory}"`);
  const documentOf = documents(directory, files, site);
  const cookie = sessionCookie(site.publicUrl?.startsWith("https:") ?? false);

  /** The URL is not parsed: a Host header that passes may still make an invalid one, such as `999.1.1.1`. */
  async function page({ path, url }: { path: string; url: string }, asked: Headers): Promise<Response> {
    const search = /\?[^#]*/.exec(url)?.[0] ?? "";
    const cookies = asked.get("Cookie");
    const isStranger = cookies === null || parse(cookies, cookie)[cookie] === undefined;
    const acceptLanguage = () => asked.get("Accept-Language") ?? undefined;
    const { document, isIndexed } = await documentOf({ path, search, isStranger, acceptLanguage });
    const nonce = newNonce();
    const encoding = encodingFor(asked.get("Accept-Encoding"));
    return new Response(encoding ? document.packed(encoding, nonce) : document.plain(nonce), {
      headers: {
        "Content-Type": "text/html; charset=utf-8",
        "Cache-Control": "no-store",
        Vary: "Accept-Encoding",
        "Content-Security-Policy": document.policy(nonce),
        ...(encoding && { "Content-Encoding": encoding }),
        ...(!isIndexed && { "X-Robots-Tag": "noindex" }),
      },
    });
  }

  return {
    page,
    file: (path: string) => (path === "/index.html" ? undefined : files.get(path)),
  };
}

export type Website = ReturnType<typeof website>;

/** Serves files and pages for everything that no other route has answered. */
export function pageRoutes({ page, file: fileAt }: Website) {
  return new Hono<HttpEnv>().get("*", async (c, next) => {
    const { path } = c.req;
    if (path.startsWith("/api/")) return next();
    const file = fileAt(path);
    if (file) {
      if (c.req.header("If-None-Match") === file.headers.ETag) return c.body(null, 304, file.headers);
      const encoding = encodingFor(c.req.header("Accept-Encoding") ?? null);
      return c.body(encoding ? file.packed(encoding) : file.body(), 200, {
        ...file.headers,
        ...(encoding && { "Content-Encoding": encoding }),
      });
    }
    // A missing file is a 404; only paths without a file extension get the app.
    if (extname(path) !== "" && !/@|%40/.test(path)) return next();
    return page(c.req, c.req.raw.headers);
  });
}
