import { afterAll, describe, expect, test } from "bun:test";
import { changePasswordPages } from "../../src/breaches/adapters/services/change_password_pages.ts";
import type { ChangePasswordPages, PageAnswer } from "../../src/breaches/ports.ts";
import { memoryChangePasswordPages } from "../memory/breaches/service_pages.ts";
import { LOOPBACK_AUTHORITY, LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from "../support/loopback_certificate.ts";

const PAGE = "/.well-known/change-password";

type Answer = (path: string) => Response | Promise<Response>;
let answer: Answer = () => new Response();
const asked: string[] = [];
/** A service on "hooks.example", the name in the test's certificate. */
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  tls: { key: LOOPBACK_KEY, cert: LOOPBACK_CERTIFICATE },
  fetch({ url }) {
    const { pathname } = new URL(url);
    asked.push(pathname);
    return answer(pathname);
  },
});
afterAll(() => server.stop(true));

const to = (location: string, status = 302) => new Response(null, { status, headers: { location } });
const status = (code: number) => new Response("", { status: code });

/** Long enough for a machine that stalls for a moment. */
const TIMEOUT_MS = 15_000;

function pages(more: { allowPrivate?: boolean; timeoutMs?: number } = {}): ChangePasswordPages {
  return changePasswordPages({
    userAgent: "Breachbell/test",
    originOf: (domain) => `https://${domain}:${server.port}`,
    allowPrivate: true,
    resolve: async () => ["127.0.0.1"],
    ca: LOOPBACK_AUTHORITY,
    timeoutMs: TIMEOUT_MS,
    resolveMs: 20,
    ...more,
  });
}

/** Servers by what they do, each with the right conclusion. */
const SERVERS: Record<string, [Answer, PageAnswer["kind"]]> = {
  "a page": [(path) => status(path === PAGE ? 200 : 404), "page"],
  "a redirect to its settings": [
    (path) => (path === PAGE ? to("/account/password", 303) : status(path.startsWith("/account") ? 200 : 404)),
    "page",
  ],
  "a success for any path": [() => status(200), "none"],
  "a login for any path": [(path) => (path === "/login" ? status(200) : to("/login")), "none"],
  "no page": [() => status(404), "none"],
  "a page that needs rights": [(path) => status(path === PAGE ? 403 : 404), "none"],
  "redirects without end": [() => to(PAGE), "later"],
  "a redirect to plain http": [() => to("http://hooks.example/password"), "later"],
  "a redirect to a script": [() => to("javascript:alert(1)"), "later"],
  "a redirect that is no address": [() => to("https://[nowhere"), "none"],
  "a failure": [() => status(503), "later"],
  "a limit": [() => status(429), "later"],
  silence: [() => new Promise<Response>(() => undefined), "later"],
};

describe("ChangePasswordPages over https", () => {
  test.each(Object.entries(SERVERS))("a server with %s", async (name, [serve, kind]) => {
    answer = serve;
    const asked = pages(name === "silence" ? { timeoutMs: 300 } : {}).ask("hooks.example");
    expect((await asked).kind).toBe(kind);
  });

  test("asks for a path that cannot exist before it believes in a page", async () => {
    answer = (path) => status(path === PAGE ? 200 : 404);
    asked.length = 0;
    await pages().ask("hooks.example");
    expect(asked).toEqual([PAGE, "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200"]);
  });

  test("never asks a private address, not even by a redirect, and never without a valid certificate", async () => {
    answer = () => status(200);
    asked.length = 0;
    expect(await pages({ allowPrivate: false }).ask("hooks.example")).toMatchObject({ kind: "later" });
    expect(await pages().ask("elsewhere.example")).toMatchObject({ kind: "later" });
    expect(asked).toEqual([]);
  });
});

describe.each([
  ["memory", () => memoryChangePasswordPages(new Map([["hooks.example", { kind: "page" }]]))],
  ["https", () => pages()],
] as const)("ChangePasswordPages on %s", (_, open) => {
  test("ask() finds a page, or none", async () => {
    answer = (path) => status(path === PAGE ? 200 : 404);
    expect(await open().ask("hooks.example")).toEqual({ kind: "page" });
    answer = () => status(404);
    expect(await open().ask("other.example")).toEqual({ kind: "none" });
  });
});
