import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { startOidcIssuer } from "../support/oidc_issuer.ts";
import { removeDirectory, startProduct, temporaryDirectory } from "./product.ts";

const ROOT = join(import.meta.dirname, "../..");
const SERVER = "node_modules/.cache/breachbell/server";

function run(...script: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, ...script], { cwd: ROOT });
  if (exitCode !== 0) throw new Error(`Cannot run ${script[0]}: ${stderr}`);
}

/** What other users of the machine can open: the directory itself, and its contents. */
function openToOthers(directory: string): string[] {
  const paths = ["", ...readdirSync(directory, { recursive: true, encoding: "utf8" })];
  return paths.filter((path) => (statSync(join(directory, path)).mode & 0o077) !== 0);
}

describe("What `bun start` runs", () => {
  const folder = temporaryDirectory();
  afterAll(() => removeDirectory(folder));

  test("is a bundle of the current sources, which finds all its files and creates its data for its owner only", async () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      scripts: { start: string };
    };
    expect(scripts.start).toBe(`bun src/build/prepare.ts && exec bun ${SERVER}/main.js`);
    run("src/build/prepare.ts");
    const dataDir = temporaryDirectory();
    chmodSync(dataDir, 0o755);
    const umask = process.umask(0o022);
    const product = await startProduct({}, dataDir, undefined, `${SERVER}/main.js`).finally(() => process.umask(umask));
    try {
      expect(existsSync(join(dataDir, "pgdata/PG_VERSION"))).toBe(true);
      expect(openToOthers(dataDir)).toEqual([]);
      const statusOf = async (path: string) => (await fetch(product.url + path)).status;
      expect(await Promise.all(["/en/login", "/mailbox", "/api/openapi.json", "/api/instance"].map(statusOf))).toEqual([
        200, 200, 200, 200,
      ]);
      expect(product.output()).not.toContain('"level":"error"');
    } finally {
      expect(await product.stop()).toBe(0);
      removeDirectory(product.dataDir);
    }
  }, 90_000);

  test("contains the modules that are loaded only if they are configured", async () => {
    const entry = `${SERVER}/main.js`;
    const nobody = "http://127.0.0.1:9";
    const google = await startOidcIssuer({ redirectUris: [] });
    const env = {
      SMTP_URL: "smtp://127.0.0.1:9",
      MAIL_FROM: "alerts@breachbell.example",
      METRICS_TOKEN: "m".repeat(32),
      BILLING: "stripe",
      STRIPE_BASE_URL: nobody,
      STRIPE_SECRET_KEY: `sk_test_${"s".repeat(24)}`,
      STRIPE_WEBHOOK_SECRET: `whsec_${"w".repeat(24)}`,
      GOOGLE_ISSUER: google.issuer,
      GOOGLE_CLIENT_ID: google.clientId,
      GOOGLE_CLIENT_SECRET: google.clientSecret,
      OTEL_EXPORTER_OTLP_ENDPOINT: nobody,
    };
    const product = await startProduct(env, undefined, undefined, entry);
    try {
      const figures = await fetch(`${product.url}/metrics`, { headers: { Authorization: `Bearer ${"m".repeat(32)}` } });
      expect(await figures.text()).toContain("breachbell_");
      const startedAt = await fetch(`${product.url}/api/providers/google/start`, {
        method: "POST",
        headers: { Origin: product.url, "Content-Type": "application/json" },
        body: JSON.stringify({ purpose: "sign_in" }),
      });
      expect(startedAt.status).toBe(200);
    } finally {
      await product.stop();
      await google.close();
      removeDirectory(product.dataDir);
    }
  }, 60_000);

  test("loads no package of an unused or not yet used feature", () => {
    const later = [
      ...[
        "@electric-sql/pglite",
        "postgres",
        "stripe",
        "nodemailer",
        "postal-mime",
        "prom-client",
        "openid-client",
        "jose",
      ],
      ...["@simplewebauthn/server", "sanitize-html", "@opentelemetry/sdk-trace"],
    ];
    const readBy = (...modules: string[]) => {
      const script = `
        for (const path of ${JSON.stringify(modules.map((path) => join(ROOT, "src", path)))}) await import(path);
        console.log(Object.keys(require.cache).join("\\n"));`;
      const read = Bun.spawnSync([process.execPath, "-e", script], { cwd: ROOT }).stdout.toString();
      return later.filter((name) => read.includes(`/node_modules/${name}/`));
    };
    // Types are removed at build time.
    const first = ["main.ts", "serve.ts"].map((path) => readFileSync(join(ROOT, "src", path), "utf8")).join("");
    const imported = [...first.matchAll(/^import (?!type ).* from "\.\/(.*)";$/gm)].map(([, path = ""]) => path);
    expect(imported).toContain("adapters.ts");
    expect(readBy(...imported)).toEqual([]);
    expect(readBy("database/pglite.ts", "breaches/adapters/sources/sanitize_html.ts")).toEqual([
      "@electric-sql/pglite",
      "sanitize-html",
    ]);
  }, 30_000);

  test("keeps the chunks of servers that may still run, and maps stack traces to source lines", () => {
    const former = Array.from({ length: 11 }, (_, at) => `former-${String(at).padStart(2, "0")}`);
    for (const [at, name] of former.entries()) {
      mkdirSync(join(folder, name));
      utimesSync(join(folder, name), 1000 + at, 1000 + at);
    }
    run("src/build/bundle.ts", folder, "current");
    const builds = readdirSync(folder).filter((name) => name !== "main.js");
    expect(builds.sort()).toEqual(["current", ...former.slice(2)]);
    expect(readFileSync(join(folder, "main.js"), "utf8")).toBe('import "./current/main.js";\n');
    const parts = readdirSync(join(folder, "current")).filter((name) => name.endsWith(".js"));
    expect(parts).toContain("main.js");
    for (const part of parts) expect(existsSync(join(folder, "current", `${part}.map`))).toBe(true);
  }, 30_000);
});
