import { afterAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { pageRoutes, website } from "../../src/http/pages.ts";
import type { HttpEnv } from "../../src/http/session.ts";
import { secured } from "../support/secured.ts";

const INDEX =
  '<meta name="style-nonce" content="__STYLE_NONCE__"><style nonce="__STYLE_NONCE__"></style><div id="root"></div>';
const NONCE = '<meta name="style-nonce" content="__STYLE_NONCE__">';
/** Prerenders two pages like the program of the build, with what it was given. */
const PROGRAM = `
const { language, instance } = await Bun.stdin.json();
const page = (title) => '<html lang="en"><style>h1{}/* /assets/style-3c4d.css */</style><script>"early"</script><h1>' + title + "</h1>" + JSON.stringify({ instance, env: process.env.SECRET }) + '${NONCE}';
if (language === "it") throw new Error("no such texts");
const documents = { ["/" + language + "/login"]: page("Anmelden"), ["/" + language + "/error-page?err=404"]: page("Fehlt") };
console.log(JSON.stringify({ documents, paths: ["login", "error-page", "alerts", "screen-track/:child_email", "update-track/:id"] }));
`;
const SCRIPT = `console.log("${"breach ".repeat(200)}");\n`;

const root = mkdtempSync(join(tmpdir(), "breachbell-pages-"));
afterAll(() => rmSync(root, { recursive: true }));
writeFileSync(join(root, "secret.json"), '{"secret":"outside"}');
const directory = join(root, "dist");
for (const folder of ["assets", "prerender"]) mkdirSync(join(directory, folder), { recursive: true });
const files: Record<string, string> = {
  "index.html": INDEX,
  "favicon.svg": "<svg/>",
  "assets/main-1a2b.js": SCRIPT,
  "assets/main-1a2b.js.map": "{}",
  "assets/style-3c4d.css": "body{}",
  "assets/large-5e6f.js": SCRIPT,
  "prerender/prerender_entry.js": PROGRAM,
  ".built-from": "hash",
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);

const PACKED = brotliCompressSync(SCRIPT, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });
writeFileSync(join(directory, "assets/large-5e6f.js.br"), PACKED);

const app = new Hono<HttpEnv>();
app.use(secured(true));
app.route("/", pageRoutes(website(directory, { publicUrl: "https://breachbell.example" })));
app.notFound((c) => c.json({ code: "NOT_FOUND" }, 404));

const get = (path: string, headers: Record<string, string> = {}) => app.request(path, { headers });

function nonceOf(text: string | null): string | undefined {
  return /nonce[-=]["']?([^"']+)/.exec(text ?? "")?.[1];
}

describe("pageRoutes() for pages", () => {
  test.each([
    "/",
    "/en/login",
    "/de/alerts?alert=1",
    "/it/update-track/019a",
    "/fr",
    "/nothing/at/all",
    "/en/screen-track/alice@example.com",
    "/en/screen-track/alice%40example.com",
  ])("%s is the app", async (path) => {
    const response = await get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toMatch(/^text\/html; charset=utf-8$/i);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(await response.text()).toContain('<div id="root"></div>');
  });

  test("each have a separate nonce, the same in the policy and in the page", async () => {
    const seen = new Set<string | undefined>();
    for (let visit = 0; visit < 20; visit++) {
      const response = await get("/en/login");
      const html = await response.text();
      const nonce = nonceOf(response.headers.get("Content-Security-Policy"));
      expect(nonce).toMatch(/^[0-9a-f]{32}$/);
      expect(html).toBe(INDEX.replaceAll("__STYLE_NONCE__", nonce ?? ""));
      seen.add(nonce);
    }
    expect(seen.size).toBe(20);
  });

  test("answer HEAD without a body", async () => {
    const response = await app.request("/en/login", { method: "HEAD" });
    expect([response.status, await response.text()]).toEqual([200, ""]);
  });

  test("do not affect the API and other methods", async () => {
    expect((await get("/api/nothing")).status).toBe(404);
    expect((await app.request("/en/login", { method: "POST" })).status).toBe(404);
  });
});

describe("pageRoutes() for prerendered pages", () => {
  const failures: unknown[] = [];
  const site = { publicUrl: "https://breachbell.example", instance: { providers: ["google"] } };
  const open = new Hono<HttpEnv>().use(secured(true));
  open.route("/", pageRoutes(website(directory, { ...site, report: (error) => failures.push(error) })));
  const get = (path: string, headers: Record<string, string> = {}) => open.request(path, { headers });
  const body = async (path: string, headers: Record<string, string> = {}) => (await get(path, headers)).text();

  test("are served without a session only, at their own path only", async () => {
    for (const path of ["/de/login", "/de/login?from=mail", "/de/error-page?err=404"])
      expect(await body(path)).toMatch(/<h1>(Anmelden|Fehlt)<\/h1>/);
    expect(await body("/de/login", { Cookie: "other=1" })).toContain("<h1>Anmelden</h1>");
    for (const [path, headers] of [
      ["/de/login", { Cookie: "__Host-session=abc" }],
      ["/de/login/more", {}],
      ["/de/error-page?err=GENERIC", {}],
      ["/de/alerts", {}],
      ["/de", {}],
      ["/login", {}],
    ] as const)
      expect(await body(path, headers)).toContain('<div id="root"></div>');
    expect((await get("/prerender/prerender_entry.js")).status).toBe(404);
  });

  test("are in the page's language, with what is to be known of this installation and no setting else", async () => {
    process.env.SECRET = "swordfish";
    const html = await body("/pt/login");
    delete process.env.SECRET;
    expect(html).toContain('<html lang="pt-PT">');
    expect(html).toContain('{"instance":{"providers":["google"]}}');
  });

  test("are found whatever host the request names", async () => {
    const { page } = website(directory, { ...site, report: (error) => failures.push(error) });
    const found = await page({ path: "/de/login", url: "http://999.1.1.1/de/login?from=mail" }, new Headers());
    expect(await found.text()).toContain("<h1>Anmelden</h1>");
  });

  test("show that a page is missing", async () => {
    expect(await body("/de/nothing")).toContain("<h1>Fehlt</h1>");
    expect(await body("/de/Login")).toContain('<div id="root"></div>');
    expect(await body("/de/update-track/019a")).toContain('<div id="root"></div>');
  });

  test("give way to the app while they are not there yet", async () => {
    const slow = new Hono<HttpEnv>().route("/", pageRoutes(website(directory, { ...site, waitMs: 0 })));
    const ask = async () => (await slow.request("/fr/login")).text();
    expect(await ask()).toContain('<div id="root"></div>');
    while (!(await ask()).includes("<h1>Anmelden</h1>"));
  });

  test("give way to the app if they cannot be prerendered, which is reported once", async () => {
    for (let visit = 0; visit < 2; visit++) expect(await body("/it/login")).toContain('<div id="root"></div>');
    expect(failures.map(String)).toEqual([expect.stringContaining("no such texts")]);
    expect(await body("/de/login")).toContain("<h1>Anmelden</h1>");
  });

  test("have a policy that allows exactly what the page contains, and its own nonce", async () => {
    const response = await get("/de/login");
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    expect(policy).toContain(`script-src 'self' ${hash('"early"')};`);
    expect(policy).toMatch(/style-src 'self' 'nonce-[0-9a-f]{32}' 'sha256-/);
    expect(policy).toContain(hash("h1{}body{}"));
    expect(policy).not.toContain("unsafe");
  });

  test("are precompressed up to their nonce, and decompress to the page", async () => {
    const packings = { "gzip, deflate": ["gzip", gunzipSync], "gzip, br": ["br", brotliDecompressSync] } as const;
    for (const path of ["/de/login", "/en/alerts", "/de/login"]) {
      for (const [accepted, [encoding, unpack]] of Object.entries(packings)) {
        const response = await get(path, { "Accept-Encoding": accepted });
        expect(response.headers.get("Content-Encoding")).toBe(encoding);
        expect(response.headers.get("Vary")).toBe("Accept-Encoding");
        const html = unpack(new Uint8Array(await response.arrayBuffer())).toString();
        const nonce = nonceOf(response.headers.get("Content-Security-Policy"));
        expect(html).toContain(`content="${nonce}"`);
        expect(html.replaceAll(nonce ?? "?", "")).toBe((await body(path)).replaceAll(/[0-9a-f]{32}/g, ""));
      }
    }
  });
});

describe("pageRoutes() for files", () => {
  test("serve a file with its type and the policy of every response", async () => {
    const response = await get("/assets/main-1a2b.js");
    expect(response.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
    expect(response.headers.get("Content-Encoding")).toBeNull();
    expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(nonceOf(response.headers.get("Content-Security-Policy"))).toBeUndefined();
    expect(await response.text()).toBe(SCRIPT);
  });

  test("make hashed files immutable, and others revalidated", async () => {
    for (const path of ["/assets/main-1a2b.js", "/assets/style-3c4d.css"]) {
      expect((await get(path)).headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    }
    expect((await get("/favicon.svg")).headers.get("Cache-Control")).toBe("no-cache");
  });

  test("respond 304 without a body when the browser has the file", async () => {
    const etag = (await get("/favicon.svg")).headers.get("ETag") ?? "";
    expect(etag).toMatch(/^"[0-9a-z]+"$/);
    const again = await get("/favicon.svg", { "If-None-Match": etag });
    expect([again.status, await again.text(), again.headers.get("ETag")]).toEqual([304, "", etag]);
    expect((await get("/favicon.svg", { "If-None-Match": '"old"' })).status).toBe(200);
    expect((await get("/assets/style-3c4d.css", { "If-None-Match": etag })).status).toBe(200);
  });

  test("compress for clients that support it, as small as they can, with a Vary header", async () => {
    for (const [accepted, encoding, unpack] of [
      ["br, gzip;q=0.9", "br", brotliDecompressSync],
      ["gzip, deflate", "gzip", gunzipSync],
    ] as const) {
      const response = await get("/assets/main-1a2b.js", { "Accept-Encoding": accepted });
      expect(response.headers.get("Content-Encoding")).toBe(encoding);
      expect(response.headers.get("Vary")).toBe("Accept-Encoding");
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(bytes.length).toBeLessThan(SCRIPT.length / 5);
      expect(unpack(bytes).toString()).toBe(SCRIPT);
    }
    const plain = await get("/assets/main-1a2b.js", { "Accept-Encoding": "zstd" });
    expect(plain.headers.get("Content-Encoding")).toBeNull();
  });

  test("serve precompressed files as they are, and decompress them for other clients", async () => {
    const path = "/assets/large-5e6f.js";
    const response = await get(path, { "Accept-Encoding": "br" });
    expect(response.headers.get("Content-Encoding")).toBe("br");
    expect(Buffer.from(await response.arrayBuffer())).toEqual(PACKED);
    expect(await (await get(path)).text()).toBe(SCRIPT);
    const zipped = await get(path, { "Accept-Encoding": "gzip" });
    expect(gunzipSync(await zipped.arrayBuffer()).toString()).toBe(SCRIPT);
    expect((await get("/assets/large-5e6f.js.br")).status).toBe(404);
  });

  test.each([
    "/assets/main-0000.js",
    "/missing.css",
    "/index.html",
    "/robots.txt",
    "/en/logo.svg",
    "/assets/main-1a2b.js.map",
  ])("%s is missing: 404, and not the app", async (path) => {
    const response = await get(path);
    expect([response.status, await response.json()]).toEqual([404, { code: "NOT_FOUND" }]);
  });

  test.each(["/.built-from", "/dist", "/assets", "/constructor", "/__proto__"])("%s is not a file", async (path) => {
    expect(await (await get(path)).text()).not.toContain("hash");
    expect((await get(path)).headers.get("ETag")).toBeNull();
  });

  const traversals = [
    "../secret.json",
    "..%2fsecret.json",
    "..%2Fsecret.json",
    "%2e%2e/secret.json",
    "%2e%2e%2fsecret.json",
  ];
  const further = [
    "..\\secret.json",
    "..%5csecret.json",
    "%252e%252e%252fsecret.json",
    "....//secret.json",
    "%00/../secret.json",
  ];
  test.each([...traversals, ...further])("%s does not lead out of the folder", async (path) => {
    for (const start of ["/", "/assets/../", "/assets/..%2f", "//", "/./"]) {
      const text = await (await app.request(new Request(`http://localhost${start}${path}`))).text();
      expect(text).not.toContain("outside");
    }
  });
});

describe("pageRoutes() on start", () => {
  test("refuse a folder without the app's page", () => {
    expect(() => website(join(directory, "assets"))).toThrow('Cannot find "index.html"');
    expect(() => website(join(root, "nowhere"))).toThrow();
  });
});
