import { describe, expect, test } from "bun:test";
import { Hono } from "hono";
import { replyFailure } from "../../src/http/reply.ts";
import { contentSecurityPolicy, sameOrigin } from "../../src/http/security.ts";
import type { HttpEnv } from "../../src/http/session.ts";
import { fail } from "../../src/shared/result.ts";
import { secured } from "../support/secured.ts";

const ORIGIN = "https://breachbell.example";

function appOf(https = true) {
  const app = new Hono<HttpEnv>();
  app.use(secured(https));
  app.use("/api/*", sameOrigin(`${ORIGIN}/`));
  app.get("/api/me", (c) => c.json({ ok: true }));
  app.get("/api/file", (c) => c.body("text", 200, { "Cache-Control": "max-age=60" }));
  app.get("/api/unchanged", (c) => c.body(null, 304));
  app.get("/api/elsewhere", (c) => c.redirect("/en/login", 303));
  app.get("/api/bug", () => {
    throw new Error("A bug");
  });
  app.all("/api/change", (c) => c.json({ changed: c.req.method }));
  app.get("/page", (c) => c.html("<p></p>", 200, { "Content-Security-Policy": contentSecurityPolicy("abc") }));
  app.notFound((c) => replyFailure(c, fail("NOT_FOUND")));
  app.onError((_, c) => replyFailure(c, fail("GENERIC")));
  return app;
}

describe("securityHeaders()", () => {
  const app = appOf();
  const requests: [path: string, method: string, status: number][] = [
    ["/api/me", "GET", 200],
    ["/api/me", "HEAD", 200],
    ["/api/file", "GET", 200],
    ["/api/unchanged", "GET", 304],
    ["/api/elsewhere", "GET", 303],
    ["/api/bug", "GET", 500],
    ["/api/nothing", "GET", 404],
    ["/api/change", "POST", 403],
    ["/api/change", "OPTIONS", 405],
    ["/page", "GET", 200],
    ["/nothing", "GET", 404],
  ];
  test.each(requests)("are set on %s %s (%d)", async (path, method, status) => {
    const { headers, status: answered } = await app.request(path, { method });
    expect(answered).toBe(status);
    const policy = headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    const trusted = path.startsWith("/api/") ? "'none'" : "offline-worker source-text";
    expect(policy).toContain(`require-trusted-types-for 'script'; trusted-types ${trusted}; report-to policy`);
    expect(headers.get("Reporting-Endpoints")).toBe('policy="/api/policy-reports"');
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
    expect(headers.get("Cross-Origin-Resource-Policy")).toBe("same-origin");
    expect(headers.get("Permissions-Policy")).toContain("camera=()");
    expect(headers.get("Strict-Transport-Security")).toMatch(/^max-age=\d{8}/);
    expect(headers.get("Access-Control-Allow-Origin")).toBeNull();
  });

  test("keep API responses out of every cache unless the route says otherwise", async () => {
    for (const path of ["/api/me", "/api/bug", "/api/nothing"]) {
      expect((await app.request(path)).headers.get("Cache-Control")).toBe("no-store");
    }
    expect((await app.request("/api/file")).headers.get("Cache-Control")).toBe("max-age=60");
    expect((await app.request("/page")).headers.get("Cache-Control")).toBeNull();
  });

  test("disable everything in responses that are not pages", async () => {
    for (const path of ["/api/me", "/api/nothing", "/assets/nothing.js"]) {
      const policy = (await app.request(path)).headers.get("Content-Security-Policy") ?? "";
      expect(policy.replaceAll(/; (require-trusted-types-for|report-to) [^;]+/g, "")).toMatch(
        /^[\w-]+ 'none'(; [\w-]+ 'none')*$/,
      );
    }
  });

  test("keep a page's own policy with its nonce", async () => {
    const policy = (await app.request("/page")).headers.get("Content-Security-Policy") ?? "";
    expect(policy).toContain("style-src 'self' 'nonce-abc'");
    expect(policy).toContain("script-src 'self';");
  });

  test("do not require https on plain http", async () => {
    expect((await appOf(false).request("/api/me")).headers.get("Strict-Transport-Security")).toBeNull();
  });
});

describe("sameOrigin()", () => {
  const app = appOf();
  const JSON_TYPE = { "Content-Type": "application/json" };
  const OWN = { "Sec-Fetch-Site": "same-origin" };

  async function answer(method: string, headers: Record<string, string>): Promise<string> {
    const response = await app.request("/api/change", { method, headers, ...(method === "POST" && { body: "{}" }) });
    if (response.status === 200) return "passes";
    return ((await response.json()) as { code: string }).code;
  }

  test("says at which address the site is to be opened", async () => {
    const headers = { Origin: "http://192.168.1.5:3000", ...JSON_TYPE };
    const response = await app.request("/api/change", { method: "POST", headers, body: "{}" });
    expect(await response.json()).toEqual({ code: "CROSS_SITE", publicUrl: ORIGIN });
  });

  const cases: [method: string, headers: Record<string, string>, answer: string][] = [
    ["POST", { ...OWN, ...JSON_TYPE }, "passes"],
    ["POST", { ...OWN, "Content-Type": "Application/JSON; charset=utf-8" }, "passes"],
    ["POST", { Origin: ORIGIN, ...JSON_TYPE }, "passes"],
    // Another site, a subdomain of the same site, and a page without an origin.
    ["POST", { "Sec-Fetch-Site": "cross-site", ...JSON_TYPE }, "CROSS_SITE"],
    ["POST", { "Sec-Fetch-Site": "same-site", ...JSON_TYPE }, "CROSS_SITE"],
    ["POST", { "Sec-Fetch-Site": "none", ...JSON_TYPE }, "CROSS_SITE"],
    ["POST", { "Sec-Fetch-Site": "", ...JSON_TYPE }, "CROSS_SITE"],
    ["POST", { "Sec-Fetch-Site": "cross-site", Origin: ORIGIN, ...JSON_TYPE }, "CROSS_SITE"],
    ["POST", { Origin: "https://mallory.example", ...JSON_TYPE }, "CROSS_SITE"],
    ["POST", { Origin: "https://breachbell.example.mallory.example", ...JSON_TYPE }, "CROSS_SITE"],
    ["POST", { Origin: "http://breachbell.example", ...JSON_TYPE }, "CROSS_SITE"],
    ["POST", { Origin: "https://breachbell.example:8443", ...JSON_TYPE }, "CROSS_SITE"],
    ["POST", { Origin: "null", ...JSON_TYPE }, "CROSS_SITE"],
    ["POST", { Referer: `${ORIGIN}/en/login`, ...JSON_TYPE }, "CROSS_SITE"],
    ["POST", JSON_TYPE, "CROSS_SITE"],
    // What a form can send without a preflight request.
    ["POST", { ...OWN, "Content-Type": "text/plain" }, "MEDIA_TYPE_UNSUPPORTED"],
    ["POST", { ...OWN, "Content-Type": "application/x-www-form-urlencoded" }, "MEDIA_TYPE_UNSUPPORTED"],
    ["POST", { ...OWN, "Content-Type": "multipart/form-data; boundary=application/json" }, "MEDIA_TYPE_UNSUPPORTED"],
    ["POST", { ...OWN, "Content-Type": "text/plain, application/json" }, "MEDIA_TYPE_UNSUPPORTED"],
    ["PUT", { ...OWN }, "MEDIA_TYPE_UNSUPPORTED"],
    ["PATCH", { ...OWN }, "MEDIA_TYPE_UNSUPPORTED"],
    // Without a body there is no type.
    ["DELETE", OWN, "passes"],
    ["DELETE", {}, "CROSS_SITE"],
    ["DELETE", { "Sec-Fetch-Site": "cross-site" }, "CROSS_SITE"],
    // Reads change nothing.
    ["GET", {}, "passes"],
    ["GET", { "Sec-Fetch-Site": "cross-site", Origin: "https://mallory.example" }, "passes"],
    // There is no CORS.
    ["OPTIONS", { Origin: ORIGIN, "Access-Control-Request-Method": "POST" }, "METHOD_NOT_ALLOWED"],
    ["PROPFIND", OWN, "METHOD_NOT_ALLOWED"],
  ];
  test.each(cases)("%s with %j: %s", async (method, headers, expected) => {
    expect(await answer(method, headers)).toBe(expected);
  });

  test("allows HEAD", async () => {
    expect((await app.request("/api/change", { method: "HEAD" })).status).toBe(200);
  });
});
