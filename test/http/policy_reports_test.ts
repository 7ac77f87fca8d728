import { beforeEach, describe, expect, test } from "bun:test";
import { pageOf } from "../../src/http/policy_reports.ts";
import { unwatched } from "../../src/telemetry/health.ts";
import { createMeter, type Meter } from "../../src/telemetry/metrics.ts";
import { createTelemetry } from "../../src/telemetry/telemetry.ts";
import { adaptersOn, composed, memoryGround } from "../support/world.ts";

const TYPE = "application/reports+json";
const TOKEN = "eyJhbGciOi-a-token-of-a-link-0123456789";

/** As Chromium sends it. */
const violation = (effectiveDirective: string, documentURL = `https://breachbell.example/en/login?t=${TOKEN}`) => ({
  age: 12,
  type: "csp-violation",
  url: documentURL,
  user_agent: "Mozilla/5.0",
  body: {
    blockedURL: "inline",
    columnNumber: 1,
    disposition: "enforce",
    documentURL,
    effectiveDirective,
    lineNumber: 1,
    originalPolicy: "default-src 'none'",
    referrer: TOKEN,
    sample: TOKEN,
    statusCode: 200,
  },
});

let lines: string[];
let meter: Meter;
let app: ReturnType<typeof composed>["app"];
beforeEach(() => {
  lines = [];
  meter = createMeter();
  const log = {
    ...unwatched.log,
    warn: (message: string, details: object) => void lines.push(JSON.stringify({ message, ...details })),
  };
  const health = { ...unwatched, telemetry: createTelemetry({ meter }), log };
  app = composed({ ...adaptersOn(memoryGround()), health }).app;
});

const send = (body: unknown, headers: Record<string, string> = { "Content-Type": TYPE }) =>
  app.request("/api/policy-reports", {
    method: "POST",
    headers,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const counted = async (directive: string) =>
  Number(
    new RegExp(`^breachbell_policy_violations_total\\{directive="${directive}"\\} (\\d+)$`, "m").exec(
      await meter.text(),
    )?.[1] ?? 0,
  );

describe("Browser reports of policy violations", () => {
  test("are counted by directive, from our origin or none and without a session, and allowed for no other page", async () => {
    const answer = await send([violation("script-src-elem"), violation("script-src"), violation("evil\nname")]);
    expect(answer.status).toBe(204);
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBeNull();
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect([await counted("script-src"), await counted("other")]).toEqual([2, 1]);
    for (const origin of ["https://evil.example", "null"])
      expect((await send([violation("img-src")], { "Content-Type": TYPE, Origin: origin })).status).toBe(403);
    expect(await counted("img-src")).toBe(0);
    const own = { "Content-Type": TYPE, Origin: "https://breachbell.example" };
    expect((await send([violation("img-src")], own)).status).toBe(204);
    const asked = await app.request("/api/policy-reports", {
      method: "OPTIONS",
      headers: { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" },
    });
    expect(asked.status).toBe(405);
  });

  test("are logged once an hour per directive, with our own names only", async () => {
    await send([
      violation("img-src"),
      violation("img-src"),
      violation("img-src", `https://breachbell.example/u/${TOKEN}`),
    ]);
    await send([violation("font-src", `https://breachbell.example/u/${TOKEN}`)]);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { message: "A page violated the Content Security Policy", directive: "img-src", page: "/:lang/login" },
      { message: "A page violated the Content Security Policy", directive: "font-src", page: "(other)" },
    ]);
    expect(lines.join("")).not.toContain(TOKEN);
  });

  test("of other kinds are ignored", async () => {
    const others = [{ ...violation("img-src"), type: "deprecation" }, { type: "csp-violation" }, null, 7, "x"];
    expect((await send(others)).status).toBe(204);
    expect(await counted("img-src")).toBe(0);
    expect(lines).toEqual([]);
  });

  test("are rejected in another format, of another type, and when they are too long", async () => {
    for (const body of ["", "{", "7", "{}", '"x"']) expect((await send(body)).status).toBe(400);
    for (const type of ["application/json", "text/plain", "application/csp-report"])
      expect((await send([], { "Content-Type": type })).status).toBe(415);
    expect((await send(`["${"x".repeat(33_000)}"]`)).status).toBe(413);
    expect(lines).toEqual([]);
  });

  test("are rate limited per process", async () => {
    for (let sent = 0; sent < 120; sent++) expect((await send([])).status).toBe(204);
    const refused = await send([violation("img-src")]);
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "60"]);
    expect(await counted("img-src")).toBe(0);
  });

  test.each([
    ["https://breachbell.example/de/screen-track/alice%40example.com", "/:lang/screen-track"],
    ["https://breachbell.example/de/reset-password?t=secret#t=secret", "/:lang/reset-password"],
    [`https://breachbell.example/en/${TOKEN}`, "(other)"],
    ["https://breachbell.example/xx/login", "(other)"],
    ["https://breachbell.example/en", "(other)"],
    ["no address", "(other)"],
  ])("name the page of %s as %s", (address, page) => {
    expect(pageOf(address)).toBe(page);
  });
});
