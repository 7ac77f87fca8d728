import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { rowsOf } from "../../src/database/logical_dump.ts";
import { contentSecurityPolicy } from "../../src/http/security.ts";
import { readTree, sourcesOf } from "../architecture/imports.ts";
import { cleared, openNew } from "../backup/stage.ts";

const ROOT = join(import.meta.dirname, "../..");
/** `bun run dev`: not part of what is shipped (`development/pages_test.ts`). */
const DEVELOPMENT = ["src/build/dev.ts", "src/build/dev_pages.ts", "src/build/dev_restarts.ts"];
/** The product's own code, by path; `code` is without comments and the contents of strings. */
const sources = [...sourcesOf(readTree(ROOT, ["src", "web"])).values()].filter(
  ({ path }) => /\.tsx?$/.test(path) && !DEVELOPMENT.includes(path),
);
const server = sources.filter(({ path }) => path.startsWith("src/"));
const web = sources.filter(({ path }) => path.startsWith("web/"));

const paths = (found: { path: string }[]) => found.map(({ path }) => path).toSorted();
const having = (pattern: RegExp, among = sources) => paths(among.filter(({ code }) => pattern.test(code)));

/** These run on the operator's machine before the server, or when the operator calls them. */
const TOOLS = [
  ...["src/build/bundle.ts", "src/build/pack.ts", "src/build/prepare.ts"],
  "src/build/refresh_directories.ts",
];

afterEach(cleared, 30_000);

describe("The code", () => {
  test("has a policy that allows nothing from other origins, and no embedding", () => {
    const inline = { scripts: ["sha256-+/="], styles: ["sha256-A1"] };
    for (const policy of [
      contentSecurityPolicy(),
      contentSecurityPolicy("abc"),
      contentSecurityPolicy("abc", inline),
    ]) {
      const directives = policy.split("; ");
      for (const name of ["default-src", "object-src", "base-uri", "frame-ancestors"])
        expect(directives).toContain(`${name} 'none'`);
      expect(directives.splice(-3)).toEqual([
        "require-trusted-types-for 'script'",
        "trusted-types offline-worker source-text",
        "report-to policy",
      ]);
      for (const directive of directives)
        expect(directive).toMatch(/^[a-z-]+( '(none|self|nonce-abc|sha256-[\w+/=]+)')+( data:)?$/);
      expect(directives.filter((directive) => directive.includes("data:"))).toEqual(["img-src 'self' data:"]);
    }
  });

  test("evaluates no text as code, and starts no program but its own", () => {
    const running = /\beval\s*\(|\bnew Function\b|\bvm\b\.|\bBun\.(spawn|spawnSync|\$)|\bset(?:Timeout|Interval)\(""/;
    expect(having(running)).toContain("src/build/prepare.ts");
    expect(having(running).filter((path) => !TOOLS.includes(path))).toEqual(["src/http/prerendered.ts"]);
    // Part of the build, with fixed arguments and without the server's environment; `code` has no texts.
    const [prerendering] = server.filter(({ path }) => path === "src/http/prerendered.ts");
    expect(prerendering?.code.match(/Bun\.\w+\(\[.*\]/g)).toEqual(['Bun.spawn([process.execPath, "", program]']);
    expect(prerendering?.code).toContain('env: { BUN_RUNTIME_TRANSPILER_CACHE_PATH: "" }');
    const importing = sources.filter(({ imports }) =>
      imports.some(({ specifier }) => /^(node:)?(child_process|vm|worker_threads)$/.test(specifier)),
    );
    expect(paths(importing).filter((path) => !TOOLS.includes(path))).toEqual([]);
    const writing = /\bdangerouslySetInnerHTML\b|\.(inner|outer)HTML\b|\bdocument\.write\b/;
    expect(["<p dangerouslySetInnerHTML={x} />", "page.innerHTML = x"].every((text) => writing.test(text))).toBe(true);
    // It takes them from a package.
    expect(having(writing)).toEqual(["web/build/styles_as_text.ts"]);
  });

  test("builds SQL only from constant text and parameters", () => {
    // Names of tables and columns of our own schema, sort directions (one of two words), and our own numbers, such as
    // page sizes and attempt limits.
    expect(having(/\bsql\.raw\(/)).toEqual([
      "src/backup/after_restore.ts",
      "src/backup/restore.ts",
      "src/backup/schema.ts",
      "src/breaches/adapters/postgres/alert_page.ts",
      "src/breaches/adapters/postgres/alert_terms.ts",
      "src/cli/doctor_jobs.ts",
      "src/database/lists.ts",
      "src/database/logical_dump.ts",
      "src/identity/adapters/postgres/attempts.ts",
      "src/runtime/backups.ts",
      "src/tracking/adapters/postgres/list.ts",
    ]);
    // Where Drizzle passes on its statements, with separate parameters.
    expect(having(/\.unsafe\(/)).toEqual(["src/database/server_client.ts"]);
  });

  test("builds no regular expression from input", () => {
    // Each combines constants of its own file.
    expect(having(/\bRegExp\(/)).toEqual([
      "src/breaches/adapters/sources/hibp/hibp_model.ts",
      "src/breaches/catalogue/password_storage.ts",
      "src/notifications/adapters/channels/email/bounce_mail.ts",
      "src/shared/unicode.ts",
    ]);
  });

  test("sends requests from the listed files only", () => {
    const talking = /\bfetch\s*\(|\bnew Stripe\b|\bcreateTransport\s*\(|\bnew SmtpConnection\b|\bpostgres\s*\(/;
    const isFetch = ({ path }: { path: string }) => !["src/http/openapi_samples.ts", ...TOOLS].includes(path);
    const calling = server.filter(isFetch).filter(({ code }) => talking.test(code));
    const importing = server.filter(({ imports }) =>
      imports.some(({ specifier, isType }) => !isType && /^(node:)?(https?|tls|dgram|http2)$/.test(specifier)),
    );
    const leaving = new Set(paths([...calling, ...importing]));
    expect([...leaving].filter((path) => !path.startsWith("src/telemetry/")).toSorted()).toEqual([
      "src/billing/adapters/stripe/stripe.ts",
      "src/breaches/adapters/sources/logos_http.ts",
      "src/breaches/adapters/sources/source_http.ts",
      "src/cli/control_client.ts",
      "src/cli/doctor_finding.ts",
      "src/database/server_client.ts",
      "src/database/server_dial.ts",
      "src/identity/adapters/providers/provider_fetch.ts",
      "src/identity/adapters/secrets/pwned_passwords.ts",
      "src/notifications/adapters/channels/email/email_connections.ts",
      "src/operations/adapters/sinks/splunk.ts",
      "src/operations/adapters/sinks/syslog.ts",
      "src/outbound/request.ts",
    ]);
    const texts = server.filter(({ path }) => leaving.has(path));
    for (const { path, text } of texts)
      if (/\bawait fetch\(/.test(text)) expect([path, text.match(/redirect: "manual"/g)?.length]).toEqual([path, 1]);
  });

  test("logs to the output of the process, and writes logs nowhere else", () => {
    const speaking = having(/\bconsole\.|\bprocess\.std(out|err)\b/, server);
    const commands = [
      "src/http/openapi_samples.ts",
      "src/main.ts",
      "src/serve.ts",
      "src/build/publish_breach.ts",
      "src/breachbell.ts",
      "src/build/sbom.ts",
      "src/build/seed.ts",
      ...TOOLS,
    ];
    expect(speaking.filter((path) => !commands.includes(path) && !path.startsWith("src/cli/"))).toEqual([]);
  });

  test("lets windows communicate only through a channel of their own origin", () => {
    expect(having(/\bpostMessage\s*\(/, web)).toEqual(["web/app/session.ts"]);
    const { code = "" } = sources.find(({ path }) => path === "web/app/session.ts") ?? {};
    expect(code.match(/(\w+\(\))\.postMessage/g)).toEqual(["otherTabs().postMessage"]);
    expect(having(/\b(?:window|self)\.addEventListener\(\s*"message"|\bonmessage\b/, web)).toEqual([]);
  });

  test("has no password expiry", () => {
    const migrations = readdirSync(join(ROOT, "migrations")).filter((name) => name.endsWith(".sql"));
    const all = migrations.map((name) => readFileSync(join(ROOT, "migrations", name), "utf8")).join("\n");
    expect(all).toContain('"password_hash"');
    expect(all).not.toMatch(/password_(changed|expires|set|valid|until)\w*/);
  });

  test("has no account before somebody registers", async () => {
    const fresh = await openNew("postgres");
    for (const table of ["users", "passkeys", "api_tokens"]) {
      const rows = await fresh.unhurried((tx) => rowsOf(tx, sql.raw(`select 1 from identity.${table}`)));
      expect([table, rows]).toEqual([table, []]);
    }
  }, 60_000);

  test("hides password fields, and lets password managers fill and paste them", () => {
    const fields = web.flatMap(({ text }) => text.match(/<Password(?:Field|Input)\b[\s\S]*?\/>/g) ?? []);
    expect(fields.length).toBeGreaterThan(8);
    for (const field of fields.filter((one) => !one.includes("{...props}")))
      expect(field).toMatch(/autoComplete="(current|new)-password"/);
    for (const field of fields) expect(field).not.toMatch(/onPaste|autoComplete="off"/);
    for (const { path, text } of web)
      for (const element of text.match(/<\w+\b[^<>]*autoComplete="(?:current|new)-password"/g) ?? [])
        expect([path, element]).toEqual([path, expect.stringMatching(/^<Password(Field|Input)\b/)]);
  });
});
