import { join } from "node:path";
import { removeDirectory, temporaryDirectory } from "../e2e/product.ts";
import { atMost, type Finding } from "../faults/bench.ts";
import { ROUTES } from "../web/walk_stops.ts";
import { type Operation, seeded, valid } from "./documents.ts";
import { operationsOf, settled, WITHOUT_SESSION } from "./fuzz.ts";
import { nextIp, openTarget, PUBLIC_URL, type Target } from "./target.ts";

const TOOLS = ["sqlmap", "wapiti", "ffuf"] as const;
const AT_ONCE = 2;
const MODULES =
  "backup,blindsql,cookieflags,crlf,csp,exec,file,htaccess,http_headers,methods,permanentxss,redirect,shellshock,sql,xss,xxe";
/**
 * Wapiti reports two missing headers: `frame-ancestors` replaces the first, and the second is for obsolete browsers.
 */
const OUTDATED = /X-Frame-Options|X-XSS-Protection/;

/**
 * Files that must not be served: our own next to the pages, leftovers of tools and editors, and files of other
 * products.
 */
const LEFTOVERS = [
  ...[
    ".env",
    ".git/HEAD",
    ".git/config",
    ".gitignore",
    ".dockerignore",
    ".DS_Store",
    ".ssh/id_rsa",
    ".npmrc",
    ".bashrc",
  ],
  ...[
    "package.json",
    "bun.lock",
    "bunfig.toml",
    "Dockerfile",
    "README.md",
    "src/main.ts",
    "migrations/meta/_journal.json",
  ],
  ...[
    "data/",
    "data/secret",
    "data/database/PG_VERSION",
    "imports/",
    "mailbox/",
    "backup.sql",
    "backup.zip",
    "dump.sql",
  ],
  ...[
    "server-status",
    "phpinfo.php",
    "wp-login.php",
    "actuator/env",
    "debug/pprof/",
    "console",
    "metrics",
    "swagger.json",
  ],
  ...[
    "index.html.bak",
    "index.html~",
    "index.php",
    "assets/",
    "drawn/",
    "drawn/en/login.html",
    "service-worker.js.map",
  ],
  ...[
    "%2e%2e/package.json",
    "..%2fpackage.json",
    "..%5cpackage.json",
    "assets/..%2f..%2fpackage.json",
    "%00",
    "en%00.html",
  ],
];

/**
 * As our own page would send it, each time from another network address: neither limits nor the origin check block a
 * scanner.
 */
function proxyTo(url: string, cookies: Map<string, string>) {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  let asked = 0;
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      asked += 1;
      const { pathname, search } = new URL(request.url);
      const headers = new Headers(request.headers);
      headers.set("X-Forwarded-For", nextIp());
      headers.set("Origin", PUBLIC_URL);
      headers.set("Sec-Fetch-Site", "same-origin");
      if (cookie !== "") headers.set("Cookie", cookie);
      headers.delete("Host");
      const body = request.body === null ? {} : { body: await request.bytes() };
      return await fetch(url + pathname + search, {
        method: request.method,
        headers,
        redirect: "manual",
        decompress: false,
        ...body,
      });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, asked: () => asked, stop: () => server.stop(true) };
}
type Proxy = ReturnType<typeof proxyTo>;

async function said(command: string[]): Promise<string> {
  const running = Bun.spawn(command, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, errors] = await Promise.all([new Response(running.stdout).text(), new Response(running.stderr).text()]);
  await running.exited;
  return out + errors;
}

/** The same with a marker behind each text, where the scanner inserts SQL injections. */
function marked(value: unknown): unknown {
  if (typeof value === "string") return `${value}*`;
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, marked(part)]));
}

/** One operation: its path, its query and its body. */
async function injected({ url }: Proxy, operation: Operation, ids: string[], folder: string): Promise<string[]> {
  const random = seeded(1);
  const place = operation.path.replaceAll(/\{\w+\}/g, `${ids[0]}*`);
  const queries = operation.parameters.filter(({ in: where }) => where === "query");
  const query = queries.map(
    ({ name, schema }) => `${name}=${encodeURIComponent(String(valid(schema, random, name)))}*`,
  );
  const body = valid(operation.body, random);
  const found = await said([
    ...["sqlmap", "-u", `${url}${place}${query.length > 0 ? `?${query.join("&")}` : ""}`, "--method", operation.method],
    ...(operation.body === undefined ? [] : ["--data", JSON.stringify(marked(body))]),
    ...["--headers", "Content-Type: application/json", "--batch", "--level", "3", "--risk", "2", "--timeout", "20"],
    ...["--dbms", "postgresql", "--disable-coloring", "--flush-session", "--output-dir", folder],
  ]);
  return /identified the following injection/.test(found) ? [`sqlmap: ${operation.id}: ${found}`] : [];
}

async function sqlmap(target: Target, { signed, stranger }: Record<string, Proxy>, folder: string): Promise<string[]> {
  const alice = await settled(target, "s37-sqlmap@example.net");
  const waiting = await operationsOf(target);
  const found: string[] = [];
  async function lane(number: number): Promise<void> {
    for (let operation = waiting.shift(); operation; operation = waiting.shift()) {
      const proxy = WITHOUT_SESSION.includes(operation.id) ? stranger : signed;
      if (proxy) found.push(...(await injected(proxy, operation, alice.ids, join(folder, String(number)))));
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, (_, number) => lane(number)));
  return found;
}

type Report = Record<"vulnerabilities" | "anomalies", Record<string, { info: string; path: string }[]>>;

async function wapiti(target: Target, { url }: Proxy, folder: string): Promise<string[]> {
  const file = join(folder, "wapiti.json");
  const pages = ROUTES.map(({ path }) => `/en${path}`);
  const calls = (await operationsOf(target)).filter(({ method }) => method === "GET").map(({ path }) => path);
  const starts = [...pages, ...calls.map((path) => `${path}?page=1&search=a&next=b`)].filter(
    (path) => !/[{:]/.test(path),
  );
  const output = await said([
    ...["wapiti", "-u", `${url}/en/`, ...starts.flatMap((path) => ["-s", url + path]), "--scope", "domain"],
    ...["-m", MODULES, "-f", "json", "-o", file, "--flush-session", "--store-session", folder, "--max-scan-time", "15"],
    ...["--verify-ssl", "0", "--no-bugreport", "-v", "0"],
  ]);
  if (!(await Bun.file(file).exists())) return [`wapiti said nothing: ${output.slice(-500)}`];
  const { vulnerabilities, anomalies } = (await Bun.file(file).json()) as Report;
  return [vulnerabilities, anomalies].flatMap((kinds) =>
    Object.entries(kinds).flatMap(([kind, all]) =>
      all.filter(({ info }) => !OUTDATED.test(info)).map(({ info, path }) => `wapiti: ${kind}: ${path}: ${info}`),
    ),
  );
}

type Fuzzed = { results: { input: { FUZZ: string }; status: number; length: number; url: string }[] };

async function ffuf({ url }: Proxy, folder: string): Promise<string[]> {
  const [words, file] = [join(folder, "words.txt"), join(folder, "ffuf.json")];
  const places = ["", "api/", "en/", "assets/"];
  await Bun.write(words, places.flatMap((place) => LEFTOVERS.map((word) => place + word)).join("\n"));
  const output = await said([
    ...["ffuf", "-w", words, "-u", `${url}/FUZZ`, "-mc", "all", "-o", file, "-of", "json", "-t", "8", "-s"],
  ]);
  if (!(await Bun.file(file).exists())) return [`ffuf said nothing: ${output.slice(-500)}`];
  const { results } = (await Bun.file(file).json()) as Fuzzed;
  const found: string[] = [];
  for (const { url: at, status } of results) {
    if (status >= 500) found.push(`ffuf: ${at}: ${status}`);
    if (status !== 200) continue;
    // The app serves its page for every page path; nothing else is available.

    const text = await (await fetch(at)).text();
    if (!/<!doctype html>/i.test(text)) found.push(`ffuf: ${at}: ${text.slice(0, 60)}`);
  }
  return found;
}

/** S37 with external scanners, which the night installs (`NIGHTLY_TOOLS`). */
export async function scanners(): Promise<Finding[]> {
  const absent = TOOLS.filter((tool) => Bun.which(tool) === null);
  if (absent.length > 0)
    return [atMost("S37", `scanners that are not installed: ${absent.join(", ")}`, absent.length, 0)];
  const target = await openTarget();
  const folder = temporaryDirectory();
  const { url = "" } = target.products[0] ?? {};
  const alice = await settled(target, "s37-scanners@example.net");
  const [signed, stranger] = [proxyTo(url, alice.cookies), proxyTo(url, new Map())];
  try {
    const findings: Finding[] = [];
    for (const [tool, run] of [
      ["ffuf", () => ffuf(signed, folder)],
      ["wapiti", () => wapiti(target, signed, folder)],
      ["sqlmap", () => sqlmap(target, { signed, stranger }, folder)],
    ] as const) {
      const before = signed.asked() + stranger.asked();
      const found = await run();
      for (const text of found) console.error(`S37: ${text}`);
      const asked = signed.asked() + stranger.asked() - before;
      findings.push(atMost("S37", `findings of ${tool} in ${asked} requests`, found.length, 0));
      // A scanner that sends no requests finds nothing.
      if (asked < 100) findings.push(atMost("S37", `too few requests of ${tool}: missing of 100`, 100 - asked, 0));
    }
    return findings;
  } finally {
    await Promise.all([signed.stop(), stranger.stop()]);
    await target.close();
    removeDirectory(folder);
  }
}
